package generations_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

const firstSentence = "The first sentence has some words."

// waitsAfter is an engine that speaks firstSentence at once, and others when it is opened.
func waitsAfter(then error) (h studiotest.Engine, open func()) {
	gate := make(chan struct{})
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	return studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
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

func TestLiveIsTheStoredAudio(t *testing.T) {
	t.Parallel()
	engine, open := waitsAfter(nil)
	l := studiotest.New(t, engine)
	r := l.Request(studiotest.ThreeSentences)
	r.Normalize = new(false)
	g, err := l.Generations.Submit(t.Context(), r)
	require.NoError(t, err)
	early := l.Listen(t.Context(), g.ID, 0, 0)
	later := l.Listen(t.Context(), g.ID, 1.25, 0)
	part := <-l.Listen(t.Context(), g.ID, 0.5, 0.25)
	require.NoError(t, part.Err, "a part ends as soon as it is there")
	require.Len(t, part.PCM, 24000/4*2)
	open()
	g = l.Becomes(g.ID, backend.StatusComplete)
	want := studiotest.PCM(t, g)
	for from, got := range map[int]studiotest.Received{0: <-early, 1.25 * 48000: <-later} {
		require.NoError(t, got.Err)
		require.True(t, bytes.Equal(want[from:], got.PCM), "from byte %d", from)
	}
	require.True(t, bytes.Equal(want[24000:36000], part.PCM))

	_, err = l.Generations.Player.Live(t.Context(), g.ID, 0, 0)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	_, err = l.Generations.Player.LivePeaks(t.Context(), g.ID, 0)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	_, err = l.Generations.Player.Live(t.Context(), uuid.NewString(), 0, 0)
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err)
	_, err = l.Generations.Player.Live(t.Context(), g.ID, math.NaN(), 0)
	backendtest.RequireInvalid(t, "less_than_equal", "from", err)
	l.Settled(g.AudioPath)
}

// TestLiveLevel listens to levelled audio: the first of a voice has a level by its first sentence, later ones that of the file.
func TestLiveLevel(t *testing.T) {
	t.Parallel()
	first, open := waitsAfter(nil)
	second, openSecond := waitsAfter(nil)
	var isSecond atomic.Bool
	l := studiotest.New(t, studiotest.Engine{Fixture: first.Fixture, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		if isSecond.Load() {
			return second.SpeakFunc(ctx, u, emit)
		}
		return first.SpeakFunc(ctx, u, emit)
	}})
	speak := func(from float64, open func()) (backend.Generation, []byte) {
		r := l.Request(studiotest.ThreeSentences)
		r.Seed = new(int64(5))
		g, err := l.Generations.Submit(t.Context(), r)
		require.NoError(t, err)
		<-l.Listen(t.Context(), g.ID, 0, 0.5)
		all := l.Listen(t.Context(), g.ID, from, 0)
		open()
		got := <-all
		require.NoError(t, got.Err)
		return l.Becomes(g.ID, backend.StatusComplete), got.PCM
	}
	g, unknown := speak(0, open)
	require.InDelta(t, 0, decibels(unknown, studiotest.PCM(t, g)), 1.5)
	isSecond.Store(true)
	g, known := speak(2, openSecond)
	require.InDelta(t, 0, decibels(known, studiotest.PCM(t, g)[2*48000:]), 0.01)
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
	for code, end := range map[backend.Code]func(*studiotest.Lab, string){
		backend.CodeEngineFailed: nil,
		backend.CodeCancelled: func(l *studiotest.Lab, id string) {
			_, err := l.Generations.Cancel(t.Context(), id)
			require.NoError(t, err)
		},
	} {
		engine, open := waitsAfter(backend.E(backend.CodeEngineFailed, "It broke.", "Try again."))
		l := studiotest.New(t, engine)
		g := l.Submit(studiotest.ThreeSentences)
		one, other := l.Listen(t.Context(), g.ID, 0, 0), l.Listen(t.Context(), g.ID, 1, 0)
		require.NotEmpty(t, (<-l.Listen(t.Context(), g.ID, 0, 0.5)).PCM)
		if end == nil {
			open()
		} else {
			end(l, g.ID)
		}
		for _, got := range []studiotest.Received{<-one, <-other} {
			backendtest.RequireCode(t, code, got.Err)
			require.NotEmpty(t, got.PCM, "what there was is heard")
		}
		l.Settled()
	}
}

// TestLiveListenersDoNotMatter lets one listener read nothing and another one leave: the generation completes.
func TestLiveListenersDoNotMatter(t *testing.T) {
	t.Parallel()
	engine, open := waitsAfter(nil)
	l := studiotest.New(t, engine)
	g := l.Submit(studiotest.ThreeSentences)
	leaving, leave := context.WithCancel(t.Context())
	left := l.Listen(leaving, g.ID, 0, 0)
	slow, err := l.Generations.Player.Live(t.Context(), g.ID, 0, 0)
	require.NoError(t, err)
	leave()
	backendtest.RequireCode(t, backend.CodeCancelled, (<-left).Err)
	open()
	g = l.Becomes(g.ID, backend.StatusComplete)
	var got bytes.Buffer
	require.NoError(t, slow.WriteTo(t.Context(), &got))
	require.Len(t, got.Bytes(), len(studiotest.PCM(t, g)), "the slow one gets all of it after the end")
	require.NoError(t, slow.Close())
	l.Settled(g.AudioPath)
}

func TestLivePeaks(t *testing.T) {
	t.Parallel()
	engine, open := waitsAfter(nil)
	l := studiotest.New(t, engine)
	r := l.Request(studiotest.ThreeSentences)
	r.Normalize, r.MaxChunkChars = new(false), new(50)
	g, err := l.Generations.Submit(t.Context(), r)
	require.NoError(t, err)
	require.NoError(t, (<-l.Listen(t.Context(), g.ID, 0, 1)).Err)
	var first speech.LivePeaks
	require.Eventually(t, func() bool {
		first, err = l.Generations.Player.LivePeaks(t.Context(), g.ID, 0)
		return err == nil && len(first.Chunks) == 1
	}, studiotest.WaitLimit, studiotest.WaitStep)
	require.Equal(t, int(first.Seconds*speech.PeaksPerSecond), len(first.Peaks))
	remaining, err := l.Generations.Player.LivePeaks(t.Context(), g.ID, 0.55)
	require.NoError(t, err)
	require.InDelta(t, 0.5, remaining.From, 1e-9)
	require.Equal(t, first.Peaks[5:], remaining.Peaks)
	open()
	g = l.Becomes(g.ID, backend.StatusComplete)
	require.InDelta(t, g.Chunks[0].Start, first.Chunks[0].Start, 1e-9)
	require.InDelta(t, g.Chunks[0].End, first.Chunks[0].End, 1e-9)
	loud := studiotest.ReadWAV(t, g.AudioPath).Peaks(int(g.Duration * speech.PeaksPerSecond))
	require.InDelta(t, loud[3].Max, first.Peaks[3].Max, 0.05)
}
