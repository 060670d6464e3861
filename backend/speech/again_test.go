package speech_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// flaky fails until it is mended.
func flaky() (h hooked, mend func()) {
	var mended atomic.Bool
	f := fixture(enginetest.FixtureOptions{})
	h = hooked{f, func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
		if !mended.Load() {
			return backend.E(backend.CodeEngineFailed, "It broke.", "Try again.")
		}
		return f.Speak(ctx, u, emit)
	}}
	return h, func() { mended.Store(true) }
}

func TestRetryKeepsIdSeedAndVoice(t *testing.T) {
	engine, mend := flaky()
	speak, goOn := engine.speak, make(chan struct{})
	engine.speak = func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
		err := speak(ctx, u, emit)
		if err == nil { // what does not fail waits until the test has looked at it
			select {
			case <-goOn:
			case <-ctx.Done():
			}
		}
		return err
	}
	l := newLab(t, engine)
	r := l.request(threeSentences)
	r.Speed, r.Title, r.Language = new(1.5), "My title", "de"
	_, err := l.service.Generations.Generate(t.Context(), r)
	id, ok := failure(t, backend.CodeEngineFailed, err).Params["generation_id"].(string)
	require.True(t, ok)
	failed := l.stored(id)
	require.Equal(t, backend.StatusFailed, failed.Status)
	_, err = l.db.PatchGeneration(t.Context(), id, backend.GenerationPatch{Favorite: new(true), Title: new("Renamed")})
	require.NoError(t, err)

	mend()
	g, err := l.service.Generations.Retry(t.Context(), id, nil)
	require.NoError(t, err)
	require.Equal(t, id, g.ID)
	require.False(t, g.Status.Ended())
	require.Nil(t, g.Error, "the old failure is gone")
	close(goOn)
	done := l.becomes(id, backend.StatusComplete)
	require.Equal(t, failed.Seed, done.Seed)
	require.Equal(t, failed.Voice, done.Voice)
	require.Equal(t, "de", done.Language)
	require.InDelta(t, 1.5, done.Speed, 0)
	require.Equal(t, failed.CreatedAt, done.CreatedAt)
	require.True(t, done.Favorite)
	require.Equal(t, "Renamed", done.Title)
	l.settled(done.AudioPath)

	_, err = l.service.Generations.Retry(t.Context(), id, nil)
	requireCode(t, backend.CodeNotInProgress, err)
	require.FileExists(t, done.AudioPath)
	_, err = l.service.Generations.Retry(t.Context(), "nobody", nil)
	requireCode(t, backend.CodeGenerationNotFound, err)
}

func TestRetryGivesTheSameSound(t *testing.T) {
	engine, mend := flaky()
	l := newLab(t, engine)
	r := l.request(threeSentences)
	r.Seed, r.MaxChunkChars = new(int64(99)), new(60)
	_, err := l.service.Generations.Generate(t.Context(), r)
	id, ok := failure(t, backend.CodeEngineFailed, err).Params["generation_id"].(string)
	require.True(t, ok)
	mend()
	_, err = l.service.Generations.Retry(t.Context(), id, nil)
	require.NoError(t, err)
	again := l.becomes(id, backend.StatusComplete)
	require.Equal(t, l.speak(r).Receipt.AudioSHA256, again.Receipt.AudioSHA256)
}

func TestTwoRetriesAtOnceOneWins(t *testing.T) {
	engine, mend := flaky()
	l := newLab(t, engine)
	for range 20 {
		_, err := l.service.Generations.Generate(t.Context(), l.request("Hello."))
		id, ok := failure(t, backend.CodeEngineFailed, err).Params["generation_id"].(string)
		require.True(t, ok)
		errs := make([]error, 4)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { _, errs[i] = l.service.Generations.Retry(context.Background(), id, nil) })
		}
		all.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			requireCode(t, backend.CodeNotInProgress, err)
		}
		// The engine is still broken, so a retry may have failed before the next one came: that one wins as well.
		require.Positive(t, won)
		l.becomes(id, backend.StatusFailed)
	}
	mend()

	blocked, entered, open := gated()
	l = newLab(t, blocked)
	g := l.submit("Hello.")
	<-entered
	_, err := l.service.Generations.Cancel(t.Context(), g.ID)
	require.NoError(t, err)
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { _, errs[i] = l.service.Generations.Retry(context.Background(), g.ID, nil) })
	}
	all.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else {
			requireCode(t, backend.CodeNotInProgress, err)
		}
	}
	require.Equal(t, 1, won, "exactly one wins while the work goes on")
	open()
	l.becomes(g.ID, backend.StatusComplete)
	require.Len(t, entered, 1, "and it is spoken once")
}

func TestRegenerate(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	r := l.request(threeSentences)
	r.Voice, r.MaxChunkChars = robot+":1", new(60)
	first := l.speak(r)
	require.NoError(t, l.db.DeleteProfile(t.Context(), l.profile.ID))

	g, err := l.service.Generations.Regenerate(t.Context(), first.ID, nil, nil)
	require.NoError(t, err)
	require.NotEqual(t, first.ID, g.ID)
	require.Equal(t, first.ID, *g.ParentID)
	second := l.becomes(g.ID, backend.StatusComplete)
	require.NotEqual(t, first.Seed, second.Seed)
	require.Equal(t, first.Voice, second.Voice)
	require.Equal(t, robot, second.ModelName)
	require.Equal(t, "Anna", second.ProfileName, "the name at generation time, though the profile is gone")
	require.Len(t, second.Chunks, len(first.Chunks))
	require.NotEqual(t, first.Receipt.AudioSHA256, second.Receipt.AudioSHA256)

	g, err = l.service.Generations.Regenerate(t.Context(), second.ID, &first.Seed, nil)
	require.NoError(t, err)
	third := l.becomes(g.ID, backend.StatusComplete)
	require.Equal(t, second.ID, *third.ParentID)
	require.Equal(t, first.Receipt.AudioSHA256, third.Receipt.AudioSHA256, "the same seed gives the first take again")

	_, err = l.service.Generations.Regenerate(t.Context(), "nobody", nil, nil)
	requireCode(t, backend.CodeGenerationNotFound, err)
	require.FileExists(t, first.AudioPath, "takes do not touch each other")
}

func TestRetryAfterTheBuiltInVoiceWasChosenByLanguage(t *testing.T) {
	engine, mend := flaky()
	l := newLab(t, engine)
	r := l.request("Ni hao.")
	r.Language = "zh" // its voice calls the language cmn
	_, err := l.service.Generations.Generate(t.Context(), r)
	e := failure(t, backend.CodeEngineFailed, err)
	mend()
	id, ok := e.Params["generation_id"].(string)
	require.True(t, ok)
	_, err = l.service.Generations.Retry(t.Context(), id, nil)
	require.NoError(t, err)
	require.Equal(t, "cmn", l.becomes(id, backend.StatusComplete).Voice)
}

func TestFailureIsWrittenDown(t *testing.T) {
	for name, c := range map[string]struct {
		fail error
		code backend.Code
	}{
		"with a code":    {backend.E(backend.CodeOutOfMemory, "No room.", "Unload one.").With("needed", 5), backend.CodeOutOfMemory},
		"without a code": {errors.New("secret path /home/x"), backend.CodeInternal},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, fixture(enginetest.FixtureOptions{Fail: c.fail, FailAfter: 1}))
			g, err := l.service.Generations.Generate(t.Context(), l.request("One. Two\nand three."))
			e := failure(t, c.code, err)
			require.Equal(t, g.ID, e.Params["generation_id"])
			row := l.stored(g.ID)
			require.Equal(t, backend.StatusFailed, row.Status)
			require.Equal(t, c.code, row.Error.Code)
			require.NotEmpty(t, row.Error.Detail)
			require.NotEmpty(t, row.Error.Remedy)
			require.NotContains(t, row.Error.Detail+row.Error.Remedy, "secret")
			require.Empty(t, row.AudioPath)
			require.Empty(t, row.Chunks)
			require.Nil(t, row.Receipt)
			require.Empty(t, l.leftovers(), "nothing is left over")
			l.submit("The queue goes on.")
		})
	}
}

func TestSilenceIsAFailure(t *testing.T) {
	silent := hooked{fixture(enginetest.FixtureOptions{}), func(_ context.Context, _ engines.Utterance, emit emitFunc) error {
		return emit(soundOf(make([]float32, 24000)))
	}}
	l := newLab(t, silent)
	g, err := l.service.Generations.Generate(t.Context(), l.request("Hello."))
	e := failure(t, backend.CodeEngineFailed, err)
	require.Equal(t, "speak", e.Params["stage"])
	require.Equal(t, backend.CodeEngineFailed, l.stored(g.ID).Error.Code)
	require.Empty(t, l.files())
}

func TestModelThatCannotBeLoaded(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
		l.modelSet.acquire = func(_ context.Context, phase func(backend.Status)) error {
			phase(backend.StatusLoading)
			return backend.E(backend.CodeModelCorrupt, "The file a.onnx is truncated.", "Import it again.")
		}
	})
	g, err := l.service.Generations.Generate(t.Context(), l.request("Hello."))
	requireCode(t, backend.CodeModelCorrupt, err)
	require.Equal(t, backend.CodeModelCorrupt, l.stored(g.ID).Error.Code)
	require.Equal(t, []backend.Status{backend.StatusQueued, backend.StatusLoading, backend.StatusFailed}, l.states(g.ID))
}
