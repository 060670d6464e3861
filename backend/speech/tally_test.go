package speech_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestOneCountOfFinishedPassages shows one count while passages are finished out of order, after a stop, and from the first
// answer of a retry on.
func TestOneCountOfFinishedPassages(t *testing.T) {
	t.Parallel()
	const held, count = 3, 12
	width := 4
	var mu sync.Mutex
	isHeld := true
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	l := studiotest.New(t, callers{studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		mu.Lock()
		wait := isHeld && strings.Contains(u.Text, "the "+studiotest.Word(held)+" passage")
		mu.Unlock()
		if wait {
			<-ctx.Done()
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		return f.Speak(ctx, u, emit)
	}}, &width})
	r := l.Request(studiotest.Passages(count))
	r.MaxChunkChars = new(80)
	g, err := l.Generations.Submit(t.Context(), r)
	require.NoError(t, err)
	running := func() backend.Generation {
		now, err := l.Generations.Generation(t.Context(), g.ID)
		require.NoError(t, err)
		return now
	}
	require.Eventually(t, func() bool {
		now := running()
		return now.ChunksBehind >= 4 && now.ChunksDone-now.ChunksBehind >= held // the rest before it are finished
	}, studiotest.WaitLimit, studiotest.WaitStep)
	before := running()

	g, err = l.Generations.Stop(t.Context(), g.ID)
	require.NoError(t, err)
	require.NotNil(t, g.Partial)
	require.GreaterOrEqual(t, g.Partial.Chunks, before.ChunksDone)
	require.GreaterOrEqual(t, g.Partial.Behind, 4)
	require.Equal(t, g.Partial, l.Stored(g.ID).Partial)

	earlier := len(l.Events())
	mu.Lock()
	isHeld = false
	mu.Unlock()
	again, err := l.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	require.GreaterOrEqual(t, again.ChunksDone, g.Partial.Chunks)
	require.Equal(t, g.Partial.Total, again.ChunksTotal)
	l.Becomes(g.ID, backend.StatusComplete)
	last := g.Partial.Chunks
	for _, e := range l.Events()[earlier:] {
		if e.Status == backend.StatusComplete { // of one that is complete its chunks are counted
			continue
		}
		require.GreaterOrEqual(t, e.ChunksDone, last, "the count never runs backwards, while %s", e.Status)
		last = e.ChunksDone
	}
	require.Len(t, l.Stored(g.ID).Chunks, g.Partial.Total)
}
