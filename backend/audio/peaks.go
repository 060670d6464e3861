package audio

// Peak is the lowest and the highest sample of a part of the audio, over all channels.
type Peak struct{ Min, Max float32 }

// Waveform collects the peaks of audio of known length for drawing. Its memory is that of the peaks.
type Waveform struct {
	frames   int64
	channels int
	peaks    []Peak
	at       int64 // frames written
	bucket   int   // the peak that the next frame belongs to
	next     int64 // the frame where the next peak begins
	empty    bool  // the current peak has no frame yet
}

// NewWaveform returns a waveform of n peaks for audio of this many frames. Audio of fewer than n frames has one peak for
// each frame.
func NewWaveform(frames int64, channels, n int) *Waveform {
	w := &Waveform{frames: max(0, frames), channels: channels, empty: true}
	w.peaks = make([]Peak, min(int64(max(0, n)), w.frames))
	w.next = w.begin(1)
	return w
}

// begin returns the first frame of peak k.
func (w *Waveform) begin(k int) int64 {
	n := int64(len(w.peaks))
	if n == 0 {
		return 0
	}
	return (int64(k)*w.frames + n - 1) / n
}

// Write adds interleaved samples, whole frames only. Frames beyond the stated length count for the last peak.
func (w *Waveform) Write(samples []float32) {
	if len(w.peaks) == 0 || w.channels <= 0 {
		return
	}
	for ; len(samples) >= w.channels; samples = samples[w.channels:] {
		if w.at >= w.next && w.bucket < len(w.peaks)-1 {
			w.bucket++
			w.next = w.begin(w.bucket + 1)
			w.empty = true
		}
		w.at++
		p := &w.peaks[w.bucket]
		for _, x := range samples[:w.channels] {
			if w.empty {
				*p, w.empty = Peak{x, x}, false
			}
			p.Min, p.Max = min(p.Min, x), max(p.Max, x)
		}
	}
}

// Peaks returns the peaks so far. Those of frames that were not written are 0.
func (w *Waveform) Peaks() []Peak { return append([]Peak(nil), w.peaks...) }

// Peaks returns n peaks of the buffer, or one for each frame if it has fewer frames.
func (b Buffer) Peaks(n int) []Peak {
	w := NewWaveform(int64(b.Frames()), b.Channels, n)
	w.Write(b.Samples)
	return w.peaks
}
