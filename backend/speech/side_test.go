package speech_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// meeting holds up the chunks that are spoken until some are spoken at once.
type meeting struct {
	width int64
	full  chan struct{}
	fill  func()
}

func newMeeting(width int64) meeting {
	full := make(chan struct{})
	return meeting{width, full, sync.OnceFunc(func() { close(full) })}
}

// join waits for the others; running counts this one. Who waits in vain goes on, and the test sees that they never met.
func (m meeting) join(running int64) {
	if running == m.width {
		m.fill()
	}
	late := time.NewTimer(waitLimit)
	defer late.Stop()
	select {
	case <-m.full:
	case <-late.C:
	}
}

// TestSideBySide speaks the chunks of a long text at once where the store says that this is faster, with the same result.
func TestSideBySide(t *testing.T) {
	var now, most atomic.Int64
	meet := newMeeting(1)
	f := fixture(enginetest.FixtureOptions{})
	l := newLab(t, hooked{f, func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
		running := now.Add(1)
		for top := most.Load(); running > top && !most.CompareAndSwap(top, running); top = most.Load() {
		}
		defer now.Add(-1)
		meet.join(running)
		time.Sleep(time.Duration(u.Seed%5) * time.Millisecond) // so that they end in another order
		return f.Speak(ctx, u, emit)
	}})
	r := l.request(strings.Repeat(threeSentences+" ", 15))
	r.MaxChunkChars, r.Seed = new(60), new(int64(5))
	require.NoError(t, l.db.SetPace(t.Context(), builtIn, 8, 1, 100))
	require.NoError(t, l.db.SetPace(t.Context(), builtIn, 8, 2, 90))
	one := l.speak(r)
	require.EqualValues(t, 1, most.Load(), "two at once were slower")
	for width, rate := range map[int]float64{2: 200, 4: 400, 8: 404} {
		require.NoError(t, l.db.SetPace(t.Context(), builtIn, 8, width, rate))
	}
	meet = newMeeting(4)
	four := l.speak(r)
	require.EqualValues(t, 4, most.Load(), "eight bring little more than four")
	require.Equal(t, one.Receipt.AudioSHA256, four.Receipt.AudioSHA256)
	require.Equal(t, one.Chunks, four.Chunks)
}

// TestPaceIsMeasured keeps what the chunks of real work took, one after another and side by side.
func TestPaceIsMeasured(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{Delay: time.Millisecond}))
	r := l.request(strings.Repeat("Here is a sentence of forty characters. ", 60))
	r.MaxChunkChars = new(50)
	l.speak(r)
	rates, err := l.db.Paces(t.Context(), builtIn, 8)
	require.NoError(t, err)
	for width := 1; width <= 2; width++ {
		require.Positive(t, rates[width])
	}
}

// TestProgressTellsChunks says how many chunks are done, of how many, and how long the rest will take.
func TestProgressTellsChunks(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{Delay: time.Millisecond}))
	g := l.speak(l.inChunks())
	done := map[int]bool{}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events {
		if e.Status == backend.StatusGenerating && e.ChunksTotal > 0 {
			require.Equal(t, 3, e.ChunksTotal)
			require.NotNil(t, e.ETASeconds)
			done[e.ChunksDone] = true
		}
	}
	require.Equal(t, map[int]bool{1: true, 2: true, 3: true}, done)
	require.Zero(t, l.stored(g.ID).ChunksTotal, "that is over")
}
