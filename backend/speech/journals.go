package speech

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/voicewright/voicewright/backend"
)

const (
	PartialFolder  = "partial"
	JournalSuffix  = ".journal"          // of the name of a journal, after the id of its generation
	revisionSuffix = ".revision.journal" // the same of the journal of a revision, after the version that it changes
)

// journalPath returns the path of the journal of a generation. TempDir is emptied at each start, so it is not there.
func (s *Synthesizer) JournalPath(id string) string {
	return filepath.Join(s.O.Dir, PartialFolder, id+JournalSuffix)
}

// revisionPath returns the path of the journal of a revision of this version of a generation.
func (s *Synthesizer) RevisionPath(g backend.Generation) string {
	return filepath.Join(s.O.Dir, PartialFolder, g.ID+"."+strconv.Itoa(g.Version)+revisionSuffix)
}

// revisionPaths returns the paths of all journals of revisions of a generation, * = of all generations.
func (s *Synthesizer) RevisionPaths(id string) []string {
	paths, _ := filepath.Glob(filepath.Join(s.O.Dir, PartialFolder, id+".*"+revisionSuffix)) // the pattern is well formed
	return paths
}

func (s *Synthesizer) RemoveChunks(paths ...string) {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.O.Log.Warn("remove finished chunks", "file", filepath.Base(path), "error", err)
		}
	}
}

// thousandths rounds seconds for the history.
func Thousandths(seconds float64) float64 { return math.Round(seconds*1000) / 1000 }
