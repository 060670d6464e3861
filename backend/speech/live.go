package speech

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// LiveAudio is the audio of a running generation from a position on, of the new version while a text is changed, or the finished
// chunks of one that was stopped or failed. Unlike a Stream, it neither starts nor cancels the
// generation, which may have any number of listeners.
type LiveAudio struct {
	Rate     int // Hz
	Channels int
	NewFrom  float64 // seconds: where the first new passage of a changed text begins
	service  *Service
	job      *job
	sound    sound
	level    level
	from     int64 // frames
	frames   int64 // at most this many
}

// maxLiveSeconds is more than any generation lasts.
const maxLiveSeconds = 1e6

// Live returns the audio of a running generation, or the finished chunks of one that was stopped or failed, from a position in
// seconds, at most the given number of seconds; 0 means all. It waits for the first sentence. The caller must call Close.
// Errors: ValidationError, generation_not_found, not_in_progress (which wraps ErrComplete if it is complete), cancelled,
// runtime_missing for what cannot be decoded.
func (s *Service) Live(ctx context.Context, id string, from, limit float64) (*LiveAudio, error) {
	for name, seconds := range map[string]float64{"from": from, "seconds": limit} {
		if !(seconds >= 0 && seconds <= maxLiveSeconds) { // NaN is neither
			return nil, backend.Invalid("less_than_equal", "Input should be from 0 to 1,000,000", "query", name)
		}
	}
	j, err := s.audible(ctx, id)
	if err != nil {
		return nil, err
	}
	select {
	case <-j.audible:
	case <-ctx.Done():
		return nil, backend.ErrCancelled.WithCause(ctx.Err())
	case <-s.closing.Done():
		return nil, errStopped
	}
	made, ok := j.listen()
	if !ok {
		return nil, s.notHeard(ctx, j)
	}
	l := &LiveAudio{service: s, job: j, sound: made, frames: math.MaxInt64}
	l.Rate, l.Channels = made.format()
	l.from, l.NewFrom = frames(from, l.Rate), seconds(j.firstNew(), l.Rate)
	if limit > 0 {
		l.frames = frames(limit, l.Rate)
	}
	if l.level, err = s.liveLevel(ctx, j, made); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// addSpan stores the range of a chunk for the listeners.
func (j *job) addSpan(span lineSpan) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if last := len(j.spans) - 1; last >= 0 && j.spans[last].line == span.line {
		j.spans[last] = span // a further sentence of the same chunk
		return
	}
	j.spans = append(j.spans, span)
}

// notHeard returns why nothing can be heard of a job: it has ended without audio.
func (s *Service) notHeard(ctx context.Context, j *job) error {
	g, err := s.o.Store.Generation(ctx, j.snapshot().ID)
	if err != nil {
		return err
	}
	if err := j.failure(); err != nil && backend.CodeOf(err) == backend.CodeRuntimeMissing {
		return err
	}
	return notRunning(g)
}

// listen returns the audio with one more reader. It reports false when there is none.
func (j *job) listen() (sound, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.sound, j.heard && j.sound != nil && j.sound.retain()
}

// firstNew returns the frame at which the first new passage of a revision begins.
func (j *job) firstNew() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.newFrom
}

// setLevel sets the level of all listeners.
func (j *job) setLevel(l level) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.live = &l
}

// liveLevel returns the level of a running generation, the same for all its listeners: that of a stream, or while the level
// of its voice is unknown, one by the loudness of what there is.
func (s *Service) liveLevel(ctx context.Context, j *job, made sound) (level, error) {
	j.mu.Lock()
	found := j.live
	j.mu.Unlock()
	if found != nil {
		return *found, nil
	}
	l := level{gain: 1}
	if j.hosted == nil { // hosted audio is played as it was received
		known, ok, err := s.o.Store.VoiceLevel(ctx, j.voice.model, j.voice.id)
		if err != nil || !ok {
			if known, ok, err = loudnessSoFar(ctx, made); err != nil {
				return level{}, err
			}
		}
		l = j.levelOfVoice(known, ok)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.live == nil {
		j.live = &l
	}
	return *j.live, nil
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

// errEnough ends reading when all requested frames are written.
var errEnough = errors.New("enough")

// liveLead is how many seconds before the position the limiter begins, so that it has reached the state that it has in the
// complete audio.
const liveLead = 1

// WriteTo writes 16-bit little-endian PCM until the requested part is written or the generation has ended.
// Errors: why it failed or was cancelled, cancelled, those of the writer. None of the writer's ends the generation.
func (l *LiveAudio) WriteTo(ctx context.Context, w io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.service.closing, cancel)()
	start := max(0, l.from-int64(liveLead*l.Rate))
	skip, left := l.from-start, l.frames
	channels := int64(l.Channels)
	var pcm []byte
	read := func(emit func([]float32) error) error { return l.sound.follow(ctx, start, emit) }
	err := l.level.through(l.Rate, l.Channels, read, func(samples []float32) error {
		got := int64(len(samples)) / channels
		first := min(skip, got)
		last := first + min(left, got-first)
		skip, left = skip-first, left-(last-first)
		pcm = audio.PCM16(pcm[:0], samples[first*channels:last*channels])
		if len(pcm) > 0 {
			if _, err := w.Write(pcm); err != nil {
				return err
			}
		}
		if left == 0 {
			return errEnough
		}
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		return nil
	})
	switch {
	case errors.Is(err, errEnough):
		return nil
	case err != nil:
		return err
	}
	select {
	case <-l.job.done:
		return l.job.failure()
	case <-ctx.Done():
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
}

// Close releases the audio.
func (l *LiveAudio) Close() error { return l.sound.release() }

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

// LivePeaks returns the peaks of a running generation from a position in seconds; none before its first
// sentence.
// Errors: ValidationError, generation_not_found, not_in_progress (which wraps ErrComplete if it is complete).
func (s *Service) LivePeaks(ctx context.Context, id string, from float64) (LivePeaks, error) {
	if !(from >= 0 && from <= maxLiveSeconds) {
		return LivePeaks{}, backend.Invalid("less_than_equal", "Input should be from 0 to 1,000,000", "query", "from")
	}
	j, err := s.audible(ctx, id)
	if err != nil {
		return LivePeaks{}, err
	}
	made, ok := j.listen()
	if !ok { // it has just begun or just ended
		return LivePeaks{}, nil
	}
	defer func() { _ = made.release() }() // it deletes a temporary file
	l, err := s.liveLevel(ctx, j, made)
	if err != nil {
		return LivePeaks{}, err
	}
	return j.peaks(ctx, made, l, from)
}

func (j *job) peaks(ctx context.Context, made sound, l level, from float64) (LivePeaks, error) {
	rate, channels := made.format()
	all := made.length()
	begin := func(k int64) int64 { return k * int64(rate) / PeaksPerSecond }
	first := int64(from*PeaksPerSecond + 1e-6)
	last := min(all*PeaksPerSecond/int64(rate), first+maxLivePeaks)
	out := LivePeaks{Seconds: seconds(all, rate), From: float64(first) / PeaksPerSecond}
	if last > first {
		wave := audio.NewWaveform(begin(last)-begin(first), channels, int(last-first))
		err := made.read(ctx, begin(first), begin(last), func(samples []float32) error {
			l.scale(samples)
			wave.Write(samples)
			return nil
		})
		if err != nil {
			return out, err
		}
		out.Peaks = wave.Peaks()
	}
	j.mu.Lock()
	spans := slices.Clone(j.spans)
	j.mu.Unlock()
	for _, span := range spans {
		if end := seconds(span.end, rate); end > out.From {
			out.Chunks = append(out.Chunks, LiveChunk{seconds(span.start, rate), end, span.text})
		}
	}
	return out, nil
}
