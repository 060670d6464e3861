package speech_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// chunksOf is a text of n chunks, in requests with maxChunk, each of two sentences.
func chunksOf(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "This is the %s passage of the text. It has a second sentence too.\n\n", nth(i))
	}
	return b.String()
}

// nth returns a word for a number.
func nth(i int) string { return fmt.Sprintf("kolo%c%c", 'a'+i/26, 'a'+i%26) }

// errWait makes the engine wait until its context ends.
var errWait = errors.New("wait")

// madeBefore waits until a generation shows that its first n chunks are finished.
func (l *lab) madeBefore(id string, n int) {
	l.t.Helper()
	require.Eventually(l.t, func() bool {
		g, err := l.service.Generations.Generation(l.t.Context(), id)
		return err == nil && g.ChunksDone-g.ChunksBehind >= n
	}, waitLimit, waitStep)
}

// counting counts the calls of the engine by text, and fails where may does.
type counting struct {
	hooked
	mu    *sync.Mutex
	calls map[string]int
	may   func(text string) error
}

func newCounting() *counting {
	c := &counting{mu: &sync.Mutex{}, calls: map[string]int{}}
	f := fixture(enginetest.FixtureOptions{})
	c.hooked = hooked{f, func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
		c.mu.Lock()
		may := c.may
		c.mu.Unlock()
		if may != nil {
			err := may(u.Text)
			if errors.Is(err, errWait) {
				<-ctx.Done()
			} else if err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		if err := f.Speak(ctx, u, emit); err != nil {
			return err
		}
		c.mu.Lock()
		c.calls[u.Text]++
		c.mu.Unlock()
		return nil
	}}
	return c
}

func (c *counting) allow(may func(text string) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.may = may
}

// of returns how often a text was spoken.
func (c *counting) of(text string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[text]
}

// total returns how many calls were finished.
func (c *counting) total() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, k := range c.calls {
		n += k
	}
	return n
}

func (l *lab) journals() []string {
	l.t.Helper()
	paths, err := filepath.Glob(filepath.Join(l.dir, "partial", "*"))
	require.NoError(l.t, err)
	return paths
}

// failing returns an engine failure in a passage.
func failing(passage int) func(string) error {
	return func(text string) error {
		if strings.Contains(text, "the "+nth(passage)+" passage") {
			return backend.E(backend.CodeEngineFailed, "The engine broke.", "Retry it.")
		}
		return nil
	}
}

func TestRetryMakesOnlyWhatIsMissing(t *testing.T) {
	t.Parallel()
	const passages = 8 // the first sentence is a chunk of its own
	whole := newLab(t, fixture(enginetest.FixtureOptions{}))
	request := func(l *lab) generations.Request {
		r := l.request(chunksOf(passages))
		r.Seed, r.MaxChunkChars, r.CrossfadeMS = new(int64(7)), new(80), new(20)
		return r
	}
	want := whole.speak(request(whole))
	chunks := len(want.Chunks)

	engine := newCounting()
	l := newLab(t, engine)
	engine.allow(failing(5))
	g, err := l.service.Generations.Generate(t.Context(), request(l))
	requireCode(t, backend.CodeEngineFailed, err)
	require.Equal(t, backend.StatusFailed, g.Status)
	require.NotNil(t, g.Partial)
	require.GreaterOrEqual(t, g.Partial.Chunks, 4)
	require.Less(t, g.Partial.Chunks, chunks)
	require.Equal(t, chunks, g.Partial.Total)
	require.Positive(t, g.Partial.Seconds)
	require.Equal(t, g.Partial, l.stored(g.ID).Partial)

	engine.allow(nil)
	_, err = l.service.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	done := l.becomes(g.ID, backend.StatusComplete)
	require.Equal(t, want.Receipt.AudioSHA256, done.Receipt.AudioSHA256)
	require.Equal(t, want.Chunks, done.Chunks)
	require.True(t, done.Receipt.Reproducible)
	require.Nil(t, done.Partial)
	require.Equal(t, 2*passages, engine.total(), "no sentence is spoken twice: %v", engine.calls)
	require.Eventually(t, func() bool { return len(l.journals()) == 0 }, waitLimit, waitStep)
}

// stoppedAt returns a lab whose generation was stopped while passage n was to be spoken, with its engine.
func stoppedAt(t *testing.T, n int, r func(*lab) generations.Request) (*lab, *counting, backend.Generation) {
	engine := newCounting()
	l := newLab(t, engine)
	reached := make(chan struct{})
	once := sync.OnceFunc(func() { close(reached) })
	engine.allow(func(text string) error {
		if failing(n)(text) == nil {
			return nil
		}
		once()
		return errWait
	})
	g, err := l.service.Generations.Submit(t.Context(), r(l))
	require.NoError(t, err)
	<-reached
	l.madeBefore(g.ID, n-1)
	g, err = l.service.Generations.Stop(t.Context(), g.ID)
	require.NoError(t, err)
	engine.allow(nil)
	return l, engine, g
}

func passages(l *lab) generations.Request {
	r := l.request(chunksOf(8))
	r.Seed, r.MaxChunkChars = new(int64(7)), new(80)
	return r
}

func TestStopStoresTheFinishedChunks(t *testing.T) {
	t.Parallel()
	whole := newLab(t, fixture(enginetest.FixtureOptions{}))
	want := whole.speak(passages(whole))
	l, engine, g := stoppedAt(t, 4, passages)
	require.Equal(t, backend.StatusCancelled, g.Status)
	require.NotNil(t, g.Partial)
	require.Positive(t, g.Partial.Chunks)
	require.Less(t, g.Partial.Chunks, len(want.Chunks))
	require.Equal(t, len(want.Chunks), g.Partial.Total)
	require.Equal(t, g.Partial, l.stored(g.ID).Partial)
	require.Len(t, l.journals(), 1)
	storage, err := l.service.Generations.Storage(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, storage.Files)
	require.Greater(t, storage.Bytes, int64(g.Partial.Seconds*24000*4)-1)

	_, err = l.service.Generations.Stop(t.Context(), g.ID)
	requireCode(t, backend.CodeNotInProgress, err)
	require.NotNil(t, l.stored(g.ID).Partial, "a second stop changes nothing")

	made := engine.total()
	_, err = l.service.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	done := l.becomes(g.ID, backend.StatusComplete)
	require.Equal(t, want.Receipt.AudioSHA256, done.Receipt.AudioSHA256)
	require.Less(t, made, 16)
	require.Equal(t, 16, engine.total(), "no sentence is spoken twice: %v", engine.calls)
	require.Nil(t, done.Partial)
	require.Eventually(t, func() bool { return len(l.files()) == 1 }, waitLimit, waitStep, "%v", l.files())
	_, err = l.service.Generations.Retry(t.Context(), g.ID, nil)
	requireCode(t, backend.CodeNotInProgress, err)
}

// TestRetryIsHeard hears the finished chunks of an earlier run, before the next one is made.
func TestRetryIsHeard(t *testing.T) {
	t.Parallel()
	l, engine, g := stoppedAt(t, 4, passages)
	held := make(chan struct{})
	open := sync.OnceFunc(func() { close(held) })
	t.Cleanup(open)
	engine.allow(func(text string) error {
		if failing(4)(text) != nil {
			<-held
		}
		return nil
	})
	_, err := l.service.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	part := <-l.listen(t.Context(), g.ID, 1, 0.5)
	require.NoError(t, part.err)
	require.Len(t, part.pcm, 24000)
	all := l.listen(t.Context(), g.ID, 0, 0)
	open()
	got := <-all
	require.NoError(t, got.err)
	require.Len(t, got.pcm, len(pcmOf(t, l.becomes(g.ID, backend.StatusComplete))))
}

func TestCancelRemovesTheFinishedChunks(t *testing.T) {
	t.Parallel()
	l, _, g := stoppedAt(t, 4, passages)
	dropped, err := l.service.Generations.Cancel(t.Context(), g.ID)
	require.NoError(t, err)
	require.Nil(t, dropped.Partial)
	require.Equal(t, backend.StatusCancelled, l.stored(g.ID).Status)
	require.Nil(t, l.stored(g.ID).Partial)
	require.Empty(t, l.files())
	_, err = l.service.Generations.Cancel(t.Context(), g.ID)
	requireCode(t, backend.CodeNotInProgress, err)

	engine, entered, _ := gated()
	l = newLab(t, engine)
	g = l.submit(chunksOf(3))
	<-entered
	g, err = l.service.Generations.Cancel(t.Context(), g.ID)
	require.NoError(t, err)
	require.Nil(t, g.Partial)
	require.Empty(t, l.files())
}

func TestStopWhileQueued(t *testing.T) {
	t.Parallel()
	engine, entered, open := gated()
	l := newLab(t, engine)
	running := l.submit("The first one runs.")
	<-entered
	waiting := l.submit(chunksOf(3))
	g, err := l.service.Generations.Stop(t.Context(), waiting.ID)
	require.NoError(t, err)
	require.Equal(t, backend.StatusCancelled, g.Status)
	require.Nil(t, g.Partial)
	open()
	done := l.becomes(running.ID, backend.StatusComplete)
	l.settled(done.AudioPath)

	// One that waits for its second run has what the first one made.
	l, counter, g := stoppedAt(t, 4, passages)
	had := g.Partial
	gate := make(chan struct{})
	counter.allow(func(string) error { <-gate; return nil })
	l.submit("Another one runs.")
	_, err = l.service.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	g, err = l.service.Generations.Stop(t.Context(), g.ID)
	close(gate)
	require.NoError(t, err)
	require.Equal(t, had, g.Partial)
}

func TestDeleteRemovesTheFinishedChunks(t *testing.T) {
	t.Parallel()
	l, _, g := stoppedAt(t, 4, passages)
	n, err := l.service.Generations.Delete(t.Context(), []string{g.ID})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Empty(t, l.files())
}

// TestRestoredPartial is of a backup, which has no finished chunks: nothing is said to be stored, and a retry makes all of it.
func TestRestoredPartial(t *testing.T) {
	engine := newCounting()
	l := newLab(t, engine)
	engine.allow(failing(3))
	r := l.request(chunksOf(4))
	r.MaxChunkChars = new(80)
	_, err := l.service.Generations.Generate(t.Context(), r)
	id := failure(t, backend.CodeEngineFailed, err).Params["generation_id"].(string)
	stored, made := l.stored(id).Partial, engine.total()
	require.NotNil(t, stored)
	require.NoError(t, l.service.Close(t.Context()))
	l.start()
	require.Equal(t, stored, l.stored(id).Partial, "a start keeps it")

	require.NoError(t, l.service.Close(t.Context()))
	require.NoError(t, os.RemoveAll(filepath.Join(l.dir, "partial")))
	l.start()
	require.Nil(t, l.stored(id).Partial)
	_, err = l.service.Generations.Cancel(t.Context(), id)
	requireCode(t, backend.CodeNotInProgress, err)
	engine.allow(nil)
	_, err = l.service.Generations.Retry(t.Context(), id, nil)
	require.NoError(t, err)
	require.Len(t, l.becomes(id, backend.StatusComplete).Chunks, stored.Total)
	require.Greater(t, engine.total(), 2*made, "all of it is made")
}
