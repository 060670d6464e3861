package diarize

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// scan is what the networks heard in a sound: all that is needed to say who spoke when, for any number of speakers.
type scan struct {
	shape
	samples int
	shift   int        // samples from one window to the next
	windows []activity // who speaks in each
	tail    bool       // the last window goes beyond the sound
	voices  []voice
	groups  groups
}

// voice is one local speaker of a window.
type voice struct {
	window, local int
	vector        []float32 // of length 1; nil once it is part of a group
}

// windowsOf returns how many windows of a sound there are, and whether the last is padded.
func windowsOf(samples, window, shift int) (n int, padded bool) {
	if samples <= window {
		return 1, samples < window
	}
	n, padded = (samples-window)/shift+1, (samples-window)%shift > 0
	if padded {
		n++
	}
	return n, padded
}

// scan listens to a sound, of which count speakers are wanted if it is not 0. shift is the share of a window by which the next one
// begins later.
func (m *Engine) scan(
	ctx context.Context, sound engines.SoundSource, shift float32, count int, progress func(float64),
) (*scan, error) {
	s := &scan{shape: m.segmenter.shape, samples: sound.Samples()}
	s.shift = min(max(int(shift*float32(s.window)), 1), s.window)
	if s.samples == 0 {
		return s, nil
	}
	var n int
	n, s.tail = windowsOf(s.samples, s.window, s.shift)
	s.windows = make([]activity, n)
	var done counter
	for from := 0; from < n; {
		to := from + 1
		for to < n && s.stretchOf(to) == s.stretchOf(from) {
			to++
		}
		found := make([][]voice, to-from)
		err := each(ctx, to-from, m.info.Concurrency, func(ctx context.Context, i int) (err error) {
			found[i], err = m.window(ctx, sound, s, from+i)
			done.add(n, progress)
			return err
		})
		if err != nil {
			return nil, err
		}
		s.voices = slices.Concat(append([][]voice{s.voices}, found...)...)
		if len(s.voices) > exactVoices {
			if err := s.fold(ctx, threshold, count); err != nil {
				return nil, err
			}
		}
		from = to
	}
	return s, nil
}

// window listens to one window.
func (m *Engine) window(ctx context.Context, sound engines.SoundSource, s *scan, i int) ([]voice, error) {
	start := i * s.shift
	samples := make([]float32, min(s.window, s.samples-start))
	if err := sound.Read(ctx, samples, start); err != nil {
		return nil, err
	}
	scores, err := m.segmenter.scores(ctx, samples)
	if err != nil {
		return nil, err
	}
	who := m.segmenter.decode(scores)
	s.windows[i] = who
	if len(s.windows) == 1 {
		return nil, nil // its local speakers are the answer
	}
	var voices []voice
	for local := range s.locals {
		stretches, enough := s.alone(who, local, start)
		v := voice{window: i, local: local}
		if enough {
			v.vector, err = m.embedder.embed(ctx, join(samples, stretches, start))
		}
		switch {
		case !enough, errors.Is(err, errNoVoice):
		case err != nil:
			return nil, err
		default:
			v.vector = unit(v.vector)
			voices = append(voices, v)
		}
	}
	return voices, nil
}

// leastAlone is the number of frames that a local speaker must be the only one to be compared with others.
const leastAlone = 10

// alone returns the stretches of the whole sound, in samples, in which a local speaker of a window is the only one. enough is
// false for a speaker with too few of them.
func (s *scan) alone(who activity, local, start int) (stretches []engines.Span, enough bool) {
	frames, from, count := who.frames(), 0, 0
	for _, r := range who {
		if to := int(r.end); r.who == 1<<local {
			count += to - from
			stretches = append(stretches, engines.Span{
				Start: min(s.sampleAt(from, frames, start), s.samples), End: min(s.sampleAt(min(to, frames-1), frames, start), s.samples),
			})
		}
		from = int(r.end)
	}
	return stretches, count >= leastAlone
}

// exactFloats is the first whole number above which float32 leaves some out.
const exactFloats = 1 << 24

// sampleAt returns the sample at which a frame begins, of the window that begins at start. The reference computes it in
// float32, which decides single samples; where that leaves whole numbers out, ours is exact.
func (s *scan) sampleAt(frame, frames, start int) int {
	within := float32(frame) / float32(frames) * float32(s.window)
	if start+s.window >= exactFloats {
		return start + int(within)
	}
	return int(within + float32(start))
}

// join returns the samples of the stretches without gaps; samples begin at start.
func join(samples []float32, stretches []engines.Span, start int) []float32 {
	var out []float32
	for _, s := range stretches {
		if s.End > s.Start {
			out = append(out, samples[s.Start-start:s.End-start]...)
		}
	}
	return out
}

// counter counts what several goroutines have finished.
type counter struct {
	mu   sync.Mutex
	done int
}

func (c *counter) add(all int, progress func(float64)) {
	if progress == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done++
	progress(float64(c.done) / float64(all))
}

// each calls work for 0..n-1, up to callers at once, until one fails; it returns the first error.
func each(ctx context.Context, n, callers int, work func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(n, callers) {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := engines.Contain(stageEmbed, func() error { return work(ctx, i) }); err != nil {
					cancel(err)
				}
			}
		})
	}
	all.Wait()
	err := context.Cause(ctx)
	if err != nil && errors.Is(err, ctx.Err()) { // the caller's end, not that of work
		return backend.ErrCancelled.WithCause(err)
	}
	return err
}
