//go:build whisper

package whisper

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/whisper/internal/cpp"
)

// scripted is a model whose runs find the same segments, and fail if there is an error.
type scripted struct {
	segments []cpp.Segment
	err      error
	closed   bool
}

func (m *scripted) Run(_ []float32, _ cpp.RunOptions, events cpp.Events) (string, error) {
	for _, s := range m.segments {
		events.Progress([]cpp.Segment{s}, 0.5)
	}
	return "en", m.err
}

func (m *scripted) Multilingual() bool { return true }
func (m *scripted) Close()             { m.closed = true }

func phrase(text string, from, to int) cpp.Segment {
	return cpp.Segment{Text: text, Start: time.Duration(from) * time.Second, End: time.Duration(to) * time.Second}
}

// A run that fails on the GPU goes on on the CPU after what was found, and so do all later ones.
func TestRunThatFailsOnTheGPU(t *testing.T) {
	onGPU := &scripted{segments: []cpp.Segment{phrase(" One.", 0, 1)}, err: errors.New("CUDA error: an illegal memory access")}
	onCPU := &scripted{segments: []cpp.Segment{phrase(" One.", 0, 1), phrase(" Two.", 1, 2)}}
	var told []*backend.Error
	place := engines.NewPlacement("cuda:0", func(why *backend.Error) { told = append(told, why) })
	m, err := openPlaced(place, 0, func(gpu int) (model, error) {
		if gpu < 0 {
			return onCPU, nil
		}
		return onGPU, nil
	})
	require.NoError(t, err)
	e := newEngine(m, engines.Info{Languages: []string{"en"}, Threads: 1, Placement: place, Reproducible: true})
	require.Equal(t, "cuda:0", e.Info().Device)
	require.False(t, e.Info().Reproducible)
	for range 2 {
		var text string
		_, err = e.Transcribe(t.Context(), make([]float32, 2*engines.TranscriberRate), engines.TranscribeOptions{},
			func(s backend.Segment) error { text += s.Text; return nil })
		require.NoError(t, err)
		require.Equal(t, " One. Two.", text)
	}
	require.Equal(t, "cpu", e.Info().Device)
	require.True(t, onGPU.closed, "its memory is free")
	require.Len(t, told, 1)
	require.Equal(t, engines.GPURun, told[0].Params["reason"])
	require.NoError(t, e.Close())
	require.True(t, onCPU.closed)
}

// A segment that begins on the CPU a little before the last one ended on the GPU is none that was found.
func TestRunThatFailsOnTheGPUWithinASegment(t *testing.T) {
	onGPU := &scripted{segments: []cpp.Segment{phrase(" One.", 0, 4)}, err: errors.New("CUDA error: an illegal memory access")}
	onCPU := &scripted{segments: []cpp.Segment{phrase(" One.", 0, 3), phrase(" Two.", 3, 6)}}
	m, err := openPlaced(engines.NewPlacement("cuda:0", nil), 0, func(gpu int) (model, error) {
		if gpu < 0 {
			return onCPU, nil
		}
		return onGPU, nil
	})
	require.NoError(t, err)
	text := ""
	_, err = m.Run(nil, cpp.RunOptions{}, cpp.Events{
		Stopped: func() bool { return false },
		Progress: func(segments []cpp.Segment, _ float64) {
			for _, s := range segments {
				text += s.Text
			}
		},
	})
	require.NoError(t, err)
	require.Equal(t, " One. Two.", text)
}

// A model whose file cannot be loaded a second time says what failed, and not that the file, which was loaded before, is damaged.
func TestRunThatFailsOnTheGPUWithoutTheFile(t *testing.T) {
	m, err := openPlaced(engines.NewPlacement("cuda:0", nil), 0, func(gpu int) (model, error) {
		if gpu < 0 {
			return nil, loadError("x.bin", errors.New("too many open files"))
		}
		return &scripted{err: errors.New("CUDA error: an illegal memory access")}, nil
	})
	require.NoError(t, err)
	_, err = m.Run(nil, cpp.RunOptions{}, cpp.Events{Stopped: func() bool { return false }})
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
	require.ErrorContains(t, err, "A run on cuda:0 failed, and the model could not be loaded on the CPU: too many open files.")
}

// A model that does not fit into the memory beside the GPU stays where it is, and moves to the CPU at a later run.
func TestRunThatFailsOnTheGPUWithoutMemory(t *testing.T) {
	onGPU := &scripted{err: errors.New("CUDA error: an illegal memory access")}
	onCPU := &scripted{segments: []cpp.Segment{phrase(" One.", 0, 1)}}
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
	_, err = m.Run(nil, cpp.RunOptions{}, events)
	require.Equal(t, backend.CodeOutOfMemory, backend.CodeOf(err))
	require.False(t, onGPU.closed)
	full = nil
	language, err := m.Run(nil, cpp.RunOptions{}, events)
	require.NoError(t, err)
	require.Equal(t, "en", language)
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
