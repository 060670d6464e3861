package speech

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech/journal"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// Lines returns the texts of a plan as input of the engine, in order. A text that keeps a take has that one.
func (s *Synthesizer) Lines(ctx context.Context, p *Plan, info engines.Info) ([]backend.ReceiptChunk, error) {
	voicing, err := s.Voicing(ctx, p.Voice, p.Words, info)
	if err != nil {
		return nil, err
	}
	var out []backend.ReceiptChunk
	var pause time.Duration
	marked := false // by markup, which may set no pause
	sample, err := s.Sample(ctx, p.Voice, info)
	if err != nil {
		return nil, err
	}
	unread := s.newUnread(p.Voice, voicing)
	for _, piece := range p.Pieces {
		if piece.Text == "" {
			pause, marked = pause+piece.Pause, true
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, backend.ErrCancelled.WithCause(err)
		}
		own, ok := p.Takes[len(out)]
		if !ok {
			own = NewTake(voicing, piece.Text, sample, p.seedOf(len(out)))
			own.Dropped = append(own.Dropped, unread.of(ctx, piece.Text, own.Spoken)...)
		}
		line := backend.ReceiptChunk{Text: piece.Text, PauseMS: pause.Milliseconds(), ReceiptTake: own}
		if p.Pauses != nil {
			line.PauseMS, line.Break = p.pauseBefore(piece, pause, marked)
		}
		out = append(out, line)
		pause, marked = 0, false
	}
	return out, nil
}

// NewTake returns a take of a chunk as it will be spoken. sample is the one of the voice, see Sample.
func NewTake(v *text.Speaker, chunk, sample string, seed int64) backend.ReceiptTake {
	said := v.Speak(chunk)
	return backend.ReceiptTake{Spoken: said.Text, Seed: seed, Sample: sample, Pronounced: said.Used, Dropped: said.Dropped}
}

// Recording describes the samples in the spool.
type Recording struct {
	Chunks []backend.Chunk
	Takes  []backend.ReceiptChunk
	Measured
	Frames  int64
	Workers int  // segments that were synthesized in parallel
	Reused  bool // an earlier run synthesized some of them, or another generation has them
	Mixed   bool // with another program, device or library, or they were copied
	Moved   bool // the model left its GPU meanwhile: the time is that of two devices
}

// Run speaks a plan.
type Run struct {
	ID       string // names its temporary files
	Plan     *Plan
	Live     *Live // hears it
	Loaded   *engines.Loaded
	Journal  *journal.Journal                // what it holds is not synthesized again, and gets what is; nil without one
	Donors   *Donors                         // what they have is copied; nil without any
	Turn     func(ctx context.Context) error // blocks a segment until it may be synthesized; nil = none waits
	Progress func(p Progress, changed bool)
}

// Record synthesizes a plan into the spool.
func (s *Synthesizer) Record(ctx context.Context, run Run, sp *Spool) (Recording, error) {
	lines, err := s.Lines(ctx, run.Plan, run.Loaded.Info())
	if err != nil {
		return Recording{}, err
	}
	given, drop, err := run.Donors.give(ctx, wanted{plan: run.Plan, info: run.Loaded.Info(), loaded: run.Loaded}, lines)
	defer drop()
	if err != nil {
		return Recording{}, err
	}
	r, device := recorder{Run: run, workers: run.Loaded.Workers(s.o.Memory)}, run.Loaded.Info().Device
	r.Loaded = run.Loaded.Described()
	r.segments = copied(run.Plan.Segments(lines, r.Loaded.Info().Pauses), lines, given)
	if r.reuse, err = s.Reuse(ctx, run, r.segments); err != nil {
		return Recording{}, err
	}
	r.tally = NewTally(s.o.Now, run.Progress, r.segments, r.reuse)
	leveller, err := s.Leveller(ctx, run.ID, run.Plan, sp.Rate, sp.Channels)
	if err != nil {
		return Recording{}, err
	}
	defer leveller.Close()
	r.track = NewTrack(sp.Rate, sp.Channels, run.Plan.Crossfade, func(samples []float32) error {
		if err := errors.Join(leveller.Write(samples), sp.Write(samples)); err != nil {
			return err
		}
		run.Live.Begin(sp)
		return nil
	})
	if err := r.speak(ctx); err != nil {
		return Recording{}, err
	}
	if err := r.track.End(run.Plan.LastPause()); err != nil {
		return Recording{}, err
	}
	out := Recording{Workers: r.workers, Moved: run.Loaded.Info().Device != device}
	if r.reuse != nil {
		out.Reused, out.Mixed = slices.Contains(r.reuse.earlier, true), r.reuse.mixed
	}
	if slices.ContainsFunc(r.segments, func(seg Segment) bool { return seg.donation != nil }) {
		out.Reused, out.Mixed = true, true
	}
	out.Takes, out.Chunks = r.track.Chunks(lines)
	if len(out.Takes) == 0 {
		return out, ErrNothing
	}
	out.Frames = r.track.Joiner.Frames()
	out.Measured, err = leveller.Find()
	return out, err
}

// recorder synthesizes the segments of a plan into a track.
type recorder struct {
	Run
	segments []Segment
	workers  int    // segments that are synthesized in parallel
	reuse    *reuse // nil without a journal
	tally    *tally
	track    *Track
}

// speak synthesizes the segments in parallel.
func (r *recorder) speak(ctx context.Context) error {
	return SideBySide(ctx, Work{
		Workers: r.workers, Sizes: Sizes(r.segments), Ordered: r.Live.Streamed, Speak: r.speakSegment,
		Take: func(i int, f *Feed) error { return r.take(r.segments[i], f) },
	})
}

// speakSegment synthesizes a segment, or copies it.
func (r *recorder) speakSegment(ctx context.Context, i int, emit func(engines.Sound) error) error {
	return r.reuse.Speak(i, emit, func(emit func(engines.Sound) error) error {
		if d := r.segments[i].donation; d != nil {
			return d.copy(ctx, r.segments[i], emit)
		}
		if r.Turn != nil {
			if err := r.Turn(ctx); err != nil {
				return err
			}
		}
		speak := SpeakWhole
		if r.Live.Streamed && r.segments[i].first { // somebody waits for its first samples
			speak = speakNow
		}
		synthesize := func(emit func(engines.Sound) error) error {
			return r.Plan.SpeakSegment(ctx, r.Loaded, r.segments[i], speak, Given(emit))
		}
		if r.segments[i].first || r.Live.Streamed {
			return synthesize(emit)
		}
		return inOne(emit, synthesize)
	}, r.tally.Finish)
}

// longestPiece is how many seconds of a segment inOne emits at once at least, if there are so many.
const longestPiece = 10

// inOne emits what is synthesized in few pieces, as each costs a message to the reader and a write to the disk. It gives
// them away, as synthesize does.
func inOne(emit func(engines.Sound) error, synthesize func(emit func(engines.Sound) error) error) error {
	var all engines.Sound
	var sent bool
	err := synthesize(func(s engines.Sound) error {
		all.Rate, all.Channels = s.Rate, s.Channels
		all.Words = append(all.Words, engines.Shifted(s.Words, audio.Seconds(int64(all.Frames()), s.Rate))...)
		if len(all.Samples) == 0 {
			all.Samples = s.Samples // most segments are one piece
		} else {
			all.Samples = append(all.Samples, s.Samples...)
		}
		if all.Frames() < longestPiece*s.Rate {
			return nil
		}
		sent = true
		err := emit(all)
		all.Samples, all.Words = nil, nil
		return err
	})
	if all.Rate == 0 || sent && len(all.Samples) == 0 {
		return err
	}
	return cmp.Or(emit(all), err)
}

// take joins a segment to the audio. A segment in which the engine finds nothing to speak, such as an unsupported script,
// is skipped.
func (r *recorder) take(seg Segment, f *Feed) error {
	placed := len(r.track.Parts)
	emit := r.track.Next(seg)
	for s := range f.Out {
		if err := emit(s); err != nil {
			return err
		}
	}
	heard := len(r.track.Parts) > placed
	if heard {
		r.Live.AddSpan(r.track.LastChunk())
		r.Live.LetListen()
	}
	if f.Err != nil && (heard || backend.CodeOf(f.Err) != backend.CodeNothingToSpeak) {
		return f.Err
	}
	return nil
}

// ErrSilent is the error of an engine that produced only silence.
var ErrSilent = backend.E(backend.CodeEngineFailed, "The engine produced only silence.",
	"Try another seed or another voice.").With("stage", "speak")

// ChunkSeed derives the seed of a chunk (SplitMix64, Steele et al. 2014), so that every chunk has its own noise and
// keeps it when other chunks change.
func ChunkSeed(seed int64, chunk int) int64 {
	x := uint64(seed) + uint64(chunk+1)*0x9e3779b97f4a7c15
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return int64((x ^ (x >> 31)) & 0x7fffffff)
}
