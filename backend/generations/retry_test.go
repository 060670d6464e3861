package generations_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// flaky fails until it is mended.
func flaky() (h studiotest.Engine, mend func()) {
	var mended atomic.Bool
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	h = studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		if !mended.Load() {
			return backend.E(backend.CodeEngineFailed, "It broke.", "Try again.")
		}
		return f.Speak(ctx, u, emit)
	}}
	return h, func() { mended.Store(true) }
}

func TestRetryKeepsIdSeedAndVoice(t *testing.T) {
	engine, mend := flaky()
	speak, goOn := engine.SpeakFunc, make(chan struct{})
	engine.SpeakFunc = func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		err := speak(ctx, u, emit)
		if err == nil { // what does not fail waits until the test has looked at it
			select {
			case <-goOn:
			case <-ctx.Done():
			}
		}
		return err
	}
	l := studiotest.New(t, engine)
	r := l.Request(studiotest.ThreeSentences)
	r.Speed, r.Title, r.Language = new(1.5), "My title", "de"
	_, err := l.Generations.Generate(t.Context(), r)
	id, ok := backendtest.Failure(t, backend.CodeEngineFailed, err).Params["generation_id"].(string)
	require.True(t, ok)
	failed := l.Stored(id)
	require.Equal(t, backend.StatusFailed, failed.Status)
	_, err = l.DB.PatchGeneration(t.Context(), id, backend.GenerationPatch{Favorite: new(true), Title: new("Renamed")})
	require.NoError(t, err)

	mend()
	g, err := l.Generations.Retry(t.Context(), id, nil)
	require.NoError(t, err)
	require.Equal(t, id, g.ID)
	require.False(t, g.Status.Ended())
	require.Nil(t, g.Error, "the old failure is gone")
	close(goOn)
	done := l.Becomes(id, backend.StatusComplete)
	require.Equal(t, failed.Seed, done.Seed)
	require.Equal(t, failed.Voice, done.Voice)
	require.Equal(t, "de", done.Language)
	require.InDelta(t, 1.5, done.Speed, 0)
	require.Equal(t, failed.CreatedAt, done.CreatedAt)
	require.True(t, done.Favorite)
	require.Equal(t, "Renamed", done.Title)
	l.Settled(done.AudioPath)

	_, err = l.Generations.Retry(t.Context(), id, nil)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	require.FileExists(t, done.AudioPath)
	_, err = l.Generations.Retry(t.Context(), "nobody", nil)
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err)
}

func TestRetryGivesTheSameSound(t *testing.T) {
	engine, mend := flaky()
	l := studiotest.New(t, engine)
	r := l.Request(studiotest.ThreeSentences)
	r.Seed, r.MaxChunkChars = new(int64(99)), new(60)
	_, err := l.Generations.Generate(t.Context(), r)
	id, ok := backendtest.Failure(t, backend.CodeEngineFailed, err).Params["generation_id"].(string)
	require.True(t, ok)
	mend()
	_, err = l.Generations.Retry(t.Context(), id, nil)
	require.NoError(t, err)
	again := l.Becomes(id, backend.StatusComplete)
	require.Equal(t, l.Speak(r).Receipt.AudioSHA256, again.Receipt.AudioSHA256)
}

func TestTwoRetriesAtOnceOneWins(t *testing.T) {
	engine, mend := flaky()
	l := studiotest.New(t, engine)
	for range 20 {
		_, err := l.Generations.Generate(t.Context(), l.Request("Hello."))
		id, ok := backendtest.Failure(t, backend.CodeEngineFailed, err).Params["generation_id"].(string)
		require.True(t, ok)
		errs := make([]error, 4)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { _, errs[i] = l.Generations.Retry(context.Background(), id, nil) })
		}
		all.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			backendtest.RequireCode(t, backend.CodeNotInProgress, err)
		}
		// The engine is still broken, so a retry may have failed before the next one came: that one wins as well.
		require.Positive(t, won)
		l.Becomes(id, backend.StatusFailed)
	}
	mend()

	blocked, entered, open := studiotest.Gated()
	l = studiotest.New(t, blocked)
	g := l.Submit("Hello.")
	<-entered
	_, err := l.Generations.Cancel(t.Context(), g.ID)
	require.NoError(t, err)
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { _, errs[i] = l.Generations.Retry(context.Background(), g.ID, nil) })
	}
	all.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else {
			backendtest.RequireCode(t, backend.CodeNotInProgress, err)
		}
	}
	require.Equal(t, 1, won, "exactly one wins while the work goes on")
	open()
	l.Becomes(g.ID, backend.StatusComplete)
	require.Len(t, entered, 1, "and it is spoken once")
}

func TestRegenerate(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	r := l.Request(studiotest.ThreeSentences)
	r.Voice, r.MaxChunkChars = studiotest.Robot+":1", new(60)
	first := l.Speak(r)
	require.NoError(t, l.DB.DeleteProfile(t.Context(), l.Profile.ID))

	g, err := l.Generations.Regenerate(t.Context(), first.ID, nil, nil)
	require.NoError(t, err)
	require.NotEqual(t, first.ID, g.ID)
	require.Equal(t, first.ID, *g.ParentID)
	second := l.Becomes(g.ID, backend.StatusComplete)
	require.NotEqual(t, first.Seed, second.Seed)
	require.Equal(t, first.Voice, second.Voice)
	require.Equal(t, studiotest.Robot, second.ModelName)
	require.Equal(t, "Anna", second.ProfileName, "the name at generation time, though the profile is gone")
	require.Len(t, second.Chunks, len(first.Chunks))
	require.NotEqual(t, first.Receipt.AudioSHA256, second.Receipt.AudioSHA256)

	g, err = l.Generations.Regenerate(t.Context(), second.ID, &first.Seed, nil)
	require.NoError(t, err)
	third := l.Becomes(g.ID, backend.StatusComplete)
	require.Equal(t, second.ID, *third.ParentID)
	require.Equal(t, first.Receipt.AudioSHA256, third.Receipt.AudioSHA256, "the same seed gives the first take again")

	_, err = l.Generations.Regenerate(t.Context(), "nobody", nil, nil)
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err)
	require.FileExists(t, first.AudioPath, "takes do not touch each other")
}

func TestRetryAfterTheBuiltInVoiceWasChosenByLanguage(t *testing.T) {
	engine, mend := flaky()
	l := studiotest.New(t, engine)
	r := l.Request("Ni hao.")
	r.Language = "zh" // its voice calls the language cmn
	_, err := l.Generations.Generate(t.Context(), r)
	e := backendtest.Failure(t, backend.CodeEngineFailed, err)
	mend()
	id, ok := e.Params["generation_id"].(string)
	require.True(t, ok)
	_, err = l.Generations.Retry(t.Context(), id, nil)
	require.NoError(t, err)
	require.Equal(t, "cmn", l.Becomes(id, backend.StatusComplete).Voice)
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
			l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{Fail: c.fail, FailAfter: 1}))
			g, err := l.Generations.Generate(t.Context(), l.Request("One. Two\nand three."))
			e := backendtest.Failure(t, c.code, err)
			require.Equal(t, g.ID, e.Params["generation_id"])
			row := l.Stored(g.ID)
			require.Equal(t, backend.StatusFailed, row.Status)
			require.Equal(t, c.code, row.Error.Code)
			require.NotEmpty(t, row.Error.Detail)
			require.NotEmpty(t, row.Error.Remedy)
			require.NotContains(t, row.Error.Detail+row.Error.Remedy, "secret")
			require.Empty(t, row.AudioPath)
			require.Empty(t, row.Chunks)
			require.Nil(t, row.Receipt)
			require.Empty(t, l.Leftovers(), "nothing is left over")
			l.Submit("The queue goes on.")
		})
	}
}

func TestSilenceIsAFailure(t *testing.T) {
	silent := studiotest.Engine{Fixture: enginetest.NewFixture(enginetest.FixtureOptions{}), SpeakFunc: func(_ context.Context, _ engines.Utterance, emit func(audio.Buffer) error) error {
		return emit(studiotest.Sound(make([]float32, 24000)))
	}}
	l := studiotest.New(t, silent)
	g, err := l.Generations.Generate(t.Context(), l.Request("Hello."))
	e := backendtest.Failure(t, backend.CodeEngineFailed, err)
	require.Equal(t, "speak", e.Params["stage"])
	require.Equal(t, backend.CodeEngineFailed, l.Stored(g.ID).Error.Code)
	require.Empty(t, l.Files())
}

func TestModelThatCannotBeLoaded(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		l.Models.BeforeAcquire = func(_ context.Context, phase func(backend.Status)) error {
			phase(backend.StatusLoading)
			return backend.E(backend.CodeModelCorrupt, "The file a.onnx is truncated.", "Import it again.")
		}
	})
	g, err := l.Generations.Generate(t.Context(), l.Request("Hello."))
	backendtest.RequireCode(t, backend.CodeModelCorrupt, err)
	require.Equal(t, backend.CodeModelCorrupt, l.Stored(g.ID).Error.Code)
	require.Equal(t, []backend.Status{backend.StatusQueued, backend.StatusLoading, backend.StatusFailed}, l.States(g.ID))
}
