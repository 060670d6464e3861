package speech

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// lines returns the texts of a plan as input of the engine, in order. A text that keeps a take has that one.
func (s *Synthesizer) lines(ctx context.Context, p *Plan, info engines.Info) ([]backend.ReceiptChunk, error) {
	voicing, err := s.voicing(ctx, p.voice, p.words, info)
	if err != nil {
		return nil, err
	}
	var out []backend.ReceiptChunk
	var asked time.Duration
	marked := false // by markup, which may set no pause
	unread := s.newUnread(p.voice, voicing)
	for _, piece := range p.pieces {
		if piece.Text == "" {
			asked, marked = asked+piece.Pause, true
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, backend.ErrCancelled.WithCause(err)
		}
		own, ok := p.takes[len(out)]
		if !ok {
			own = newTake(voicing, piece.Text, p.seedOf(len(out)))
			own.Dropped = append(own.Dropped, unread.of(ctx, piece.Text, own.Spoken)...)
		}
		line := backend.ReceiptChunk{Text: piece.Text, PauseMS: asked.Milliseconds(), ReceiptTake: own}
		if p.pauses != nil {
			line.PauseMS, line.Break = p.pauseBefore(piece, asked, marked)
		}
		out = append(out, line)
		asked, marked = 0, false
	}
	return out, nil
}

func newTake(v *text.Speaker, chunk string, seed int64) backend.ReceiptTake {
	said := v.Speak(chunk)
	return backend.ReceiptTake{Spoken: said.Text, Seed: seed, Pronounced: said.Used, Dropped: said.Dropped}
}

// recording describes the samples in the spool.
type recording struct {
	chunks []backend.Chunk
	takes  []backend.ReceiptChunk
	found
	frames  int64
	workers int  // segments that were synthesized in parallel
	reused  bool // an earlier run synthesized some of them
	mixed   bool // with another program, device or library
}

// Run speaks a plan.
type Run struct {
	ID       string // names its temporary files
	Plan     *Plan
	Live     *Live // hears it
	Loaded   *engines.Loaded
	Journal  *journal // what it holds is not synthesized again, and gets what is; nil without one
	Progress func(p Progress, changed bool)
}

// record synthesizes a plan into the spool.
func (s *Synthesizer) record(ctx context.Context, run Run, sp *spool) (recording, error) {
	lines, err := s.lines(ctx, run.Plan, run.Loaded.Info())
	if err != nil {
		return recording{}, err
	}
	r := recorder{Run: run, workers: run.Loaded.Workers(s.o.Memory)}
	r.segments = run.Plan.segments(lines, run.Loaded.Info().Pauses)
	if r.reuse, err = s.newReuse(ctx, run, r.segments); err != nil {
		return recording{}, err
	}
	r.tally = newTally(s.o.Now, run.Progress, r.segments, r.reuse)
	leveller, err := s.newLeveller(ctx, run.ID, run.Plan, sp.rate, sp.channels)
	if err != nil {
		return recording{}, err
	}
	defer leveller.close()
	r.track = newTrack(sp.rate, sp.channels, run.Plan.crossfade, func(samples []float32) error {
		if err := errors.Join(leveller.write(samples), sp.write(samples)); err != nil {
			return err
		}
		run.Live.begin(sp)
		return nil
	})
	if err := r.speak(ctx); err != nil {
		return recording{}, err
	}
	if err := r.track.end(run.Plan.lastPause()); err != nil {
		return recording{}, err
	}
	out := recording{workers: r.workers}
	if r.reuse != nil {
		out.reused, out.mixed = slices.Contains(r.reuse.earlier, true), r.reuse.mixed
	}
	out.takes, out.chunks = r.track.chunks(lines)
	if len(out.takes) == 0 {
		return out, errNothing
	}
	out.frames = r.track.joiner.Frames()
	out.found, err = leveller.find()
	return out, err
}

// recorder synthesizes the segments of a plan into a track.
type recorder struct {
	Run
	segments []segment
	workers  int    // segments that are synthesized in parallel
	reuse    *reuse // nil without a journal
	tally    *tally
	track    *track
}

// speak synthesizes the segments in parallel.
func (r *recorder) speak(ctx context.Context) error {
	return sideBySide(ctx, len(r.segments), r.workers, func(ctx context.Context, i int, emit func(engines.Sound) error) error {
		synthesize := func(emit func(engines.Sound) error) error {
			speak := speakWhole
			if r.Live.streamed && r.segments[i].first { // somebody waits for its first samples
				speak = speakNow
			}
			return r.Plan.speakSegment(ctx, r.Loaded, r.segments[i], speak, emit)
		}
		return r.reuse.speak(i, emit, synthesize, r.tally.finish)
	}, func(i int, f *feed) error { return r.take(r.segments[i], f) })
}

// take joins a segment to the audio. A segment in which the engine finds nothing to speak, such as an unsupported script,
// is skipped.
func (r *recorder) take(seg segment, f *feed) error {
	placed := len(r.track.parts)
	emit := r.track.next(seg)
	for s := range f.out {
		if err := emit(s); err != nil {
			return err
		}
	}
	heard := len(r.track.parts) > placed
	if heard {
		r.Live.addSpan(r.track.lastChunk())
		r.Live.letListen()
	}
	if f.err != nil && (heard || backend.CodeOf(f.err) != backend.CodeNothingToSpeak) {
		return f.err
	}
	return nil
}

var errSilent = backend.E(backend.CodeEngineFailed, "The engine produced only silence.",
	"Try another seed or another voice.").With("stage", "speak")

// chunkSeed derives the seed of a chunk (SplitMix64, Steele et al. 2014), so that every chunk has its own noise and
// keeps it when other chunks change.
func chunkSeed(seed int64, chunk int) int64 {
	x := uint64(seed) + uint64(chunk+1)*0x9e3779b97f4a7c15
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return int64((x ^ (x >> 31)) & 0x7fffffff)
}
