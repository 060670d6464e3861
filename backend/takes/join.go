package takes

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/speech/journal"
	"github.com/voicewright/voicewright/engines"
)

// joinPassages speaks the new passages of a revision, but for what is in the journal, and joins them and the others to the new file.
// loaded and stored are nil where there is nothing to speak.
func (rev *revision) joinPassages(ctx context.Context, loaded *engines.Loaded, stored *journal.Journal) error {
	info := engines.Info{SampleRate: rev.base.SampleRate, Channels: rev.base.Channels}
	if loaded != nil {
		info = loaded.Info()
	}
	if info.SampleRate != rev.base.SampleRate || info.Channels != rev.base.Channels {
		return backend.E(backend.CodeEngineMismatch, "The model of this generation has been replaced by one with another sample rate.",
			"Generate the new text.")
	}
	all, segments, err := rev.passages(ctx, info)
	if err != nil {
		return err
	}
	t, err := rev.newTimeline(ctx)
	if err != nil {
		return err
	}
	defer rev.service.synth.Drop(t)
	if err := t.fill(ctx, all); err != nil {
		return err
	}
	if len(segments) > 0 {
		if err := rev.speakPassages(ctx, loaded, stored, all, segments, t); err != nil {
			return err
		}
	}
	if err := t.finish(); err != nil {
		return err
	}
	now, unlock, err := rev.lockBase(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return rev.rejoin(ctx, now, t)
}

// rejoin writes the new file of a revision and stores the new version. The caller holds the lock of the files.
func (rev *revision) rejoin(ctx context.Context, now backend.Generation, t *timeline) error {
	next := t.generation(rev.text)
	if err := t.measure(ctx, &next); err != nil {
		return err
	}
	return rev.service.storeVersion(ctx, now, next, func(next backend.Generation, takes takesFolder) (string, error) {
		if err := rev.service.keepTakes(ctx, now, next, t.passages, takes); err != nil {
			return "", err
		}
		return rev.service.writeJoined(ctx, next, takes, t)
	})
}

// generation returns the new version, without the hash of its file.
func (t *timeline) generation(newText string) backend.Generation {
	g := t.g
	receipt := *g.Receipt
	g.Text, g.Error, g.Version, g.Duration = newText, nil, g.Version+1, audio.Seconds(t.Length(), g.SampleRate)
	g.Chunks, receipt.Chunks = nil, nil
	at := int64(0)
	for _, p := range t.passages {
		at += p.gap
		c := backend.Chunk{Text: p.line.Text, Start: audio.Seconds(at, g.SampleRate), Takes: 1}
		if p.from >= 0 {
			c.Take, c.Takes = t.g.Chunks[p.from].Take, t.g.Chunks[p.from].Takes
		}
		c.Words = engines.Shifted(p.words, c.Start)
		at += p.end - p.start
		c.End = audio.Seconds(at, g.SampleRate)
		g.Chunks, receipt.Chunks = append(g.Chunks, c), append(receipt.Chunks, p.line)
	}
	chunks := receipt.Chunks
	g.Receipt = receipt.Revised(t.plan.LastPause().Milliseconds(), t.plan.Shortened())
	g.Receipt.Chunks = chunks
	return g
}

// writeJoined writes the new file, and for a compressed generation its samples, and returns the hash of the file.
func (s *Service) writeJoined(ctx context.Context, g backend.Generation, takes takesFolder, t *timeline) (string, error) {
	wav := filepath.Join(s.synth.TempDir(), g.ID+".joined.wav")
	defer func() { _ = os.Remove(wav) }() // does nothing when it was moved
	sum, err := speech.WriteWAV(wav, g, g.SampleRate, g.Channels, t.Length(), func(w io.Writer) error { return t.write(ctx, w) })
	if err != nil {
		return "", err
	}
	file, err := s.synth.Publish(ctx, g, speech.File{Path: wav, SHA256: sum}, g.AudioPath)
	if err == nil && g.Format != backend.FormatWAV {
		err = speech.MoveFinished(ctx, wav, takes.master(file.SHA256))
	}
	return file.SHA256, err
}
