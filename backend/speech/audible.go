package speech

import (
	"context"
	"slices"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// Live is the audio of a generation that is being made, for its listeners. It is safe for concurrent use.
type Live struct {
	streamed bool          // one listener waits for the first samples, and reads all of them
	started  chan struct{} // closed when there are samples, or when it has ended
	audible  chan struct{} // the same of the first sentence

	mu      sync.Mutex
	sound   sound
	begun   bool       // started is closed
	heard   bool       // audible is closed
	spans   []lineSpan // of the chunks that can be heard
	level   *level     // of all its listeners; nil before the first one
	newFrom int64      // the frame at which the first new passage of a revision begins
}

func newLive() *Live { return &Live{started: make(chan struct{}), audible: make(chan struct{})} }

// begin lets streams start to read.
func (l *Live) begin(made sound) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if made != nil && l.sound == nil {
		l.sound = made
		if l.streamed {
			made.retain() // for the stream, which may start after the writer has finished
		}
	}
	if !l.begun {
		l.begun = true
		close(l.started)
	}
	if made == nil {
		l.hear()
	}
}

// letListen lets listeners start to read.
func (l *Live) letListen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hear()
}

// listenFrom lets the listeners of a revision start to read. Its first new passage begins at a frame.
func (l *Live) listenFrom(made sound, frame int64) {
	l.begin(made)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.heard {
		l.newFrom = frame
	}
	l.hear()
}

// hear is letListen for a caller who holds j.mu.
func (l *Live) hear() {
	if !l.heard {
		l.heard = true
		close(l.audible)
	}
}

// addSpan stores the range of a chunk for the listeners.
func (l *Live) addSpan(span lineSpan) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if last := len(l.spans) - 1; last >= 0 && l.spans[last].line == span.line {
		l.spans[last] = span // a further sentence of the same chunk
		return
	}
	l.spans = append(l.spans, span)
}

// listen returns the audio with one more reader. It reports false when there is none.
func (l *Live) listen() (sound, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sound, l.heard && l.sound != nil && l.sound.retain()
}

// firstNew returns the frame at which the first new passage of a revision begins.
func (l *Live) firstNew() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.newFrom
}

// levelSoFar returns the level of all listeners; ok is false before the first one.
func (l *Live) levelSoFar() (found level, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.level == nil {
		return level{}, false
	}
	return *l.level, true
}

// levelOr returns the level of all listeners, which is v where there is none yet.
func (l *Live) levelOr(v level) level {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.level == nil {
		l.level = &v
	}
	return *l.level
}

// setLevel sets the level of all listeners.
func (l *Live) setLevel(v level) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.level = &v
}

// PeaksPerSecond is the number of peaks in a second of a running generation.
const PeaksPerSecond = 10

// maxLivePeaks is the number of peaks that are read at once, of 13 minutes.
const maxLivePeaks = 8000

// LivePeaks is what there is of a running generation.
type LivePeaks struct {
	Seconds float64      // of all audio so far
	From    float64      // of the first peak
	Peaks   []audio.Peak // PeaksPerSecond a second, of complete parts; at most maxLivePeaks
	Chunks  []LiveChunk  // those that end after From
}

// LiveChunk is a chunk of the audio.
type LiveChunk struct {
	Start, End float64
	Text       string // of a revision; else empty
}

func (l *Live) peaks(ctx context.Context, made sound, at level, from float64) (LivePeaks, error) {
	rate, channels := made.format()
	all := made.length()
	begin := func(k int64) int64 { return k * int64(rate) / PeaksPerSecond }
	first := int64(from*PeaksPerSecond + 1e-6)
	last := min(all*PeaksPerSecond/int64(rate), first+maxLivePeaks)
	out := LivePeaks{Seconds: audio.Seconds(all, rate), From: float64(first) / PeaksPerSecond}
	if last > first {
		wave := audio.NewWaveform(begin(last)-begin(first), channels, int(last-first))
		err := made.read(ctx, begin(first), begin(last), func(samples []float32) error {
			at.scale(samples)
			wave.Write(samples)
			return nil
		})
		if err != nil {
			return out, err
		}
		out.Peaks = wave.Peaks()
	}
	l.mu.Lock()
	spans := slices.Clone(l.spans)
	l.mu.Unlock()
	for _, span := range spans {
		if end := audio.Seconds(span.end, rate); end > out.From {
			out.Chunks = append(out.Chunks, LiveChunk{audio.Seconds(span.start, rate), end, span.text})
		}
	}
	return out, nil
}

// loudnessSoFar measures what there is. It reports false where there is too little speech.
func loudnessSoFar(ctx context.Context, made sound) (backend.VoiceLevel, bool, error) {
	meter := audio.NewMeter(made.format())
	err := made.read(ctx, 0, made.length(), func(samples []float32) error {
		meter.Write(samples)
		return nil
	})
	lufs, ok := meter.Integrated()
	return backend.VoiceLevel{GainDB: audio.TargetLUFS - lufs, PeakDB: audio.ToDB(meter.TruePeak())}, ok, err
}
