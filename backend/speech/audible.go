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
	Streamed bool          // one listener waits for the first samples, and reads all of them
	Started  chan struct{} // closed when there are samples, or when it has ended
	Audible  chan struct{} // the same of the first sentence

	mu      sync.Mutex
	Sound   Sound
	begun   bool   // started is closed
	heard   bool   // audible is closed
	spans   []Span // of the chunks that can be heard
	level   *Level // of all its listeners; nil before the first one
	newFrom int64  // the frame at which the first new passage of a revision begins
}

// NewLive returns a Live without audio.
func NewLive() *Live { return &Live{Started: make(chan struct{}), Audible: make(chan struct{})} }

// Begin lets streams start to read.
func (l *Live) Begin(sound Sound) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if sound != nil && l.Sound == nil {
		l.Sound = sound
		if l.Streamed {
			sound.Retain() // for the stream, which may start after the writer has finished
		}
	}
	if !l.begun {
		l.begun = true
		close(l.Started)
	}
	if sound == nil {
		l.hear()
	}
}

// LetListen lets listeners start to read.
func (l *Live) LetListen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hear()
}

// ListenFrom lets the listeners of a revision start to read. Its first new passage begins at a frame.
func (l *Live) ListenFrom(sound Sound, frame int64) {
	l.Begin(sound)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.heard {
		l.newFrom = frame
	}
	l.hear()
}

// hear is LetListen for a caller who holds l.mu.
func (l *Live) hear() {
	if !l.heard {
		l.heard = true
		close(l.Audible)
	}
}

// AddSpan stores the range of a chunk for the listeners.
func (l *Live) AddSpan(span Span) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if last := len(l.spans) - 1; last >= 0 && l.spans[last].Line == span.Line {
		l.spans[last] = span // a further sentence of the same chunk
		return
	}
	l.spans = append(l.spans, span)
}

// Listen returns the audio with one more reader. It reports false when there is none.
func (l *Live) Listen() (Sound, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Sound, l.heard && l.Sound != nil && l.Sound.Retain()
}

// FirstNew returns the frame at which the first new passage of a revision begins.
func (l *Live) FirstNew() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.newFrom
}

// LevelSoFar returns the level of all listeners; ok is false before the first one.
func (l *Live) LevelSoFar() (level Level, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.level == nil {
		return Level{}, false
	}
	return *l.level, true
}

// LevelOr returns the level of all listeners, which is v where there is none yet.
func (l *Live) LevelOr(v Level) Level {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.level == nil {
		l.level = &v
	}
	return *l.level
}

// SetLevel sets the level of all listeners.
func (l *Live) SetLevel(v Level) {
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

// Peaks returns the peaks of complete parts from a position in seconds, at a level.
func (l *Live) Peaks(ctx context.Context, sound Sound, at Level, from float64) (LivePeaks, error) {
	rate, channels := sound.Format()
	all := sound.Length()
	begin := func(k int64) int64 { return k * int64(rate) / PeaksPerSecond }
	first := int64(from*PeaksPerSecond + 1e-6)
	last := min(all*PeaksPerSecond/int64(rate), first+maxLivePeaks)
	out := LivePeaks{Seconds: audio.Seconds(all, rate), From: float64(first) / PeaksPerSecond}
	if last > first {
		wave := audio.NewWaveform(begin(last)-begin(first), channels, int(last-first))
		err := sound.Read(ctx, begin(first), begin(last), func(samples []float32) error {
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
		if end := audio.Seconds(span.End, rate); end > out.From {
			out.Chunks = append(out.Chunks, LiveChunk{audio.Seconds(span.Start, rate), end, span.Text})
		}
	}
	return out, nil
}

// loudnessSoFar measures what there is. It reports false where there is too little speech.
func loudnessSoFar(ctx context.Context, sound Sound) (backend.VoiceLevel, bool, error) {
	meter := audio.NewMeter(sound.Format())
	err := sound.Read(ctx, 0, sound.Length(), func(samples []float32) error {
		meter.Write(samples)
		return nil
	})
	lufs, ok := meter.Integrated()
	return backend.VoiceLevel{GainDB: audio.TargetLUFS - lufs, PeakDB: audio.ToDB(meter.TruePeak())}, ok, err
}
