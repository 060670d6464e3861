package enginetest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// Suite says what to speak in the tests of one engine.
type Suite struct {
	Text     string // one short sentence that the engine can speak
	LongText string // at least ten sentences, so that there is a middle to cancel in
	Opens    int    // how often the engine is opened and closed in a row; 0 means 100
	// OneBuffer says that the engine emits a whole text at once, so cancelling in emit is too late.
	OneBuffer bool
}

// stopLimit is the time after which a cancelled Speak counts as never ending. The contract says 200 ms, which a
// benchmark can show and a test on a busy machine cannot.
const stopLimit = 30 * time.Second

// Run checks that the engine keeps the contract of engines.Speaker. open returns a new instance each time.
func Run(t *testing.T, open func(t *testing.T) engines.Speaker, s Suite) {
	t.Helper()
	if s.Opens == 0 {
		s.Opens = 100
	}
	tests := []struct {
		name string
		run  func(*testing.T, engines.Speaker, Suite)
	}{
		{"info is complete", infoComplete},
		{"every voice sounds", everyVoice},
		{"equal utterances give equal samples", reproducible},
		{"a higher speed is shorter", speeds},
		{"emit's error stops the work", emitError},
		{"cancelled before", cancelledBefore},
		{"cancelled while emitting", cancelledInEmit},
		{"cancelled at any time", cancelledAnyTime},
		{"eight callers", eightCallers},
		{"nothing to speak", nothingToSpeak},
		{"unknown voice", unknownVoice},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			speaker := open(t)
			defer func() { require.NoError(t, speaker.Close()) }()
			tt.run(t, speaker, s)
		})
	}
	t.Run("closing", func(t *testing.T) { closing(t, open(t), s) })
	t.Run("closing while speaking", func(t *testing.T) { closingWhileSpeaking(t, open(t), s) })
	t.Run("opening and closing leaves nothing behind", func(t *testing.T) { noLeaks(t, open, s) })
}

func infoComplete(t *testing.T, sp engines.Speaker, _ Suite) {
	info := sp.Info()
	require.NotEmpty(t, info.Engine)
	require.Positive(t, info.SampleRate)
	require.Positive(t, info.Channels)
	require.NotEmpty(t, info.Languages)
	require.NotEmpty(t, info.Voices)
	require.Positive(t, info.MinSpeed)
	require.LessOrEqual(t, info.MinSpeed, 1.0)
	require.GreaterOrEqual(t, info.MaxSpeed, 1.0)
	require.Positive(t, info.Concurrency)
	require.NotEmpty(t, info.Device)
	require.NotEmpty(t, info.Runtimes)
	seen := map[string]bool{}
	for _, v := range info.Voices {
		require.NotEmpty(t, v.ID)
		require.NotEmpty(t, v.Name)
		require.NotEmpty(t, v.Language)
		require.False(t, seen[v.ID], "voice %s is listed twice", v.ID)
		seen[v.ID] = true
	}
}

// everyVoice speaks with the first voices of the engine; models with hundreds of them would take too long.
func everyVoice(t *testing.T, sp engines.Speaker, s Suite) {
	for i, v := range sp.Info().Voices {
		if i == 5 {
			return
		}
		samples := say(t, sp, engines.Utterance{Text: s.Text, Voice: v.ID, Speed: 1})
		require.Greater(t, peak(samples), 0.001, "voice %s is silent", v.ID)
		require.LessOrEqual(t, peak(samples), 1.0, "voice %s is louder than full scale", v.ID)
	}
}

func reproducible(t *testing.T, sp engines.Speaker, s Suite) {
	u := engines.Utterance{Text: s.Text, Speed: 1, Seed: 7}
	first, second := say(t, sp, u), say(t, sp, u)
	if sp.Info().Reproducible {
		require.Equal(t, first, second)
	}
}

func speeds(t *testing.T, sp engines.Speaker, s Suite) {
	info := sp.Info()
	slow := say(t, sp, engines.Utterance{Text: s.Text, Speed: info.MinSpeed})
	fast := say(t, sp, engines.Utterance{Text: s.Text, Speed: info.MaxSpeed})
	if info.MaxSpeed > info.MinSpeed {
		require.Less(t, len(fast), len(slow))
	}
}

func emitError(t *testing.T, sp engines.Speaker, s Suite) {
	full := errors.New("the disk is full")
	calls := 0
	err := sp.Speak(t.Context(), engines.Utterance{Text: s.LongText, Speed: 1}, func(audio.Buffer) error {
		calls++
		return full
	})
	require.ErrorIs(t, err, full)
	require.Equal(t, 1, calls, "emit is called again after it failed")
}

func cancelledBefore(t *testing.T, sp engines.Speaker, s Suite) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := sp.Speak(ctx, engines.Utterance{Text: s.Text, Speed: 1}, func(audio.Buffer) error {
		t.Error("emit is called though the work was cancelled before")
		return nil
	})
	require.ErrorIs(t, err, backend.ErrCancelled)
}

func cancelledInEmit(t *testing.T, sp engines.Speaker, s Suite) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var at time.Time
	calls := 0
	err := sp.Speak(ctx, engines.Utterance{Text: s.LongText, Speed: 1}, func(audio.Buffer) error {
		calls++
		if calls == 1 {
			at = time.Now()
			cancel()
		}
		return nil
	})
	late := time.Since(at)
	require.Less(t, late, stopLimit)
	if err == nil && calls == 1 && s.OneBuffer {
		return
	}
	require.ErrorIs(t, err, backend.ErrCancelled)
	require.Equal(t, 1, calls, "emit is called after the work was cancelled")
}

// cancelledAnyTime cancels at moments spread over the time that the whole text takes.
func cancelledAnyTime(t *testing.T, sp engines.Speaker, s Suite) {
	u := engines.Utterance{Text: s.LongText, Speed: 1}
	start := time.Now()
	say(t, sp, u)
	whole := time.Since(start)
	for part := range 5 {
		ctx, cancel := context.WithTimeout(t.Context(), whole*time.Duration(part)/5)
		err := sp.Speak(ctx, u, func(audio.Buffer) error { return nil })
		deadline, _ := ctx.Deadline()
		late := time.Since(deadline)
		cancel()
		if err != nil {
			require.ErrorIs(t, err, backend.ErrCancelled)
			require.Less(t, late, stopLimit)
		}
	}
}

func eightCallers(t *testing.T, sp engines.Speaker, s Suite) {
	u := engines.Utterance{Text: s.Text, Speed: 1}
	want := say(t, sp, u)
	var wg sync.WaitGroup
	got, errs := make([][]float32, 8), make([]error, 8)
	for i := range got {
		wg.Go(func() { got[i], errs[i] = speak(t.Context(), sp, u) })
	}
	wg.Wait()
	for i := range got {
		require.NoError(t, errs[i])
		require.NotEmpty(t, got[i])
		if sp.Info().Reproducible {
			require.Equal(t, want, got[i], "caller %d got other samples", i)
		}
	}
}

func nothingToSpeak(t *testing.T, sp engines.Speaker, _ Suite) {
	for _, text := range []string{"", "   ", "\n\t\n", "...", "—"} {
		samples, err := speak(t.Context(), sp, engines.Utterance{Text: text, Speed: 1})
		require.Equal(t, backend.CodeNothingToSpeak, backend.CodeOf(err), "text %q", text)
		require.Empty(t, samples)
	}
}

func unknownVoice(t *testing.T, sp engines.Speaker, s Suite) {
	samples, err := speak(t.Context(), sp, engines.Utterance{Text: s.Text, Voice: "no such voice", Speed: 1})
	require.Error(t, err)
	require.NotEqual(t, backend.CodeInternal, backend.CodeOf(err), "the user gets no reason: %v", err)
	require.Empty(t, samples)
}

func closing(t *testing.T, sp engines.Speaker, s Suite) {
	require.NoError(t, sp.Close())
	require.NoError(t, sp.Close(), "closing again is an error")
	// An engine without anything to close may still speak; none may crash.
	samples, err := speak(t.Context(), sp, engines.Utterance{Text: s.Text, Speed: 1})
	if err == nil {
		require.NotEmpty(t, samples)
	}
	require.NotEqual(t, backend.CodeInternal, backend.CodeOf(err), "the user gets no reason: %v", err)
}

// closingWhileSpeaking closes an engine that is in the middle of a text, which may be spoken to its end or be cancelled.
func closingWhileSpeaking(t *testing.T, sp engines.Speaker, s Suite) {
	begun, ended := make(chan struct{}), make(chan error, 1)
	begin := sync.OnceFunc(func() { close(begun) })
	go func() {
		ended <- sp.Speak(t.Context(), engines.Utterance{Text: s.LongText, Speed: 1}, func(audio.Buffer) error {
			begin()
			return nil
		})
	}()
	<-begun
	require.NoError(t, sp.Close())
	if err := <-ended; err != nil {
		require.ErrorIs(t, err, backend.ErrCancelled)
	}
}

// say returns the samples of an utterance and checks every emitted buffer.
func say(t *testing.T, sp engines.Speaker, u engines.Utterance) []float32 {
	t.Helper()
	samples, err := speak(t.Context(), sp, u)
	require.NoError(t, err)
	require.NotEmpty(t, samples)
	return samples
}

func speak(ctx context.Context, sp engines.Speaker, u engines.Utterance) ([]float32, error) {
	var samples []float32
	info := sp.Info()
	err := sp.Speak(ctx, u, func(b audio.Buffer) error {
		if b.Rate != info.SampleRate || b.Channels != info.Channels || len(b.Samples)%b.Channels != 0 {
			return errors.New("the buffer has another rate or another number of channels than Info says")
		}
		samples = append(samples, b.Samples...)
		return nil
	})
	return samples, err
}

func peak(samples []float32) float64 {
	top := float32(0)
	for _, v := range samples {
		top = max(top, v, -v)
	}
	return float64(top)
}
