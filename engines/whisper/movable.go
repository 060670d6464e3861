//go:build whisper

package whisper

import (
	"cmp"
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

// Run implements model. What a run that fails on the GPU has not done, another one does on the CPU.
func (m *movable) Run(samples []float32, o cpp.RunOptions, events cpp.Events) (language string, err error) {
	if !m.place.OnGPU() {
		return m.now.Run(samples, o, events)
	}
	left := remainder{samples: samples, options: o}
	first := events
	first.Progress = func(segments []cpp.Segment, done float64) {
		left.done(segments, done)
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
	left.options.Language = cmp.Or(o.Language, language) // that of the beginning, as the rest alone may sound like another one
	return left.run(onCPU, events)
}

// remainder is what a run that ends early leaves to another one.
type remainder struct {
	samples []float32
	options cpp.RunOptions
	from    int // samples before it are done
}

// frame is the number of samples of 10 ms, in which the library counts.
const frame = engines.TranscriberRate / 100

// tokensBefore is the number of tokens before an audio that always suffices: the library uses 223.
const tokensBefore = 256

// done is called with the progress of the run that ends early. The library begins its next step at the end of the last segment or later,
// beyond silence, but not before the share that it calls done, which it rounds down.
func (r *remainder) done(segments []cpp.Segment, share float64) {
	end := int(share * float64(len(r.samples)))
	for _, s := range segments {
		end = max(end, int(s.End*engines.TranscriberRate/time.Second))
	}
	before := append(r.options.Before, cpp.Tokens(segments)...)
	r.options.Before = before[max(0, len(before)-tokensBefore):]
	r.from = min(max(r.from, end/frame*frame), len(r.samples))
}

// withoutPrompt is the number of samples at the end of an audio for which the library forgets the text before: it would repeat that.
const withoutPrompt = 5 * engines.TranscriberRate

// run does what is left. The times of the segments are from the start of all samples.
func (r *remainder) run(m model, events cpp.Events) (language string, err error) {
	samples := r.samples[r.from:]
	if len(samples) < minSamples {
		events.Progress(nil, 1)
		return r.options.Language, nil
	}
	before := time.Duration(r.from) * time.Second / engines.TranscriberRate
	share := float64(r.from) / float64(len(r.samples))
	if r.from > 0 && len(samples) <= withoutPrompt {
		r.options.Prompt, r.options.Before = "", nil
	}
	second := events
	second.Progress = func(segments []cpp.Segment, done float64) {
		for i := range segments {
			segments[i].Shift(before)
		}
		events.Progress(segments, share+(1-share)*done)
	}
	return m.Run(samples, r.options, second)
}

// Multilingual implements model.
func (m *movable) Multilingual() bool { return m.multilingual }

// Close implements model.
func (m *movable) Close() { m.now.Close() }
