package speech

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/voicewright/voicewright/backend"
)

const (
	// PartialFolder is the folder of the journals, in that of the audio.
	PartialFolder = "partial"
	// JournalSuffix ends the name of a journal, after the id of its generation.
	JournalSuffix  = ".journal"
	revisionSuffix = ".revision.journal" // the same of the journal of a revision, after the version that it changes
)

// JournalPath returns the path of the journal of a generation. TempDir is emptied at each start, so it is not there.
func (s *Synthesizer) JournalPath(id string) string {
	return filepath.Join(s.o.Dir, PartialFolder, id+JournalSuffix)
}

// RevisionPath returns the path of the journal of a revision of this version of a generation.
func (s *Synthesizer) RevisionPath(g backend.Generation) string {
	return filepath.Join(s.o.Dir, PartialFolder, g.ID+"."+strconv.Itoa(g.Version)+revisionSuffix)
}

// RevisionPaths returns the paths of all journals of revisions of a generation, * = of all generations.
func (s *Synthesizer) RevisionPaths(id string) []string {
	paths, _ := filepath.Glob(filepath.Join(s.o.Dir, PartialFolder, id+".*"+revisionSuffix)) // the pattern is well formed
	return paths
}

// RemoveChunks removes journals; those that are not there are ignored.
func (s *Synthesizer) RemoveChunks(paths ...string) {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.o.Log.Warn("remove finished chunks", "file", filepath.Base(path), "error", err)
		}
	}
}
