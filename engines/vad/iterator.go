package vad

import "context"

// Event is a change that an Iterator found: speech begins or ends at a sample.
type Event struct {
	Start bool // speech begins
	At    int  // sample, counted from the first one written
}

// Iterator finds speech in audio that arrives piece by piece, such as from a microphone, by the rules of silero-vad's
// VADIterator. It is not safe for concurrent use.
type Iterator struct {
	stream     *Stream
	threshold  float64
	minSilence float64 // samples
	pad        float64 // samples

	held      []float32 // less than a window
	at        int       // samples examined
	triggered bool
	silence   int // end of the window in which the present silence began, 0 for none
}

// Iterator returns an iterator over mono samples at Rate or LowRate. Of the parameters it uses Threshold, MinSilence and Pad. Close
// frees it. Errors: runtime_missing, backend.ErrCancelled.
func (d *Detector) Iterator(ctx context.Context, rate int, p Parameters) (*Iterator, error) {
	s, err := d.Stream(ctx, rate)
	if err != nil {
		return nil, err
	}
	return &Iterator{
		stream: s, threshold: p.Threshold, minSilence: float64(rate) * p.MinSilence / 1000, pad: float64(rate) * p.Pad / 1000,
	}, nil
}

// Close frees the iterator; the detector stays open.
func (it *Iterator) Close() { it.stream.Close() }

// Speaking reports whether the last window was in speech.
func (it *Iterator) Speaking() bool { return it.triggered }

// Write examines the complete windows of what was written so far and returns what changed in them. Errors are those of
// Stream.Next.
func (it *Iterator) Write(ctx context.Context, samples []float32) ([]Event, error) {
	it.held = append(it.held, samples...)
	var events []Event
	used := 0
	for window := it.stream.Window(); used+window <= len(it.held); used += window {
		p, err := it.stream.Next(ctx, it.held[used:used+window])
		if err != nil {
			return events, err
		}
		if e, ok := it.next(float64(p)); ok {
			events = append(events, e)
		}
	}
	it.held = it.held[:copy(it.held, it.held[used:])]
	return events, nil
}

// next handles the probability of the next window.
func (it *Iterator) next(probability float64) (e Event, ok bool) {
	window := float64(it.stream.Window())
	it.at += it.stream.Window()
	if probability >= it.threshold {
		it.silence = 0
		if it.triggered {
			return Event{}, false
		}
		it.triggered = true
		return Event{Start: true, At: int(max(0, float64(it.at)-it.pad-window))}, true
	}
	if probability >= it.threshold-0.15 || !it.triggered {
		return Event{}, false
	}
	if it.silence == 0 {
		it.silence = it.at
	}
	if float64(it.at-it.silence) < it.minSilence {
		return Event{}, false
	}
	e = Event{At: int(float64(it.silence) + it.pad - window)}
	it.silence, it.triggered = 0, false
	return e, true
}
