//go:build whisper

package whisper

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/whisper/internal/cpp"
)

// scripted is a model that hears the same phrases in each second of an audio, whose samples are the number of the second, and fails before
// one of them if there is an error.
type scripted struct {
	words    []string // of the seconds; an empty one is silence
	err      error
	breaksAt int // word
	closed   bool
	asked    cpp.RunOptions // of the last run
}

func (m *scripted) Run(samples []float32, o cpp.RunOptions, events cpp.Events) (string, error) {
	m.asked = o
	seconds := len(samples) / engines.TranscriberRate
	for i := range seconds {
		word := int(samples[i*engines.TranscriberRate])
		if m.err != nil && word == m.breaksAt {
			return "de", m.err
		}
		var found []cpp.Segment
		if m.words[word] != "" {
			found = []cpp.Segment{phrase(m.words[word], i, i+1)}
			found[0].Tokens = []cpp.Token{{ID: word + 1}}
		}
		events.Progress(found, float64(100*(i+1)/seconds)/100)
	}
	if m.breaksAt == len(m.words) {
		return "de", m.err
	}
	return "de", nil
}

// counting returns seconds of samples, each with its number.
func counting(seconds int) []float32 {
	samples := make([]float32, seconds*engines.TranscriberRate)
	for i := range samples {
		samples[i] = float32(i / engines.TranscriberRate)
	}
	return samples
}

func (m *scripted) Multilingual() bool { return true }
func (m *scripted) Close()             { m.closed = true }

func phrase(text string, from, to int) cpp.Segment {
	return cpp.Segment{Text: text, Start: time.Duration(from) * time.Second, End: time.Duration(to) * time.Second}
}

// onTwo opens a model that is one on the GPU and another one on the CPU.
func onTwo(t *testing.T, place *engines.Placement, onGPU, onCPU model) *movable {
	t.Helper()
	m, err := openPlaced(place, 0, func(gpu int) (model, error) {
		if gpu < 0 {
			return onCPU, nil
		}
		return onGPU, nil
	})
	require.NoError(t, err)
	both, ok := m.(*movable)
	require.True(t, ok)
	return both
}

var errGPU = errors.New("CUDA error: an illegal memory access")

// A run that fails on the GPU goes on on the CPU after what was found, and all later ones begin there.
func TestRunThatFailsOnTheGPU(t *testing.T) {
	words := []string{" One.", " Two.", "", " Four.", " Five.", " Six.", " Seven.", " Eight.", " Nine.", " Ten."}
	for at, before := range [][]int32{nil, {1}, {1, 2}, {1, 2}, {1, 2, 4}, nil} { // at the end the text before is forgotten
		onGPU, onCPU := &scripted{words: words, err: errGPU, breaksAt: at}, &scripted{words: words}
		var told []*backend.Error
		place := engines.NewPlacement("cuda:0", func(why *backend.Error) { told = append(told, why) })
		e := newEngine(onTwo(t, place, onGPU, onCPU), engines.Info{Languages: []string{"en"}, Threads: 1, Placement: place, Reproducible: true})
		require.Equal(t, "cuda:0", e.Info().Device)
		require.False(t, e.Info().Reproducible)
		for _, again := range []bool{false, true} {
			text, done := "", 0.0
			o := engines.TranscribeOptions{Prompt: "names", Progress: func(p float64) { require.GreaterOrEqual(t, p, done); done = p }}
			language, err := e.Transcribe(t.Context(), counting(len(words)), o, func(s backend.Segment) error {
				require.Equal(t, words[int(s.Start)], s.Text)
				require.Equal(t, s.Start+1, s.End)
				text += s.Text
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, "de", language)
			require.Equal(t, strings.Join(words, ""), text)
			require.Equal(t, 1.0, done)
			if !again {
				require.Equal(t, before, onCPU.asked.Before)
				require.Equal(t, at < 5, onCPU.asked.Prompt == "names")
				require.Equal(t, "de", onCPU.asked.Language, "the rest is in the language of the beginning")
			}
		}
		require.Equal(t, "cpu", e.Info().Device)
		require.True(t, onGPU.closed, "its memory is free")
		require.Len(t, told, 1)
		require.Equal(t, engines.GPURun, told[0].Params["reason"])
		require.NoError(t, e.Close())
		require.True(t, onCPU.closed)
	}
}

// breaking is a model whose runs end after some steps of the library, as if a GPU had failed.
type breaking struct {
	model
	steps int
}

func (m breaking) Run(samples []float32, o cpp.RunOptions, events cpp.Events) (string, error) {
	steps, broken := 0, events
	broken.Stopped = func() bool { return steps > m.steps }
	broken.Progress = func(segments []cpp.Segment, done float64) {
		if steps++; steps <= m.steps {
			events.Progress(segments, done)
		}
	}
	language, err := m.model.Run(samples, o, broken)
	if errors.Is(err, cpp.ErrStopped) {
		err = errGPU
	}
	return language, err
}

// Wherever the library breaks, the segments are those of a whole run, with their times and the times of their words.
func TestRunOfTheLibraryThatFailsOnTheGPU(t *testing.T) {
	k := readKit(t)
	samples := k.samples(t, "tones70")
	path := k.model(t, "ggml-tones.bin")
	_, want := transcribe(t, openFile(t, path), samples, engines.TranscribeOptions{Words: true})
	for _, steps := range []int{2, 3} { // after the first and the second window of 30 s
		load := func() model {
			m, err := cpp.Open(path, cpp.Options{GPU: -1})
			require.NoError(t, err)
			return m
		}
		place := engines.NewPlacement("cuda:0", nil)
		e := newEngine(onTwo(t, place, breaking{load(), steps}, load()), engines.Info{Threads: 1, Placement: place})
		_, got := transcribe(t, e, samples, engines.TranscribeOptions{Words: true})
		require.Equal(t, "cpu", place.Device())
		require.Equal(t, heard(want), heard(got), "broken after step %d", steps)
		require.NoError(t, e.Close())
	}
}

// heard returns segments and their words as lines.
func heard(segments []backend.Segment) []string {
	var out []string
	for _, s := range segments {
		out = append(out, line(s.Start, s.End, s.Text))
		for _, w := range s.Words {
			out = append(out, line(w.Start, w.End, w.Word))
		}
	}
	return out
}

// Where nothing is left to hear, the CPU has no run: the library refuses less than 100 ms.
func TestRunThatFailsOnTheGPUAtTheEnd(t *testing.T) {
	words := []string{" One.", " Two."}
	onCPU := &scripted{words: words}
	m := onTwo(t, engines.NewPlacement("cuda:0", nil), &scripted{words: words, err: errGPU, breaksAt: 2}, onCPU)
	var done float64
	language, err := m.Run(append(counting(2), 2), cpp.RunOptions{}, cpp.Events{
		Stopped:  func() bool { return false },
		Progress: func(_ []cpp.Segment, share float64) { done = share },
	})
	require.NoError(t, err)
	require.Equal(t, "de", language)
	require.Equal(t, 1.0, done)
	require.Empty(t, onCPU.asked.Language)
}

// A model whose file cannot be loaded a second time says what failed, and not that the file, which was loaded before, is damaged.
func TestRunThatFailsOnTheGPUWithoutTheFile(t *testing.T) {
	m, err := openPlaced(engines.NewPlacement("cuda:0", nil), 0, func(gpu int) (model, error) {
		if gpu < 0 {
			return nil, loadError("x.bin", errors.New("too many open files"))
		}
		return &scripted{err: errGPU}, nil
	})
	require.NoError(t, err)
	_, err = m.Run(counting(1), cpp.RunOptions{}, cpp.Events{Stopped: func() bool { return false }})
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
	require.ErrorContains(t, err, "A run on cuda:0 failed, and the model could not be loaded on the CPU: too many open files.")
}

// A model that does not fit into the memory beside the GPU stays where it is, and moves to the CPU at a later run.
func TestRunThatFailsOnTheGPUWithoutMemory(t *testing.T) {
	onGPU := &scripted{err: errGPU}
	onCPU := &scripted{words: []string{" One."}}
	full := loadError("x.bin", cpp.ErrOutOfMemory)
	place := engines.NewPlacement("cuda:0", nil)
	m, err := openPlaced(place, 0, func(gpu int) (model, error) {
		switch {
		case gpu >= 0:
			return onGPU, nil
		case full != nil:
			return nil, full
		}
		return onCPU, nil
	})
	require.NoError(t, err)
	events := cpp.Events{Stopped: func() bool { return false }, Progress: func([]cpp.Segment, float64) {}}
	_, err = m.Run(counting(1), cpp.RunOptions{}, events)
	require.Equal(t, backend.CodeOutOfMemory, backend.CodeOf(err))
	require.False(t, onGPU.closed)
	full = nil
	language, err := m.Run(counting(1), cpp.RunOptions{}, events)
	require.NoError(t, err)
	require.Equal(t, "de", language)
	require.Equal(t, "cpu", place.Device())
}

func TestModelThatDoesNotLoadOnTheGPU(t *testing.T) {
	place := engines.NewPlacement("cuda:0", nil)
	m, err := openPlaced(place, 0, func(gpu int) (model, error) {
		if gpu < 0 {
			return &scripted{}, nil
		}
		return nil, loadError("x.bin", cpp.ErrOutOfMemory)
	})
	require.NoError(t, err)
	require.IsType(t, &scripted{}, m)
	require.Equal(t, engines.GPULoad, place.Why().Params["reason"])
	require.Equal(t, "whisper.cpp: out of memory", place.Why().Params["cause"])
}
