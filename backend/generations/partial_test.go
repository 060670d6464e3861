package generations_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestRetryMakesOnlyWhatIsMissing(t *testing.T) {
	t.Parallel()
	const passages = 8 // the first sentence is a chunk of its own
	whole := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	request := func(l *studiotest.Lab) generations.Request {
		r := l.Request(studiotest.Passages(passages))
		r.Seed, r.MaxChunkChars, r.CrossfadeMS = new(int64(7)), new(80), new(20)
		return r
	}
	want := whole.Speak(request(whole))
	chunks := len(want.Chunks)

	engine := studiotest.NewCounting()
	l := studiotest.New(t, engine)
	engine.Allow(studiotest.Failing(5))
	g, err := l.Generations.Generate(t.Context(), request(l))
	backendtest.RequireCode(t, backend.CodeEngineFailed, err)
	require.Equal(t, backend.StatusFailed, g.Status)
	require.NotNil(t, g.Partial)
	require.GreaterOrEqual(t, g.Partial.Chunks, 4)
	require.Less(t, g.Partial.Chunks, chunks)
	require.Equal(t, chunks, g.Partial.Total)
	require.Positive(t, g.Partial.Seconds)
	require.Equal(t, g.Partial, l.Stored(g.ID).Partial)

	engine.Allow(nil)
	_, err = l.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	done := l.Becomes(g.ID, backend.StatusComplete)
	require.Equal(t, want.Receipt.AudioSHA256, done.Receipt.AudioSHA256)
	require.Equal(t, want.Chunks, done.Chunks)
	require.True(t, done.Receipt.Reproducible)
	require.Nil(t, done.Partial)
	require.Equal(t, 2*passages, engine.Total(), "no sentence is spoken twice: %v", engine.ByText)
	require.Eventually(t, func() bool { return len(l.Journals()) == 0 }, studiotest.WaitLimit, studiotest.WaitStep)
}

// stoppedAt returns a lab whose generation was stopped while passage n was to be spoken, with its engine.
func stoppedAt(t *testing.T, n int, r func(*studiotest.Lab) generations.Request) (*studiotest.Lab, *studiotest.Counting, backend.Generation) {
	engine := studiotest.NewCounting()
	l := studiotest.New(t, engine)
	reached := make(chan struct{})
	once := sync.OnceFunc(func() { close(reached) })
	engine.Allow(func(text string) error {
		if studiotest.Failing(n)(text) == nil {
			return nil
		}
		once()
		return studiotest.ErrWait
	})
	g, err := l.Generations.Submit(t.Context(), r(l))
	require.NoError(t, err)
	<-reached
	l.WaitForChunks(g.ID, n-1)
	g, err = l.Generations.Stop(t.Context(), g.ID)
	require.NoError(t, err)
	engine.Allow(nil)
	return l, engine, g
}

func passages(l *studiotest.Lab) generations.Request {
	r := l.Request(studiotest.Passages(8))
	r.Seed, r.MaxChunkChars = new(int64(7)), new(80)
	return r
}

func TestStopStoresTheFinishedChunks(t *testing.T) {
	t.Parallel()
	whole := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	want := whole.Speak(passages(whole))
	l, engine, g := stoppedAt(t, 4, passages)
	require.Equal(t, backend.StatusCancelled, g.Status)
	require.NotNil(t, g.Partial)
	require.Positive(t, g.Partial.Chunks)
	require.Less(t, g.Partial.Chunks, len(want.Chunks))
	require.Equal(t, len(want.Chunks), g.Partial.Total)
	require.Equal(t, g.Partial, l.Stored(g.ID).Partial)
	require.Len(t, l.Journals(), 1)
	storage, err := l.Generations.Archive.Storage(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, storage.Files)
	require.Greater(t, storage.Bytes, int64(g.Partial.Seconds*24000*4)-1)

	_, err = l.Generations.Stop(t.Context(), g.ID)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	require.NotNil(t, l.Stored(g.ID).Partial, "a second stop changes nothing")

	made := engine.Total()
	_, err = l.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	done := l.Becomes(g.ID, backend.StatusComplete)
	require.Equal(t, want.Receipt.AudioSHA256, done.Receipt.AudioSHA256)
	require.Less(t, made, 16)
	require.Equal(t, 16, engine.Total(), "no sentence is spoken twice: %v", engine.ByText)
	require.Nil(t, done.Partial)
	require.Eventually(t, func() bool { return len(l.Files()) == 1 }, studiotest.WaitLimit, studiotest.WaitStep, "%v", l.Files())
	_, err = l.Generations.Retry(t.Context(), g.ID, nil)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
}

// TestRetryIsHeard hears the finished chunks of an earlier run, before the next one is made.
func TestRetryIsHeard(t *testing.T) {
	t.Parallel()
	l, engine, g := stoppedAt(t, 4, passages)
	held := make(chan struct{})
	open := sync.OnceFunc(func() { close(held) })
	t.Cleanup(open)
	engine.Allow(func(text string) error {
		if studiotest.Failing(4)(text) != nil {
			<-held
		}
		return nil
	})
	_, err := l.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	part := <-l.Listen(t.Context(), g.ID, 1, 0.5)
	require.NoError(t, part.Err)
	require.Len(t, part.PCM, 24000)
	all := l.Listen(t.Context(), g.ID, 0, 0)
	open()
	got := <-all
	require.NoError(t, got.Err)
	require.Len(t, got.PCM, len(studiotest.PCM(t, l.Becomes(g.ID, backend.StatusComplete))))
}

func TestCancelRemovesTheFinishedChunks(t *testing.T) {
	t.Parallel()
	l, _, g := stoppedAt(t, 4, passages)
	dropped, err := l.Generations.Cancel(t.Context(), g.ID)
	require.NoError(t, err)
	require.Nil(t, dropped.Partial)
	require.Equal(t, backend.StatusCancelled, l.Stored(g.ID).Status)
	require.Nil(t, l.Stored(g.ID).Partial)
	require.Empty(t, l.Files())
	_, err = l.Generations.Cancel(t.Context(), g.ID)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)

	engine, entered, _ := studiotest.Gated()
	l = studiotest.New(t, engine)
	g = l.Submit(studiotest.Passages(3))
	<-entered
	g, err = l.Generations.Cancel(t.Context(), g.ID)
	require.NoError(t, err)
	require.Nil(t, g.Partial)
	require.Empty(t, l.Files())
}

func TestStopWhileQueued(t *testing.T) {
	t.Parallel()
	engine, entered, open := studiotest.Gated()
	l := studiotest.New(t, engine)
	running := l.Submit("The first one runs.")
	<-entered
	waiting := l.Submit(studiotest.Passages(3))
	g, err := l.Generations.Stop(t.Context(), waiting.ID)
	require.NoError(t, err)
	require.Equal(t, backend.StatusCancelled, g.Status)
	require.Nil(t, g.Partial)
	open()
	done := l.Becomes(running.ID, backend.StatusComplete)
	l.Settled(done.AudioPath)

	// One that waits for its second run has what the first one made.
	l, counter, g := stoppedAt(t, 4, passages)
	had := g.Partial
	gate := make(chan struct{})
	counter.Allow(func(string) error { <-gate; return nil })
	l.Submit("Another one runs.")
	_, err = l.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	g, err = l.Generations.Stop(t.Context(), g.ID)
	close(gate)
	require.NoError(t, err)
	require.Equal(t, had, g.Partial)
}

func TestDeleteRemovesTheFinishedChunks(t *testing.T) {
	t.Parallel()
	l, _, g := stoppedAt(t, 4, passages)
	n, err := l.Generations.Archive.Delete(t.Context(), []string{g.ID})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Empty(t, l.Files())
}

// TestRestoredPartial is of a backup, which has no finished chunks: nothing is said to be stored, and a retry makes all of it.
func TestRestoredPartial(t *testing.T) {
	engine := studiotest.NewCounting()
	l := studiotest.New(t, engine)
	engine.Allow(studiotest.Failing(3))
	r := l.Request(studiotest.Passages(4))
	r.MaxChunkChars = new(80)
	_, err := l.Generations.Generate(t.Context(), r)
	id := backendtest.Failure(t, backend.CodeEngineFailed, err).Params["generation_id"].(string)
	stored, made := l.Stored(id).Partial, engine.Total()
	require.NotNil(t, stored)
	require.NoError(t, l.Close(t.Context()))
	l.Start()
	require.Equal(t, stored, l.Stored(id).Partial, "a start keeps it")

	require.NoError(t, l.Close(t.Context()))
	require.NoError(t, os.RemoveAll(filepath.Join(l.Dir, "partial")))
	l.Start()
	require.Nil(t, l.Stored(id).Partial)
	_, err = l.Generations.Cancel(t.Context(), id)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	engine.Allow(nil)
	_, err = l.Generations.Retry(t.Context(), id, nil)
	require.NoError(t, err)
	require.Len(t, l.Becomes(id, backend.StatusComplete).Chunks, stored.Total)
	require.Greater(t, engine.Total(), 2*made, "all of it is made")
}
