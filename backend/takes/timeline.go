package takes

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/engines"
)

// timeline is the order of the passages of a new file. It grows while they are spoken, and has listeners who hear the file before
// it is written.
type timeline struct {
	speech.Growth                    // in frames
	g             backend.Generation // the version before
	plan          *speech.Plan       // of the new text
	live          *speech.Live       // hears it
	source        *audio.PCMFile     // the samples of the version before
	spoken        *os.File           // those of new passages
	passages      []passage          // with audio
	pieces        []piece            // of the file so far; listeners read it under mu
	next          int                // the passage that comes next
	skipped       int64              // frames of silence before passages without audio
}

var _ speech.Sound = (*timeline)(nil)

// piece is a range of frames of a file, or silence.
type piece struct {
	source     *audio.PCMFile // nil for silence
	start, end int64
}

// newTimeline opens the files of a revision. The caller drops it.
func (rev *revision) newTimeline(ctx context.Context) (*timeline, error) {
	s, j := rev.service, rev.job
	now, unlock, err := rev.lockBase(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	path, err := s.master(ctx, now)
	if err != nil {
		return nil, speech.AudioGone(now.ID, err)
	}
	old, err := audio.OpenPCM16(path)
	if err != nil {
		return nil, speech.AudioGone(now.ID, err)
	}
	spoken, err := os.CreateTemp(s.synth.TempDir(), now.ID+".*.passages")
	if err != nil {
		return nil, errors.Join(backend.FileError("make the file of new passages", "the data directory", err), old.Close())
	}
	t := &timeline{g: now, plan: j.Plan, live: j.Live, source: old, spoken: spoken}
	t.Begin()
	j.Live.SetLevel(speech.Level{Gain: 1}) // all passages have that of the file
	return t, nil
}

// fill puts passages into the timeline, up to the first one that is not spoken yet, and finds the silence before each. From the
// first new one on, it can be heard.
func (t *timeline) fill(ctx context.Context, all []passage) error {
	for ; t.next < len(all) && !all[t.next].missing; t.next++ {
		p := all[t.next]
		if p.from >= 0 {
			t.keep(&p)
		}
		if p.source == nil { // there was nothing to speak
			t.skipped = max(t.skipped, p.gap)
			continue
		}
		p.gap, t.skipped = max(p.gap, t.skipped), 0
		var last *passage
		if n := len(t.passages); n > 0 {
			last = &t.passages[n-1]
			if err := t.adjust(ctx, *last, &p); err != nil {
				return err
			}
		}
		at := t.append(append(t.pause(p.gap, last, &p), piece{p.source, p.start, p.end})...) - (p.end - p.start)
		t.passages = append(t.passages, p)
		t.live.AddSpan(speech.Span{Line: t.next, Start: at, End: at + p.end - p.start, Text: p.line.Text})
		if p.from < 0 {
			t.live.ListenFrom(t, at)
		}
	}
	return nil
}

// finish appends the silence after the last passage.
func (t *timeline) finish() error {
	if len(t.passages) == 0 {
		return speech.ErrNothing
	}
	t.append(t.pause(audio.Frames(t.plan.LastPause().Seconds(), t.g.SampleRate), &t.passages[len(t.passages)-1], nil)...)
	t.End()
	return nil
}

// append adds pieces and returns the length.
func (t *timeline) append(pieces ...piece) int64 {
	n := int64(0)
	t.Mu.Lock()
	for _, p := range pieces {
		if p.end > p.start {
			t.pieces, n = append(t.pieces, p), n+p.end-p.start
		}
	}
	t.Mu.Unlock()
	t.Add(n)
	return t.Length()
}

// pause returns a silence of n frames with the fades of the passages beside it.
func (t *timeline) pause(n int64, last, next *passage) []piece {
	var out []piece
	var before, after int64 // frames of the fades
	if last != nil {
		after = min(last.after, fades(t.g, n))
		out = append(out, piece{last.source, last.end, last.end + after})
	}
	if next != nil {
		before = min(next.before, fades(t.g, n))
	}
	out = append(out, piece{nil, 0, n - after - before})
	if next != nil {
		out = append(out, piece{next.source, next.start - before, next.start})
	}
	return out
}

// keep sets the audio of a passage of the version before.
func (t *timeline) keep(p *passage) {
	c := t.g.Chunks[p.from]
	p.source = t.source
	p.start, p.end = audio.Frames(c.Start, t.g.SampleRate), audio.Frames(c.End, t.g.SampleRate)
	p.before, p.after = edges(t.g, p.from)
	p.words = engines.Shifted(c.Words, -c.Start)
}

// adjust sets the silence between two passages. It is what it was if they were neighbours before, with the same silence; else that
// of the structure, which includes the silence at the ends of the engine's output.
func (t *timeline) adjust(ctx context.Context, before passage, p *passage) error {
	if before.from >= 0 && p.from == before.from+1 {
		old := t.g.Receipt.Chunks[p.from]
		if old.PauseMS == p.line.PauseMS && old.Break == p.line.Break {
			p.gap = p.start - before.end
			return nil
		}
	}
	if t.plan.Pauses == nil {
		return nil
	}
	quiet := audio.FromDB(t.g.Receipt.GainDB) * engines.Quiet
	for _, kept := range []struct {
		passage
		tail bool
	}{{before, true}, {*p, false}} {
		if kept.from < 0 {
			continue
		}
		n, err := quietEnd(ctx, kept.passage, kept.tail, quiet)
		if err != nil {
			return err
		}
		p.gap = max(0, p.gap-n)
	}
	return nil
}

// quietEnd returns the frames at an end of a passage with no sample above quiet, at most a second.
func quietEnd(ctx context.Context, p passage, tail bool, quiet float64) (int64, error) {
	from, to := p.start, min(p.end, p.start+int64(p.source.Rate))
	if tail {
		from, to = max(p.start, p.end-int64(p.source.Rate)), p.end
	}
	first, last, at := int64(-1), int64(-1), int64(0)
	err := p.source.Read(ctx, from, to, func(samples []float32) error {
		for i, x := range samples {
			if float64(x) > quiet || float64(x) < -quiet {
				last = at + int64(i/p.source.Channels)
				if first < 0 {
					first = last
				}
			}
		}
		at += int64(len(samples) / p.source.Channels)
		return nil
	})
	switch {
	case err != nil:
		return 0, errAudioShort(err)
	case first < 0:
		return 0, nil // silent throughout: nothing tells where it ends
	case tail:
		return at - 1 - last, nil
	default:
		return first, nil
	}
}

func errAudioShort(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return backend.E(backend.CodeAudioMissing, "An audio file is shorter than expected.", "Regenerate it.").WithCause(err)
	}
	return err
}

// write writes the samples. None is decoded.
func (t *timeline) write(ctx context.Context, w io.Writer) error {
	for _, p := range t.pieces {
		if p.source == nil {
			if err := zeros(w, (p.end-p.start)*int64(2*t.g.Channels)); err != nil {
				return err
			}
			continue
		}
		if err := p.source.Copy(ctx, w, p.start, p.end); err != nil {
			return errAudioShort(err)
		}
	}
	return nil
}

// zeros writes n bytes of silence.
func zeros(w io.Writer, n int64) error {
	block := make([]byte, min(n, 64<<10))
	for n > 0 {
		part := block[:min(n, int64(len(block)))]
		if _, err := w.Write(part); err != nil {
			return err
		}
		n -= int64(len(part))
	}
	return nil
}

func (t *timeline) Format() (rate, channels int) { return t.g.SampleRate, t.g.Channels }

func (t *timeline) Length() int64 {
	frames, _, _ := t.State()
	return frames
}

func (t *timeline) Follow(ctx context.Context, from int64, emit func([]float32) error) error {
	return t.Growth.Follow(ctx, from, func(from, to int64) error { return t.Read(ctx, from, to, emit) })
}

func (t *timeline) Read(ctx context.Context, from, to int64, emit func([]float32) error) error {
	t.Mu.Lock()
	pieces := t.pieces
	t.Mu.Unlock()
	for _, p := range pieces {
		length := p.end - p.start
		start, end := p.start+max(0, from), p.start+min(to, length)
		from, to = from-length, to-length
		if start >= end {
			continue
		}
		read := func(from, to int64) error { return p.source.Share().Read(ctx, from, to, emit) }
		if p.source == nil {
			read = func(from, to int64) error {
				return audio.Silence(audio.Length(to-from, t.g.SampleRate), t.g.SampleRate, t.g.Channels, emit)
			}
		}
		if err := read(start, end); err != nil {
			return err
		}
	}
	return nil
}

func (t *timeline) Release() error {
	if !t.Leave() {
		return nil
	}
	return errors.Join(t.source.Close(), t.spoken.Close(), os.Remove(t.spoken.Name()))
}
