package speech

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// lines returns the texts of a plan as input of the engine, in order. A text for which the job has a take keeps that take.
func (s *Service) lines(ctx context.Context, j *job, info engines.Info) ([]backend.ReceiptChunk, error) {
	voicing, err := s.voicing(ctx, j.voice, j.g.Request.Pronunciations, info)
	if err != nil {
		return nil, err
	}
	var out []backend.ReceiptChunk
	var asked time.Duration
	marked := false // by markup, which may set no pause
	unread := s.newUnread(j.voice, voicing)
	for _, piece := range j.plan {
		if piece.Text == "" {
			asked, marked = asked+piece.Pause, true
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, backend.ErrCancelled.WithCause(err)
		}
		own, ok := j.takes[len(out)]
		if !ok {
			own = newTake(voicing, piece.Text, chunkSeed(j.g.Seed, len(out)))
			own.Dropped = append(own.Dropped, unread.of(ctx, piece.Text, own.Spoken)...)
		}
		line := backend.ReceiptChunk{Text: piece.Text, PauseMS: asked.Milliseconds(), ReceiptTake: own}
		if j.pauses != nil {
			line.PauseMS, line.Break = j.pauseBefore(piece, asked, marked)
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
	workers int // segments that were synthesized in parallel
}

// record synthesizes the plan into the spool.
func (s *Service) record(ctx context.Context, j *job, loaded *engines.Loaded, sp *spool) (recording, error) {
	lines, err := s.lines(ctx, j, loaded.Info())
	if err != nil {
		return recording{}, err
	}
	r := recorder{s: s, j: j, loaded: loaded, lines: lines, started: s.o.Now(), workers: loaded.Workers(s.o.Memory)}
	r.segments = j.segments(lines, loaded.Info().Pauses)
	for _, seg := range r.segments {
		r.total += utf8.RuneCountInString(seg.text)
	}
	leveller, err := s.newLeveller(ctx, j, sp.rate, sp.channels)
	if err != nil {
		return recording{}, err
	}
	defer leveller.close()
	r.track = newTrack(sp.rate, sp.channels, j.crossfade, func(samples []float32) error {
		if err := errors.Join(leveller.write(samples), sp.write(samples)); err != nil {
			return err
		}
		j.begin(sp)
		return nil
	})
	if err := r.speak(ctx); err != nil {
		return recording{}, err
	}
	if err := r.track.end(j.lastPause()); err != nil {
		return recording{}, err
	}
	out := recording{workers: r.workers}
	out.takes, out.chunks = r.track.chunks(lines)
	if len(out.takes) == 0 {
		return out, errNothing
	}
	out.frames = r.track.joiner.Frames()
	out.found, err = leveller.find()
	return out, err
}

// recorder synthesizes the segments of a job into a track.
type recorder struct {
	s        *Service
	j        *job
	loaded   *engines.Loaded
	lines    []backend.ReceiptChunk
	segments []segment
	workers  int // segments that are synthesized in parallel
	track    *track
	started  time.Time
	total    int // characters of all segments
	spoken   int
	next     int // the index of the next segment to join
}

// speak synthesizes the segments in parallel.
func (r *recorder) speak(ctx context.Context) error {
	return sideBySide(ctx, len(r.segments), r.workers, func(ctx context.Context, i int, emit func(engines.Sound) error) error {
		return r.j.speakSegment(ctx, r.loaded, r.segments[i], emit)
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
		r.j.addSpan(r.track)
	}
	if f.err != nil && (heard || backend.CodeOf(f.err) != backend.CodeNothingToSpeak) {
		return f.err
	}
	r.progress(seg)
	return nil
}

// progress reports the finished part, and the remaining time at the current pace.
func (r *recorder) progress(seg segment) {
	r.next++
	r.spoken += utf8.RuneCountInString(seg.text)
	lines := seg.line
	if seg.last {
		lines++
	}
	done := float64(r.spoken) / float64(r.total)
	left := r.s.o.Now().Sub(r.started).Seconds() * (1 - done) / done
	r.s.notify(r.j.set(func(g *backend.Generation) {
		g.Progress = max(g.Progress, min(0.95, 0.95*done))
		g.ChunksDone, g.ChunksTotal, g.ETASeconds = lines, len(r.lines), &left
	}))
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
