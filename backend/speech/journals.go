package speech

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

const (
	partialFolder  = "partial"
	journalSuffix  = ".journal"          // of the name of a journal, after the id of its generation
	revisionSuffix = ".revision.journal" // the same of the journal of a revision, after the version that it changes
)

// journalPath returns the path of the journal of a generation. TempDir is emptied at each start, so it is not there.
func (s *Synthesizer) journalPath(id string) string {
	return filepath.Join(s.o.Dir, partialFolder, id+journalSuffix)
}

// revisionPath returns the path of the journal of a revision of this version of a generation.
func (s *Synthesizer) revisionPath(g backend.Generation) string {
	return filepath.Join(s.o.Dir, partialFolder, g.ID+"."+strconv.Itoa(g.Version)+revisionSuffix)
}

// revisionPaths returns the paths of all journals of revisions of a generation, * = of all generations.
func (s *Synthesizer) revisionPaths(id string) []string {
	paths, _ := filepath.Glob(filepath.Join(s.o.Dir, partialFolder, id+".*"+revisionSuffix)) // the pattern is well formed
	return paths
}

func (s *Synthesizer) removeChunks(paths ...string) {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.o.Log.Warn("remove finished chunks", "file", filepath.Base(path), "error", err)
		}
	}
}

// thousandths rounds seconds for the history.
func thousandths(seconds float64) float64 { return math.Round(seconds*1000) / 1000 }

// recoverPartial records what the journals hold after a crash, and removes those that no generation needs. A restored backup has
// none: then nothing is said to be stored.
func (s *Service) recoverPartial(ctx context.Context) error {
	paths, _ := filepath.Glob(s.synth.journalPath("*")) // the patterns are well formed
	revisions := s.synth.revisionPaths("*")
	paths = slices.DeleteFunc(paths, func(path string) bool { return slices.Contains(revisions, path) })
	hosted, _ := filepath.Glob(filepath.Join(s.o.Dir, hostedFolder, "*"))
	var stored []string
	for _, path := range slices.Concat(paths, hosted) {
		stored = append(stored, strings.TrimSuffix(filepath.Base(path), journalSuffix))
	}
	if err := s.o.Store.KeepPartials(ctx, stored); err != nil {
		return err
	}
	for _, path := range paths {
		id := strings.TrimSuffix(filepath.Base(path), journalSuffix)
		g, err := s.o.Store.Generation(ctx, id)
		if backend.CodeOf(err) == backend.CodeGenerationNotFound || err == nil && g.Status == backend.StatusComplete {
			s.removeJournal(id)
			continue
		}
		if err != nil {
			return err
		}
		if g.Partial != nil && g.Status == backend.StatusCancelled { // it was recorded when it ended
			continue
		}
		partial, empty, err := readPartial(path)
		if err != nil {
			s.o.Log.Warn("read the finished chunks of a generation", "id", id, "error", err)
			continue
		}
		if empty { // the program was killed before the first sentence was finished
			s.removeJournal(id)
			partial = nil
		}
		_, err = s.o.Store.UpdateGeneration(ctx, id, func(g *backend.Generation) error {
			g.Partial = partial
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
