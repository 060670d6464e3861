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

// lookEvery is how often a list looks whether the files of all models are still there: lists are asked for at each change.
const lookEvery = 2 * time.Second

// sight is a model at which a list looks: what it was when the look began, and what was seen of its files.
type sight struct {
	md      *model
	state   backend.ModelState
	failure *backend.Failure
	turn    int
	commit  string
	place   place
	here    bool
	gone    bool // the files are not all there, and that is sure
}

// miss notes models whose files were taken away by somebody else, and those of which they came back. One in memory goes on
// without them. One caller at a time looks, without mu, and no other waits for it: a disk may be slow to answer.
func (m *Manager) miss() {
	m.mu.Lock()
	seen := m.due()
	m.unlock()
	if len(seen) == 0 {
		return
	}
	defer m.leaveFiles()
	for i := range seen {
		s := &seen[i]
		s.place, s.here = m.locate(s.md)
		if s.gone = !s.here && s.state == backend.ModelDownloaded && m.readable(s.md, s.commit); s.gone {
			s.place, s.here = m.locate(s.md) // the disk may have come back meanwhile
			s.gone = !s.here
		}
	}
	m.mu.Lock()
	defer m.unlock()
	m.looking, m.looked = false, m.o.Now()
	for _, s := range seen {
		if !m.closed && m.still(s) {
			m.note(s)
		}
	}
}

// due gives the models at which a list has to look now, and then counts the caller in as one that uses the directory; mu is
// held.
func (m *Manager) due() []sight {
	since := m.o.Now().Sub(m.looked)
	if m.closed || m.looking || m.dir.shut || since >= 0 && since < lookEvery {
		return nil
	}
	var out []sight
	for _, md := range m.order {
		if md.resting() {
			out = append(out, sight{md: md, state: md.state, failure: md.failure, turn: md.turn, commit: md.commit})
		}
	}
	if len(out) > 0 {
		m.looking = true
		m.dir.users++
	}
	return out
}

// resting reports whether files of a model should lie on the disk and nobody works with them; mu is held.
func (md *model) resting() bool {
	return (md.state == backend.ModelDownloaded || md.state == backend.ModelBroken) && md.gate == nil && !md.removing
}

// still reports whether a model is what it was when the look began; mu is held.
func (m *Manager) still(s sight) bool {
	md := s.md
	return m.models[fold(md.entry.Name)] == md && md.resting() &&
		md.state == s.state && md.failure == s.failure && md.turn == s.turn
}

// note takes over what was seen of a model; mu is held. One that is broken for another reason than files that were not there
// stays so.
func (m *Manager) note(s sight) {
	md := s.md
	switch broken := s.state == backend.ModelBroken; {
	case broken && !s.here:
		md.away = md.failure
	case broken && md.away == md.failure:
		m.arrive(md, s.place)
	case s.gone:
		md.away = failureOf(changed(md, s.place.wrong))
		m.doubt(md, md.away)
	}
}

// readable reports whether it can be known that files of a model are not there. An empty models directory is taken for one
// on a disk that is away.
func (m *Manager) readable(md *model, commit string) bool {
	if names, err := os.ReadDir(m.o.Hub.Cache().Dir); err != nil || len(names) == 0 {
		return false
	}
	return !slices.ContainsFunc(m.folders(md, commit), func(dir string) bool {
		return filepath.WalkDir(dir, opens) != nil
	})
}

// opens tries to open what a walk comes to. Something that is not there is no error.
func opens(path string, d fs.DirEntry, err error) error {
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

// folders names where files of a model lie; commit is where they came from.
func (m *Manager) folders(md *model, commit string) []string {
	if imported(md.variant) {
		return []string{m.folder(md.entry.Name)}
	}
	var out []string
	for _, source := range sources(md.variant) {
		for _, g := range groups(md.variant, source) {
			g.Revision = commit
			for _, s := range m.o.Hub.Cache().Entries(g.Request) {
				out = append(out, filepath.Dir(filepath.Dir(s.Dir))) // of the repository, above snapshots/commit
			}
		}
	}
	return out
}
