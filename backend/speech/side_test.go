package speech_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
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
	late := time.NewTimer(studiotest.WaitLimit)
	defer late.Stop()
	select {
	case <-m.full:
	case <-late.C:
	}
}

// callers is an engine that takes so many callers.
type callers struct {
	studiotest.Engine
	highest *int
}

func (c callers) Info() engines.Info {
	info := c.Engine.Info()
	info.Concurrency = *c.highest
	return info
}

// TestSideBySide speaks as many sentences of a text at once as fill the machine, from the first one that a store has seen on,
// with the same result as one after another.
func TestSideBySide(t *testing.T) {
	var now, highest atomic.Int64
	meet, width := newMeeting(1), 1
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	l := studiotest.New(t, callers{studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		running := now.Add(1)
		for top := highest.Load(); running > top && !highest.CompareAndSwap(top, running); top = highest.Load() {
		}
		defer now.Add(-1)
		meet.join(running)
		time.Sleep(time.Duration(u.Seed%5) * time.Millisecond) // so that they end in another order
		return f.Speak(ctx, u, emit)
	}}, &width})
	r := l.Request("First one. " + strings.Repeat("Here is a short one. ", 15)) // two chunks
	r.Seed = new(int64(5))
	one := l.Speak(r)
	require.EqualValues(t, 1, highest.Load())
	require.Equal(t, 1, one.Receipt.Workers)
	meet, width = newMeeting(4), 4
	four := l.Speak(r)
	require.EqualValues(t, 4, highest.Load())
	require.Equal(t, 4, four.Receipt.Workers)
	require.Len(t, four.Chunks, 2)
	require.Equal(t, one.Receipt.AudioSHA256, four.Receipt.AudioSHA256)
	require.Equal(t, one.Chunks, four.Chunks)
}

// TestLongSentenceHoldsNobodyUp goes on with the sentences behind a long one while that is spoken.
func TestLongSentenceHoldsNobodyUp(t *testing.T) {
	const ahead = 12 // of four callers
	var others atomic.Int64
	enough := make(chan struct{})
	width := 4
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	l := studiotest.New(t, callers{studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		if !strings.HasPrefix(u.Text, "Long") {
			if others.Add(1) == ahead {
				close(enough)
			}
			return f.Speak(ctx, u, emit)
		}
		late := time.NewTimer(studiotest.WaitLimit)
		defer late.Stop()
		select {
		case <-enough:
			return f.Speak(ctx, u, emit)
		case <-late.C:
			return errors.New("the other sentences wait for the long one")
		}
	}}, &width})
	l.Speak(l.Request("Long one. " + strings.Repeat("Here is a short one. ", 40)))
}

// TestMemoryBoundsWorkers speaks less side by side where the memory is short.
func TestMemoryBoundsWorkers(t *testing.T) {
	for _, tt := range []struct {
		name        string
		total, free int64
		known       bool
		want        int
	}{
		{"enough", 16e9, 12e9, true, 8},
		{"room for two more", 10e9, 3.6e9, true, 3},
		{"none to spare", 10e9, 1e9, true, 1},
		{"not known", 0, 0, false, 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
				l.Options.Memory = func() (int64, int64, bool) { return tt.total, tt.free, tt.known }
				l.Models.Memory = 1e9
			})
			require.Equal(t, tt.want, l.Speak(l.InChunks()).Receipt.Workers)
		})
	}
}

// TestProgressCountsChunks says how many chunks are done, of how many, and how long the rest will take.
func TestProgressCountsChunks(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{Delay: time.Millisecond}))
	g := l.Speak(l.InChunks())
	done := map[int]bool{}
	for _, e := range l.Events() {
		if e.Status == backend.StatusGenerating && e.ChunksTotal > 0 {
			require.Equal(t, 3, e.ChunksTotal)
			require.NotNil(t, e.ETASeconds)
			done[e.ChunksDone] = true
		}
	}
	require.Equal(t, map[int]bool{1: true, 2: true, 3: true}, done)
	require.Zero(t, l.Stored(g.ID).ChunksTotal, "that is over")
}

// TestManySentencesNeedLittleMemory holds no buffers for sentences whose turn is far away.
func TestManySentencesNeedLittleMemory(t *testing.T) {
	var before, within runtime.MemStats
	var first sync.Once
	l := studiotest.New(t, studiotest.Engine{Fixture: enginetest.NewFixture(enginetest.FixtureOptions{}), SpeakFunc: func(context.Context, engines.Utterance, func(audio.Buffer) error) error {
		first.Do(func() {
			runtime.GC()
			runtime.ReadMemStats(&within)
		})
		return errors.New("that is enough")
	}})
	r := l.Request(strings.Repeat("No! ", 40_000))
	runtime.GC()
	runtime.ReadMemStats(&before)
	_, err := l.Generations.Generate(t.Context(), r)
	require.Error(t, err)
	grown := int64(within.HeapAlloc) - int64(before.HeapAlloc)
	t.Logf("%.1f MB for 40,000 sentences", float64(grown)/1e6)
	require.Less(t, grown, int64(60e6))
}
