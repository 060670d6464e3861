package speech

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// reviseChunks speaks the new passages of a revision, and joins them and the others to the new file.
func (s *Service) reviseChunks(ctx context.Context, j *job, rev *revision, loaded *engines.Loaded, newText string) error {
	info := engines.Info{SampleRate: rev.base.SampleRate, Channels: rev.base.Channels}
	if loaded != nil {
		info = loaded.Info()
	}
	if info.SampleRate != rev.base.SampleRate || info.Channels != rev.base.Channels {
		return backend.E(backend.CodeEngineMismatch, "The model of this generation has been replaced by one with another sample rate.",
			"Generate the new text.")
	}
	all, segments, err := s.passages(ctx, j, rev, info)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(s.TempDir(), rev.base.ID+".*.passages")
	if err != nil {
		return backend.FileError("make the file of new passages", "the data directory", err)
	}
	defer func() { _ = errors.Join(file.Close(), os.Remove(file.Name())) }()
	if len(segments) > 0 {
		if err := s.speakPassages(ctx, j, loaded, all, segments, file); err != nil {
			return err
		}
	}
	now, unlock, err := s.lockBase(ctx, rev)
	if err != nil {
		return err
	}
	defer unlock()
	return s.rejoin(ctx, j, now, all, newText)
}

// rejoin writes the new file of a revision and stores the new version. The caller holds the lock of the files.
func (s *Service) rejoin(ctx context.Context, j *job, now backend.Generation, all []passage, newText string) error {
	path, err := s.master(ctx, now)
	if err != nil {
		return audioGone(now.ID, err)
	}
	old, err := audio.OpenPCM16(path)
	if err != nil {
		return audioGone(now.ID, err)
	}
	defer func() { _ = old.Close() }()
	t := &timeline{g: now, source: old, end: frames(j.lastPause().Seconds(), now.SampleRate)}
	if err := t.fill(ctx, all, j.pauses != nil); err != nil {
		return err
	}
	next := t.generation(newText, j)
	if err := s.measure(ctx, t, &next); err != nil {
		return err
	}
	return s.storeVersion(ctx, now, next, func(next backend.Generation, takes takesFolder) (string, error) {
		if err := s.keepTakes(ctx, now, next, t.passages, takes); err != nil {
			return "", err
		}
		return s.writeJoined(ctx, next, takes, t)
	})
}

// timeline is the order of the passages of a new file.
type timeline struct {
	g        backend.Generation // the version before
	source   *audio.PCMFile     // its samples
	passages []passage
	end      int64 // frames of silence after the last one
	frames   int64
}

// fill puts the passages that have audio into the timeline, and finds the silence before each.
func (t *timeline) fill(ctx context.Context, all []passage, trimmed bool) error {
	skipped := int64(0)
	for _, p := range all {
		if p.from >= 0 {
			t.keep(&p)
		}
		if p.source == nil { // there was nothing to speak
			skipped = max(skipped, p.gap)
			continue
		}
		p.gap, skipped = max(p.gap, skipped), 0
		if n := len(t.passages); n > 0 {
			before := t.passages[n-1]
			if err := t.adjust(ctx, before, &p, trimmed); err != nil {
				return err
			}
		}
		t.passages = append(t.passages, p)
	}
	if len(t.passages) == 0 {
		return errNothing
	}
	for _, p := range t.passages {
		t.frames += p.gap + p.end - p.start
	}
	t.frames += t.end
	return nil
}

// keep sets the audio of a passage of the version before.
func (t *timeline) keep(p *passage) {
	c := t.g.Chunks[p.from]
	p.source = t.source
	p.start, p.end = frames(c.Start, t.g.SampleRate), frames(c.End, t.g.SampleRate)
	p.before, p.after = edges(t.g, p.from)
	p.words = engines.Shifted(c.Words, -c.Start)
}

// adjust sets the silence between two passages. It is what it was if they were neighbours before, with the same silence; else that
// of the structure, which includes the silence at the ends of the engine's output.
func (t *timeline) adjust(ctx context.Context, before passage, p *passage, trimmed bool) error {
	if before.from >= 0 && p.from == before.from+1 {
		old := t.g.Receipt.Chunks[p.from]
		if old.PauseMS == p.line.PauseMS && old.Break == p.line.Break {
			p.gap = p.start - before.end
			return nil
		}
	}
	if !trimmed {
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
		return 0, audioShort(err)
	case first < 0:
		return 0, nil // silent throughout: nothing tells where it ends
	case tail:
		return at - 1 - last, nil
	default:
		return first, nil
	}
}

func audioShort(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return backend.E(backend.CodeAudioMissing, "An audio file is shorter than expected.", "Regenerate it.").WithCause(err)
	}
	return err
}

// generation returns the new version, without the hash of its file.
func (t *timeline) generation(newText string, j *job) backend.Generation {
	g := t.g
	receipt := *g.Receipt
	g.Text, g.Error, g.Version, g.Duration = newText, nil, g.Version+1, seconds(t.frames, g.SampleRate)
	g.Chunks, receipt.Chunks = nil, nil
	at := int64(0)
	for _, p := range t.passages {
		at += p.gap
		c := backend.Chunk{Text: p.line.Text, Start: seconds(at, g.SampleRate), Takes: 1}
		if p.from >= 0 {
			c.Take, c.Takes = t.g.Chunks[p.from].Take, t.g.Chunks[p.from].Takes
		}
		c.Words = engines.Shifted(p.words, c.Start)
		at += p.end - p.start
		c.End = seconds(at, g.SampleRate)
		g.Chunks, receipt.Chunks = append(g.Chunks, c), append(receipt.Chunks, p.line)
	}
	chunks := receipt.Chunks
	g.Receipt = receipt.Revised(j.lastPause().Milliseconds(), j.shortened())
	g.Receipt.Chunks = chunks
	return g
}

// writeJoined writes the new file, and for a compressed generation its samples, and returns the hash of the file.
func (s *Service) writeJoined(ctx context.Context, g backend.Generation, takes takesFolder, t *timeline) (string, error) {
	wav := filepath.Join(s.TempDir(), g.ID+".joined.wav")
	defer func() { _ = os.Remove(wav) }() // does nothing when it was moved
	sum, err := writeWAV(wav, g, g.SampleRate, g.Channels, t.frames, func(w io.Writer) error { return t.write(ctx, w) })
	if err != nil {
		return "", err
	}
	file, err := s.publish(ctx, g, rendered{wav, sum}, g.AudioPath)
	if err == nil && g.Format != backend.FormatWAV {
		err = moveFinished(ctx, wav, takes.master(file.sha256))
	}
	return file.sha256, err
}

// write writes the samples of the timeline. None is decoded.
func (t *timeline) write(ctx context.Context, w io.Writer) error {
	var last *passage
	for _, p := range t.passages {
		if err := t.pause(ctx, w, p.gap, last, &p); err != nil {
			return err
		}
		if err := p.source.Copy(ctx, w, p.start, p.end); err != nil {
			return audioShort(err)
		}
		last = &p
	}
	return t.pause(ctx, w, t.end, last, nil)
}

// pause writes a silence of n frames with the fades of the passages beside it.
func (t *timeline) pause(ctx context.Context, w io.Writer, n int64, last, next *passage) error {
	if n == 0 {
		return nil
	}
	var before, after int64 // frames of the fades
	if last != nil {
		after = min(last.after, fades(t.g, n))
		if err := last.source.Copy(ctx, w, last.end, last.end+after); err != nil {
			return audioShort(err)
		}
	}
	if next != nil {
		before = min(next.before, fades(t.g, n))
	}
	if err := zeros(w, (n-after-before)*int64(2*t.g.Channels)); err != nil {
		return err
	}
	if next == nil {
		return nil
	}
	return audioShort(next.source.Copy(ctx, w, next.start-before, next.start))
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
