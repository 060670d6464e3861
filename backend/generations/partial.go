package generations

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/speech/journal"
)

// hostedFolder is the folder of the parts of hosted generations, in folders named by these.
const hostedFolder = "hosted"

// Stored counts a part of a hosted generation whose audio is stored, of total, with its length.
func (j *Job) Stored(total int, seconds float64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.partial == nil {
		j.ran, j.partial = true, &backend.Partial{Total: total}
	}
	j.partial.Chunks++
	j.partial.Seconds = journal.Thousandths(j.partial.Seconds + seconds)
}

// partials are the finished chunks of generations that were stopped or failed.
type partials struct {
	base
	gens *Service
}

func (p *partials) remove(id string) {
	p.gens.Player.forget(id)
	p.synth.RemoveChunks(p.synth.JournalPath(id))
}

// of returns what is stored of a job that has ended without being complete, after what was stored of it before.
func (p *partials) of(j *Job, before *backend.Partial) *backend.Partial {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.discard:
		p.remove(j.Row.ID)
		return nil
	case j.ran:
		return j.partial
	default:
		return before
	}
}

// drop removes the finished chunks of a generation that has ended. Hosted ones are paid, and removed with their
// generation only.
func (p *partials) drop(ctx context.Context, id string) (backend.Generation, error) {
	g, err := p.o.Store.UpdateGeneration(ctx, id, func(g *backend.Generation) error {
		if !g.Status.Ended() || g.Partial == nil || g.Source == backend.SourceHosted {
			return errEnded
		}
		g.Partial = nil
		return nil
	})
	if err != nil {
		return g, err
	}
	p.remove(id)
	p.gens.Notify(g)
	return g, nil
}

var errEnded = backend.E(backend.CodeNotInProgress, "This generation has already ended.", "There is nothing to cancel.")

// recover makes store and audio directory consistent after a crash: unfinished generations become failed with the remedy
// to retry, and their temporary files are removed. It returns them.
func (s *Service) recover(ctx context.Context) ([]backend.Generation, error) {
	if err := errors.Join(files.RemoveAll(s.synth.TempDir()), os.MkdirAll(s.synth.TempDir(), 0o700)); err != nil {
		return nil, backend.FileError("make the audio directory", "the data directory", err)
	}
	lost, err := s.o.Store.Recover(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range lost {
		if err := os.Remove(s.Archive.Path(g)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, backend.FileError("remove an unfinished file", "the data directory", err)
		}
	}
	return lost, s.partials.recover(ctx)
}

// recover records what the journals hold after a crash, and removes those that no generation needs. A restored backup has
// none: then nothing is said to be stored.
func (p *partials) recover(ctx context.Context) error {
	paths, _ := filepath.Glob(p.synth.JournalPath("*")) // the patterns are well formed
	revisions := p.synth.RevisionPaths("*")
	paths = slices.DeleteFunc(paths, func(path string) bool { return slices.Contains(revisions, path) })
	hosted, _ := filepath.Glob(filepath.Join(p.o.Dir, hostedFolder, "*"))
	var stored []string
	for _, path := range slices.Concat(paths, hosted) {
		stored = append(stored, strings.TrimSuffix(filepath.Base(path), speech.JournalSuffix))
	}
	if err := p.o.Store.KeepPartials(ctx, stored); err != nil {
		return err
	}
	for _, path := range paths {
		id := strings.TrimSuffix(filepath.Base(path), speech.JournalSuffix)
		g, err := p.o.Store.Generation(ctx, id)
		if backend.CodeOf(err) == backend.CodeGenerationNotFound || err == nil && g.Status == backend.StatusComplete {
			p.remove(id)
			continue
		}
		if err != nil {
			return err
		}
		if g.Partial != nil && g.Status == backend.StatusCancelled { // it was recorded when it ended
			continue
		}
		partial, empty, err := journal.ReadPartial(path)
		if err != nil {
			p.o.Log.Warn("read the finished chunks of a generation", "id", id, "error", err)
			continue
		}
		if empty { // the program was killed before the first sentence was finished
			p.remove(id)
			partial = nil
		}
		_, err = p.o.Store.UpdateGeneration(ctx, id, func(g *backend.Generation) error {
			g.Partial = partial
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
