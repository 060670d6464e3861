package generations

import (
	"context"
	"errors"
	"io"
	"math"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
)

// LiveAudio is the audio of a running generation from a position on, of the new version while a text is changed, or the finished
// chunks of one that was stopped or failed. Unlike a Stream, it neither starts nor cancels the
// generation, which may have any number of listeners.
type LiveAudio struct {
	Rate     int // Hz
	Channels int
	NewFrom  float64 // seconds: where the first new passage of a changed text begins
	player   *Player
	job      *Job
	sound    speech.Sound
	level    speech.Level
	from     int64 // frames
	frames   int64 // at most this many
}

// maxLiveSeconds is more than any generation lasts.
const maxLiveSeconds = 1e6

// Live returns the audio of a running generation, or the finished chunks of one that was stopped or failed, from a position in
// seconds, at most the given number of seconds; 0 means all. It waits for the first sentence. The caller must call Close.
// Errors: ValidationError, generation_not_found, not_in_progress (which wraps ErrComplete if it is complete), cancelled,
// runtime_missing for what cannot be decoded.
func (p *Player) Live(ctx context.Context, id string, from, limit float64) (*LiveAudio, error) {
	for name, seconds := range map[string]float64{"from": from, "seconds": limit} {
		if !(seconds >= 0 && seconds <= maxLiveSeconds) { // NaN is neither
			return nil, backend.Invalid("less_than_equal", "Input should be from 0 to 1,000,000", "query", name)
		}
	}
	j, err := p.audible(ctx, id)
	if err != nil {
		return nil, err
	}
	select {
	case <-j.Live.Audible:
	case <-ctx.Done():
		return nil, backend.ErrCancelled.WithCause(ctx.Err())
	case <-p.gens.jobs.Closing().Done():
		return nil, errStopped
	}
	sound, ok := j.Live.Listen()
	if !ok {
		return nil, p.silentError(ctx, j)
	}
	l := &LiveAudio{player: p, job: j, sound: sound, frames: math.MaxInt64}
	l.Rate, l.Channels = sound.Format()
	l.from, l.NewFrom = audio.Frames(from, l.Rate), audio.Seconds(j.Live.FirstNew(), l.Rate)
	if limit > 0 {
		l.frames = audio.Frames(limit, l.Rate)
	}
	if l.level, err = p.liveLevel(ctx, j, sound); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// silentError returns why nothing can be heard of a job: it has ended without audio.
func (p *Player) silentError(ctx context.Context, j *Job) error {
	g, err := p.o.Store.Generation(ctx, j.Snapshot().ID)
	if err != nil {
		return err
	}
	if err := j.failure(); err != nil && backend.CodeOf(err) == backend.CodeRuntimeMissing {
		return err
	}
	return notRunningError(g)
}

// liveLevel returns the level of a running generation, the same for all its listeners: that of a stream, or while the level
// of its voice is unknown, one by the loudness of what there is.
func (p *Player) liveLevel(ctx context.Context, j *Job, sound speech.Sound) (speech.Level, error) {
	if l, ok := j.Live.LevelSoFar(); ok {
		return l, nil
	}
	l, err := j.Maker.Level(ctx, j, sound)
	if err != nil {
		return speech.Level{}, err
	}
	return j.Live.LevelOr(l), nil
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
	defer context.AfterFunc(l.player.gens.jobs.Closing(), cancel)()
	start := max(0, l.from-int64(liveLead*l.Rate))
	skip, left := l.from-start, l.frames
	channels := int64(l.Channels)
	var pcm []byte
	read := func(emit func([]float32) error) error { return l.sound.Follow(ctx, start, emit) }
	err := l.level.Through(l.Rate, l.Channels, read, func(samples []float32) error {
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
	case <-l.job.Done():
		return l.job.failure()
	case <-ctx.Done():
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
}

// Close releases the audio.
func (l *LiveAudio) Close() error { return l.sound.Release() }

// LivePeaks returns the peaks of a running generation from a position in seconds; none before its first
// sentence.
// Errors: ValidationError, generation_not_found, not_in_progress (which wraps ErrComplete if it is complete).
func (p *Player) LivePeaks(ctx context.Context, id string, from float64) (speech.LivePeaks, error) {
	if !(from >= 0 && from <= maxLiveSeconds) {
		return speech.LivePeaks{}, backend.Invalid("less_than_equal", "Input should be from 0 to 1,000,000", "query", "from")
	}
	j, err := p.audible(ctx, id)
	if err != nil {
		return speech.LivePeaks{}, err
	}
	sound, ok := j.Live.Listen()
	if !ok { // it has just begun or just ended
		return speech.LivePeaks{}, nil
	}
	defer func() { _ = sound.Release() }() // it deletes a temporary file
	l, err := p.liveLevel(ctx, j, sound)
	if err != nil {
		return speech.LivePeaks{}, err
	}
	return j.Live.Peaks(ctx, sound, l, from)
}
