//go:build whisper

package whisper

import (
	"errors"
	"time"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/whisper/internal/cpp"
)

// movable is a model on a GPU, which is loaded again on the CPU when a run fails there. Its runs are one after another.
type movable struct {
	now          model
	place        *engines.Placement
	open         func(gpu int) (model, error)
	multilingual bool
}

// openPlaced loads a model on the GPU with this number, -1 for the CPU, which it also takes where that fails.
func openPlaced(place *engines.Placement, gpu int, open func(gpu int) (model, error)) (model, error) {
	if gpu < 0 {
		return open(gpu)
	}
	m, err := open(gpu)
	if err != nil {
		place.MoveToCPU(engines.ErrNoGPU(place.Device(), engines.GPULoad, errors.Unwrap(err)))
		return open(-1)
	}
	return &movable{now: m, place: place, open: open, multilingual: m.Multilingual()}, nil
}

// Run implements model. A run that fails on the GPU is repeated on the CPU, and what was found before is not found again.
func (m *movable) Run(samples []float32, o cpp.RunOptions, events cpp.Events) (language string, err error) {
	if !m.place.OnGPU() {
		return m.now.Run(samples, o, events)
	}
	var end time.Duration // of what was found
	first := events
	first.Progress = func(segments []cpp.Segment, done float64) {
		for _, s := range segments {
			end = max(end, s.End)
		}
		events.Progress(segments, done)
	}
	language, err = m.now.Run(samples, o, first)
	if err == nil || errors.Is(err, cpp.ErrStopped) || events.Stopped() {
		return language, err
	}
	device := m.place.Device()
	onCPU, failure := m.open(-1)
	if failure != nil {
		return "", engines.ErrNotMoved(device, failure) // the next run tries again
	}
	m.place.MoveToCPU(engines.ErrNoGPU(device, engines.GPURun, err))
	m.now.Close()
	m.now = onCPU
	again := events
	again.Progress = func(segments []cpp.Segment, done float64) {
		for len(segments) > 0 && segments[0].Start+segments[0].End < 2*end {
			segments = segments[1:] // most of it was found before; times differ a little between devices
		}
		events.Progress(segments, done)
	}
	return m.now.Run(samples, o, again)
}

// Multilingual implements model.
func (m *movable) Multilingual() bool { return m.multilingual }

// Close implements model.
func (m *movable) Close() { m.now.Close() }
