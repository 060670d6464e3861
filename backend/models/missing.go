package models

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// checkEvery is how often lists check whether the files of all models are still there: clients request a list at each change.
const checkEvery = 2 * time.Second

// fileCheck is the check of one model's files: the model's state before, and the result.
type fileCheck struct {
	md       *model
	state    backend.ModelState
	failure  *backend.Failure
	version  int
	commit   string
	location location
	here     bool
	missing  bool // files are certainly missing
}

// checkMissing finds models whose files somebody removed or put back. A model in memory keeps working without them. One caller at
// a time checks, without mu, and no other waits for it, as a disk may be slow.
func (m *checker) checkMissing() {
	m.mu.Lock()
	checks := m.modelsToCheck()
	m.unlock()
	if len(checks) == 0 {
		return
	}
	defer m.releaseFiles()
	for i := range checks {
		s := &checks[i]
		s.location, s.here = m.locate(s.md)
		if s.missing = !s.here && s.state == backend.ModelDownloaded && m.isReadable(s.md, s.commit); s.missing {
			s.location, s.here = m.locate(s.md) // the disk may be mounted again meanwhile
			s.missing = !s.here
		}
	}
	m.mu.Lock()
	defer m.unlock()
	m.checking, m.checkedAt = false, m.o.Now()
	for _, s := range checks {
		if !m.closed && m.isCurrent(s) {
			m.apply(s)
		}
	}
}

// modelsToCheck returns the models whose files have to be checked now. When there are any, the caller counts as a user of the
// directory; mu is held.
func (m *checker) modelsToCheck() []fileCheck {
	since := m.o.Now().Sub(m.checkedAt)
	if m.closed || m.checking || m.dir.closed || since >= 0 && since < checkEvery {
		return nil
	}
	if m.o.ReadOnly {
		m.readDeleted()
	}
	out := make([]fileCheck, 0, len(m.order))
	for _, md := range m.order {
		if m.isStable(md) {
			out = append(out, fileCheck{md: md, state: md.state, failure: md.failure, version: md.version, commit: md.commit})
		}
	}
	if len(out) > 0 {
		m.checking = true
		m.dir.users++
	}
	return out
}

// isStable reports whether the files of a model should be on the disk, or another program may add them, and nobody in this one
// changes them; mu is held.
func (m *checker) isStable(md *model) bool {
	expected := md.state == backend.ModelDownloaded || md.state == backend.ModelBroken
	added := m.o.ReadOnly && md.state == backend.ModelNotDownloaded
	return (expected || added) && md.gate == nil && !md.removing
}

// isCurrent reports whether a model did not change during the check; mu is held.
func (m *checker) isCurrent(s fileCheck) bool {
	md := s.md
	return m.models[fold(md.entry.Name)] == md && m.isStable(md) &&
		md.state == s.state && md.failure == s.failure && md.version == s.version
}

// apply applies the result of a check; mu is held. A model that is broken for another reason than missing files stays so.
func (m *checker) apply(s fileCheck) {
	md := s.md
	switch broken := s.state == backend.ModelBroken; {
	case s.state == backend.ModelNotDownloaded:
		if s.here && !m.deleted[fold(md.entry.Name)] {
			m.markDownloaded(md, s.location)
		}
	case broken && !s.here:
		md.missing = md.failure
	case broken && md.missing == md.failure:
		m.markDownloaded(md, s.location)
	case s.missing:
		md.missing = backend.FailureOf(errChanged(md, s.location.wrong))
		m.markCorrupt(md, md.missing)
	}
}

// isReadable reports whether the folders of a model can be read. An empty models directory counts as one on a disk that is not
// mounted.
func (m *checker) isReadable(md *model, commit string) bool {
	if names, err := os.ReadDir(m.o.Hub.Cache().Dir); err != nil || len(names) == 0 {
		return false
	}
	return !slices.ContainsFunc(m.folders(md, commit), func(dir string) bool {
		return filepath.WalkDir(dir, tryOpen) != nil
	})
}

// tryOpen is a WalkDirFunc that opens each file. A missing file is no error.
func tryOpen(path string, d fs.DirEntry, err error) error {
	if err == nil && !d.IsDir() {
		var f *os.File
		if f, err = os.Open(path); err == nil {
			err = f.Close()
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// folders returns the folders of a model's files; commit is that of the downloaded files.
func (m *checker) folders(md *model, commit string) []string {
	if imported(md.variant) {
		return []string{m.folder(md.entry.Name)}
	}
	var out []string
	for _, source := range sources(md.variant) {
		for _, g := range m.groups(md.variant, source) {
			g.Revision = commit
			for _, s := range m.o.Hub.Cache().Entries(g.Request) {
				out = append(out, filepath.Dir(filepath.Dir(s.Dir))) // of the repository, above snapshots/commit
			}
		}
	}
	return out
}
