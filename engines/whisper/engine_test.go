//go:build whisper

package whisper

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/whisper/internal/cpp"
)

// fakeModel is a model whose runs find one segment, and end when the test says so, whether they are stopped or not.
type fakeModel struct {
	runs   chan *fakeRun
	closed chan struct{}
}

type fakeRun struct {
	events cpp.Events
	end    chan error
}

func newFake() (*Engine, *fakeModel) {
	m := &fakeModel{runs: make(chan *fakeRun, 10), closed: make(chan struct{})}
	return newEngine(m, engines.Info{Languages: []string{"en", "de", "jv", "no"}, Threads: 1}), m
}

func (m *fakeModel) Run(_ []float32, _ cpp.RunOptions, events cpp.Events) (string, error) {
	r := &fakeRun{events, make(chan error)}
	m.runs <- r
	events.Progress([]cpp.Segment{{Text: " One.", End: time.Second}}, 0.5)
	return "en", <-r.end
}

func (m *fakeModel) Multilingual() bool { return true }
func (m *fakeModel) Close()             { close(m.closed) }

// second is a second of silence, for models that do not listen.
var second = make([]float32, engines.TranscriberRate)

// start transcribes in the background, and returns the channel of its error.
func start(ctx context.Context, e *Engine, samples []float32, o engines.TranscribeOptions, emit func(backend.Segment) error) <-chan error {
	ended := make(chan error, 1)
	go func() {
		_, err := e.Transcribe(ctx, samples, o, emit)
		ended <- err
	}()
	return ended
}

func ignore(backend.Segment) error { return nil }

// TestCancelledRunIsLetGo cancels a run that does not end: Transcribe returns at once, nothing begins on the model before the run
// ended, who waits is told so once, and Close waits too.
func TestCancelledRunIsLetGo(t *testing.T) {
	e, m := newFake()
	ctx, cancel := context.WithCancel(t.Context())
	first := start(ctx, e, second, engines.TranscribeOptions{}, func(backend.Segment) error { cancel(); return nil })
	abandoned := <-m.runs
	require.ErrorIs(t, <-first, backend.ErrCancelled)
	require.True(t, abandoned.events.Stopped())

	waiting := make(chan string, 10)
	next := start(t.Context(), e, second, engines.TranscribeOptions{Waiting: func() { waiting <- "next" }}, ignore)
	require.Equal(t, "next", <-waiting)
	impatient, leave := context.WithCancel(t.Context())
	third := start(impatient, e, second, engines.TranscribeOptions{Waiting: func() { waiting <- "third" }}, ignore)
	require.Equal(t, "third", <-waiting)
	leave()
	require.ErrorIs(t, <-third, backend.ErrCancelled)
	require.Empty(t, m.runs, "a run began beside the abandoned one")

	abandoned.end <- cpp.ErrStopped
	(<-m.runs).end <- nil
	require.NoError(t, <-next)
	require.Empty(t, waiting)

	last := start(t.Context(), e, second, engines.TranscribeOptions{}, ignore)
	running := <-m.runs
	closed := make(chan error, 1)
	go func() { closed <- e.Close() }()
	require.ErrorIs(t, <-last, backend.ErrCancelled)
	select {
	case <-m.closed:
		t.Fatal("the model was freed below a run")
	default:
	}
	running.end <- cpp.ErrStopped
	require.NoError(t, <-closed)
	<-m.closed
	_, err := e.Transcribe(t.Context(), second, engines.TranscribeOptions{}, ignore)
	require.ErrorIs(t, err, backend.ErrCancelled)
}

// TestCallersAreToldWhenTheRunBeforeIsLetGo waits for a run that is let go only later.
func TestCallersAreToldWhenTheRunBeforeIsLetGo(t *testing.T) {
	e, m := newFake()
	ctx, cancel := context.WithCancel(t.Context())
	first := start(ctx, e, second, engines.TranscribeOptions{}, ignore)
	running := <-m.runs
	waiting := make(chan struct{}, 1)
	next := start(t.Context(), e, second, engines.TranscribeOptions{Waiting: func() { waiting <- struct{}{} }}, ignore)
	cancel()
	require.ErrorIs(t, <-first, backend.ErrCancelled)
	<-waiting
	running.end <- cpp.ErrStopped
	(<-m.runs).end <- nil
	require.NoError(t, <-next)
	require.NoError(t, e.Close())
}

func TestErrorsOfRuns(t *testing.T) {
	refused := errors.New("the disk is full")
	for name, c := range map[string]struct {
		emit func(backend.Segment) error
		end  error // of the library; nil where emit ends the run
		code backend.Code
		is   error
	}{
		"out of memory": {ignore, cpp.ErrOutOfMemory, backend.CodeOutOfMemory, cpp.ErrOutOfMemory},
		"the library":   {ignore, cpp.ErrFailed, backend.CodeEngineFailed, cpp.ErrFailed},
		"emit":          {func(backend.Segment) error { return refused }, nil, backend.CodeInternal, refused},
		"a panic":       {func(backend.Segment) error { panic("emit") }, nil, backend.CodeEngineFailed, nil},
		"a coded error": {func(backend.Segment) error { return backend.E(backend.CodeInsufficientDisk, "Full.", "") }, nil, backend.CodeInsufficientDisk, nil},
	} {
		e, m := newFake()
		ended := start(t.Context(), e, second, engines.TranscribeOptions{}, c.emit)
		run := <-m.runs
		if c.end != nil {
			run.end <- c.end
		}
		err := <-ended // after an error of emit without waiting for the run
		if c.end == nil {
			run.end <- cpp.ErrStopped
		}
		require.Equal(t, c.code, backend.CodeOf(err), name)
		if c.is != nil {
			require.ErrorIs(t, err, c.is, name)
		}
		require.NoError(t, e.Close())
	}
}

func TestBadInput(t *testing.T) {
	e, m := newFake()
	defer func() { require.NoError(t, e.Close()) }()
	for _, samples := range [][]float32{nil, {}, make([]float32, minSamples/2), make([]float32, minSamples-1)} {
		language, err := e.Transcribe(t.Context(), samples, engines.TranscribeOptions{Language: "de"}, ignore)
		require.NoError(t, err)
		require.Equal(t, "de", language)
	}
	for _, wrong := range []float64{math.NaN(), math.Inf(1)} {
		samples := append(make([]float32, minSamples), float32(wrong))
		_, err := e.Transcribe(t.Context(), samples, engines.TranscribeOptions{}, ignore)
		backendtest.RequireCode(t, backend.CodeEngineFailed, err)
	}
	for _, language := range []string{"xx", "fr", "auto", "not a tag"} {
		_, err := e.Transcribe(t.Context(), second, engines.TranscribeOptions{Language: language}, ignore)
		require.Contains(t, backendtest.Failure(t, backend.CodeLanguageNotSupported, err).Detail, language)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := e.Transcribe(ended, second, engines.TranscribeOptions{}, ignore)
	require.ErrorIs(t, err, backend.ErrCancelled)
	require.Empty(t, m.runs)
}

func TestEnglishOnlyModel(t *testing.T) {
	k := readKit(t)
	e := openModel(t, "ggml-english-only.en.bin")
	require.Equal(t, []string{"en"}, e.Info().Languages)
	for _, o := range []engines.TranscribeOptions{{Language: "fr"}, {Translate: true}} {
		_, err := e.Transcribe(t.Context(), second, o, ignore)
		backendtest.RequireCode(t, backend.CodeLanguageNotSupported, err)
	}
	language, segments := transcribe(t, e, k.samples(t, "jfk"), engines.TranscribeOptions{Language: "en-GB"})
	require.Equal(t, "en", language)
	require.Len(t, segments, 1)
}

// TestRunsAtOnce starts three runs on one model: each gets its own text.
func TestRunsAtOnce(t *testing.T) {
	e := openModel(t, "ggml-tones.bin")
	var runs sync.WaitGroup
	for word, hz := range map[string]float64{"low": 300, "mid": 1000, "high": 3000} {
		runs.Go(func() {
			text := ""
			_, err := e.Transcribe(t.Context(), tone(hz, 10), engines.TranscribeOptions{}, func(s backend.Segment) error {
				text += s.Text
				return nil
			})
			if err != nil || text != " First "+word+" then "+word+"." {
				t.Errorf("%s: %q, %v", word, text, err)
			}
		})
	}
	runs.Wait()
}

// TestCancelAtEveryStage cancels a run of the library after each step that it reports; the next run is as if nothing had been.
func TestCancelAtEveryStage(t *testing.T) {
	e := openModel(t, "ggml-tones.bin")
	samples := append(tone(300, 30), tone(1000, 30)...)
	for stage := range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		steps := 0
		step := func() {
			if steps == stage {
				cancel()
			}
			steps++
		}
		o := engines.TranscribeOptions{Progress: func(float64) { step() }}
		_, err := e.Transcribe(ctx, samples, o, func(backend.Segment) error { step(); return nil })
		require.ErrorIs(t, err, backend.ErrCancelled, "stage %d", stage)
		cancel()
	}
	_, segments := transcribe(t, e, tone(3000, 10), engines.TranscribeOptions{})
	require.Len(t, segments, 1)
	require.Equal(t, " First high then high.", segments[0].Text)
}

func TestProgress(t *testing.T) {
	e := openModel(t, "ggml-long.bin")
	var seen []float64
	transcribe(t, e, readKit(t).samples(t, "tones70"), engines.TranscribeOptions{Language: "en", Progress: func(p float64) { seen = append(seen, p) }})
	require.IsNonDecreasing(t, seen)
	require.Equal(t, 1.0, seen[len(seen)-1])
	require.Greater(t, len(seen), 2)
}
