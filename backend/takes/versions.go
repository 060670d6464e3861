package takes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/engines"
)

// storeVersion stores the next version of a generation: write makes its files and returns the hash of its audio, then the row is
// updated and the version before stored in one transaction. A failure leaves everything unchanged. The caller holds the lock of
// its files.
func (s *Service) storeVersion(
	ctx context.Context, now, next backend.Generation, write func(next backend.Generation, takes takesFolder) (sha256 string, err error),
) (err error) {
	next.AudioPath = nextVersion(now.AudioPath)
	r := replacement{now.ID, []string{next.AudioPath}}
	former, ok, err := s.o.Store.FormerVersion(ctx, now.ID)
	if err != nil {
		return err
	}
	if ok {
		r.Paths = append(r.Paths, former.AudioPath)
	}
	note, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("note the replacement of a file: %w", err)
	}
	if err := s.synth.WriteFile(s.files.replacementFile(now.ID), note); err != nil {
		return backend.FileError("note the replacement of a file", "the data directory", err)
	}
	current := now
	defer func() {
		s.files.sweep(ctx, r, current, backend.CodeOf(err) == backend.CodeGenerationNotFound)
		_ = os.Remove(s.files.replacementFile(now.ID))
	}()
	takes, err := s.files.make(next)
	if err != nil {
		return err
	}
	if next.Receipt.AudioSHA256, err = write(next, takes); err != nil {
		return err
	}
	next.Receipt.Sum()
	stored, err := s.o.Store.ReviseGeneration(context.WithoutCancel(ctx), now.ID, func(row *backend.Generation) error {
		next.Replaced().Restore(row)
		row.Credits = next.Credits
		row.SetVerification()
		return nil
	})
	if err != nil {
		return fmt.Errorf("write down the new version: %w", err)
	}
	current = stored
	_ = os.Remove(takes.path) // does nothing if it has a file
	return nil
}

// keepTakes puts the takes of kept passages into the new version, under their new numbers.
func (s *Service) keepTakes(
	ctx context.Context, now, next backend.Generation, passages []passage, to takesFolder,
) error {
	from := s.files.of(now)
	for i, p := range passages {
		if p.from < 0 || now.Chunks[p.from].Takes < 2 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		before, after := edges(now, p.from)
		newBefore, newAfter := edges(next, i)
		for n := range now.Chunks[p.from].Takes {
			t, err := readTake(from.file(p.from, n))
			if errors.Is(err, fs.ErrNotExist) && n == now.Chunks[p.from].Take {
				continue // it is cut out of the file when it is needed
			}
			if err != nil {
				return speech.AudioGone(now.ID, err)
			}
			t.pad(newBefore-before, newAfter-after)
			if err := s.writeTake(to.file(i, n), t); err != nil {
				return err
			}
		}
	}
	return nil
}

// pad adds frames of silence at both ends of a take, or removes them where the number is negative.
func (t *take) pad(before, after int64) {
	fit := func(samples []float32, n int64) []float32 {
		if n >= 0 {
			return append(make([]float32, n*int64(t.Channels)), samples...)
		}
		return samples[min(-n*int64(t.Channels), int64(len(samples))):]
	}
	t.Samples = fit(t.Samples, before)
	if n := after * int64(t.Channels); n >= 0 {
		t.Samples = append(t.Samples, make([]float32, n)...)
	} else {
		t.Samples = t.Samples[:max(0, int64(len(t.Samples))+n)]
	}
	t.words = engines.Shifted(t.words, audio.Seconds(before, t.Rate))
}

// UndoText restores the version of a generation before its text was last changed: text, chunks, takes, receipt and audio.
// Errors: generation_not_found, nothing_to_undo, not_in_progress while it is changed, audio_missing.
func (s *Service) UndoText(ctx context.Context, id string) (backend.Generation, error) {
	ctx, end, err := s.gens.Begin(ctx)
	if err != nil {
		return backend.Generation{}, err
	}
	defer end()
	s.gens.Checks.Cancel(id)
	done, err := s.gens.Archive.Lock(ctx, id)
	if err != nil {
		return backend.Generation{}, err
	}
	defer done()
	now, err := s.o.Store.Generation(ctx, id)
	if err != nil {
		return now, err
	}
	if s.gens.Busy(id) {
		return now, generations.ErrBeingChanged.With("generation_id", id)
	}
	former, ok, err := s.o.Store.FormerVersion(ctx, id)
	if err != nil {
		return now, err
	}
	if ok {
		if _, err := os.Stat(former.AudioPath); err != nil {
			return now, speech.AudioGone(id, err)
		}
	}
	out, err := s.o.Store.UndoRevision(context.WithoutCancel(ctx), id)
	if err != nil {
		return now, err
	}
	s.files.sweep(ctx, replacement{id, []string{now.AudioPath}}, out, false)
	s.gens.Notify(out)
	return out, nil
}
