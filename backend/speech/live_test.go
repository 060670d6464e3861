package speech_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

const firstSentence = "The first sentence has some words."

// waitsAfter is an engine that speaks firstSentence at once, and others when it is opened.
func waitsAfter(then error) (h hooked, open func()) {
	gate := make(chan struct{})
	f := fixture(enginetest.FixtureOptions{})
	return hooked{f, func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
		if u.Text == firstSentence {
			return f.Speak(ctx, u, emit)
		}
		select {
		case <-gate:
		case <-ctx.Done():
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		if then != nil {
			return then
		}
		return f.Speak(ctx, u, emit)
	}}, sync.OnceFunc(func() { close(gate) })
}

// received is what one listener got.
type received struct {
	pcm []byte
	err error
}

// listen follows a generation from its first sentence on, and sends what it got when it ends.
func (l *lab) listen(ctx context.Context, id string, from, limit float64) <-chan received {
	l.t.Helper()
	live, err := l.service.Generations.Live(ctx, id, from, limit)
	require.NoError(l.t, err)
	out := make(chan received, 1)
	go func() {
		var got bytes.Buffer
		err := live.WriteTo(ctx, &got)
		out <- received{got.Bytes(), errors.Join(err, live.Close())}
	}()
	return out
}

func pcmOf(t *testing.T, g backend.Generation) []byte {
	t.Helper()
	file, err := os.ReadFile(g.AudioPath)
	require.NoError(t, err)
	return file[44:]
}

func TestLiveIsTheStoredAudio(t *testing.T) {
	t.Parallel()
	engine, open := waitsAfter(nil)
	l := newLab(t, engine)
	r := l.request(threeSentences)
	r.Normalize = new(false)
	g, err := l.service.Generations.Submit(t.Context(), r)
	require.NoError(t, err)
	early := l.listen(t.Context(), g.ID, 0, 0)
	later := l.listen(t.Context(), g.ID, 1.25, 0)
	part := <-l.listen(t.Context(), g.ID, 0.5, 0.25)
	require.NoError(t, part.err, "a part ends as soon as it is there")
	require.Len(t, part.pcm, 24000/4*2)
	open()
	g = l.becomes(g.ID, backend.StatusComplete)
	want := pcmOf(t, g)
	for from, got := range map[int]received{0: <-early, 1.25 * 48000: <-later} {
		require.NoError(t, got.err)
		require.True(t, bytes.Equal(want[from:], got.pcm), "from byte %d", from)
	}
	require.True(t, bytes.Equal(want[24000:36000], part.pcm))

	_, err = l.service.Generations.Live(t.Context(), g.ID, 0, 0)
	requireCode(t, backend.CodeNotInProgress, err)
	_, err = l.service.Generations.LivePeaks(t.Context(), g.ID, 0)
	requireCode(t, backend.CodeNotInProgress, err)
	_, err = l.service.Generations.Live(t.Context(), uuid.NewString(), 0, 0)
	requireCode(t, backend.CodeGenerationNotFound, err)
	_, err = l.service.Generations.Live(t.Context(), g.ID, math.NaN(), 0)
	requireInvalid(t, "less_than_equal", "from", err)
	l.settled(g.AudioPath)
}

// TestLiveLevel listens to levelled audio: the first of a voice has a level by its first sentence, later ones that of the file.
func TestLiveLevel(t *testing.T) {
	t.Parallel()
	first, open := waitsAfter(nil)
	second, openSecond := waitsAfter(nil)
	var isSecond atomic.Bool
	l := newLab(t, hooked{first.Fixture, func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
		if isSecond.Load() {
			return second.speak(ctx, u, emit)
		}
		return first.speak(ctx, u, emit)
	}})
	speak := func(from float64, open func()) (backend.Generation, []byte) {
		r := l.request(threeSentences)
		r.Seed = new(int64(5))
		g, err := l.service.Generations.Submit(t.Context(), r)
		require.NoError(t, err)
		<-l.listen(t.Context(), g.ID, 0, 0.5)
		all := l.listen(t.Context(), g.ID, from, 0)
		open()
		got := <-all
		require.NoError(t, got.err)
		return l.becomes(g.ID, backend.StatusComplete), got.pcm
	}
	g, unknown := speak(0, open)
	require.InDelta(t, 0, decibels(unknown, pcmOf(t, g)), 1.5)
	isSecond.Store(true)
	g, known := speak(2, openSecond)
	require.InDelta(t, 0, decibels(known, pcmOf(t, g)[2*48000:]), 0.01)
}

// decibels returns how much louder one recording is than another.
func decibels(one, other []byte) float64 {
	power := func(pcm []byte) (sum float64) {
		for i := 0; i+1 < len(pcm); i += 2 {
			x := float64(int16(binary.LittleEndian.Uint16(pcm[i:])))
			sum += x * x
		}
		return sum / float64(len(pcm))
	}
	return 10 * math.Log10(power(one)/power(other))
}

func TestLiveListenersEndWithTheGeneration(t *testing.T) {
	t.Parallel()
	for code, end := range map[backend.Code]func(*lab, string){
		backend.CodeEngineFailed: nil,
		backend.CodeCancelled: func(l *lab, id string) {
			_, err := l.service.Generations.Cancel(t.Context(), id)
			require.NoError(t, err)
		},
	} {
		engine, open := waitsAfter(backend.E(backend.CodeEngineFailed, "It broke.", "Try again."))
		l := newLab(t, engine)
		g := l.submit(threeSentences)
		one, other := l.listen(t.Context(), g.ID, 0, 0), l.listen(t.Context(), g.ID, 1, 0)
		require.NotEmpty(t, (<-l.listen(t.Context(), g.ID, 0, 0.5)).pcm)
		if end == nil {
			open()
		} else {
			end(l, g.ID)
		}
		for _, got := range []received{<-one, <-other} {
			requireCode(t, code, got.err)
			require.NotEmpty(t, got.pcm, "what there was is heard")
		}
		l.settled()
	}
}

// TestLiveListenersDoNotMatter lets one listener read nothing and another one leave: the generation completes.
func TestLiveListenersDoNotMatter(t *testing.T) {
	t.Parallel()
	engine, open := waitsAfter(nil)
	l := newLab(t, engine)
	g := l.submit(threeSentences)
	leaving, leave := context.WithCancel(t.Context())
	left := l.listen(leaving, g.ID, 0, 0)
	slow, err := l.service.Generations.Live(t.Context(), g.ID, 0, 0)
	require.NoError(t, err)
	leave()
	requireCode(t, backend.CodeCancelled, (<-left).err)
	open()
	g = l.becomes(g.ID, backend.StatusComplete)
	var got bytes.Buffer
	require.NoError(t, slow.WriteTo(t.Context(), &got))
	require.Len(t, got.Bytes(), len(pcmOf(t, g)), "the slow one gets all of it after the end")
	require.NoError(t, slow.Close())
	l.settled(g.AudioPath)
}

func TestLivePeaks(t *testing.T) {
	t.Parallel()
	engine, open := waitsAfter(nil)
	l := newLab(t, engine)
	r := l.request(threeSentences)
	r.Normalize, r.MaxChunkChars = new(false), new(50)
	g, err := l.service.Generations.Submit(t.Context(), r)
	require.NoError(t, err)
	require.NoError(t, (<-l.listen(t.Context(), g.ID, 0, 1)).err)
	var first speech.LivePeaks
	require.Eventually(t, func() bool {
		first, err = l.service.Generations.LivePeaks(t.Context(), g.ID, 0)
		return err == nil && len(first.Chunks) == 1
	}, waitLimit, waitStep)
	require.Equal(t, int(first.Seconds*speech.PeaksPerSecond), len(first.Peaks))
	remaining, err := l.service.Generations.LivePeaks(t.Context(), g.ID, 0.55)
	require.NoError(t, err)
	require.InDelta(t, 0.5, remaining.From, 1e-9)
	require.Equal(t, first.Peaks[5:], remaining.Peaks)
	open()
	g = l.becomes(g.ID, backend.StatusComplete)
	require.InDelta(t, g.Chunks[0].Start, first.Chunks[0].Start, 1e-9)
	require.InDelta(t, g.Chunks[0].End, first.Chunks[0].End, 1e-9)
	loud := readWAV(t, g.AudioPath).Peaks(int(g.Duration * speech.PeaksPerSecond))
	require.InDelta(t, loud[3].Max, first.Peaks[3].Max, 0.05)
}
