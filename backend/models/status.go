package models

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// Status lists the models in the order of the registry, the user's own after them. A model whose files somebody else took away
// is broken from then on until they are back. What cannot be read, such as a disk that is away, says nothing of a model.
func (m *Manager) Status(context.Context) []backend.ModelStatus {
	m.refresh()
	m.miss()
	total, free, known := m.o.Memory()
	m.mu.Lock()
	defer m.unlock()
	out := make([]backend.ModelStatus, len(m.order))
	for i, md := range m.order {
		out[i] = m.status(md)
		out[i].Fits = fits(md, total, free, known)
	}
	return out
}

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

// Get gives one entry of the list. Errors: model_unknown.
func (m *Manager) Get(_ context.Context, name string) (backend.ModelStatus, error) {
	_, s, err := m.one(name)
	return s, err
}

// Detail gives one entry of the list with its voices and files. Errors: model_unknown.
func (m *Manager) Detail(_ context.Context, name string) (backend.ModelDetail, error) {
	md, s, err := m.one(name)
	if err != nil {
		return backend.ModelDetail{}, err
	}
	return backend.ModelDetail{ModelStatus: s, VoicesList: voicesOf(md.entry), Files: m.filesOf(md)}, nil
}

func (m *Manager) one(name string) (*model, backend.ModelStatus, error) {
	m.refresh()
	total, free, known := m.o.Memory()
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	if err != nil {
		return nil, backend.ModelStatus{}, err
	}
	s := m.status(md)
	s.Fits = fits(md, total, free, known)
	return md, s, nil
}

// filesOf lists the files of a model, with the hashes of those that are here.
func (m *Manager) filesOf(md *model) []backend.ModelFile {
	known := map[string]string{}
	for _, h := range m.hashes(md) {
		known[h.Path] = h.SHA256
	}
	out := make([]backend.ModelFile, len(md.variant.Files))
	for i, f := range md.variant.Files {
		out[i] = backend.ModelFile{Path: f.Path, Bytes: f.Bytes, SHA256: cmp.Or(known[f.Path], f.SHA256)}
	}
	return out
}

// hashes gives those of the files of a model that are here, none while the directory is on its way.
func (m *Manager) hashes(md *model) []backend.FileHash {
	m.mu.Lock()
	shut := m.dir.shut
	if !shut {
		m.dir.users++
	}
	m.unlock()
	if shut {
		return nil
	}
	defer m.leaveFiles()
	p, _ := m.locate(md)
	return p.hashes
}

// Loaded lists the models in memory.
func (m *Manager) Loaded(ctx context.Context) []backend.ModelStatus {
	out := []backend.ModelStatus{}
	for _, s := range m.Status(ctx) {
		if s.Loaded {
			out = append(out, s)
		}
	}
	return out
}

// status is called with mu held.
func (m *Manager) status(md *model) backend.ModelStatus {
	e := md.entry
	s := backend.ModelStatus{
		ModelName: e.Name, DisplayName: e.DisplayName, Engine: e.Engine, Downloaded: md.state.OnDisk(),
		SizeMB: md.variant.SizeMB(), Loaded: md.state == backend.ModelLoaded, State: md.state, Family: e.Family,
		Variant: md.variant.Name, Note: e.Note, Languages: e.Languages, Voices: e.Usable(), Cloning: e.Cloning,
		Default: e.Default, Error: md.failure, PartialMB: megabytes(md.partial),
		License: backend.License{
			Name: e.License.Name, URL: e.License.URL, AcceptRequired: e.License.AcceptRequired,
			Accepted: !e.License.AcceptRequired || m.licence.accepted(e.Name),
		},
	}
	able := m.abilities(e.Engine)
	s.Supported = m.driver(e.Engine) != nil
	s.Mixes, s.Steps, s.Multilingual = able.Mixes && len(e.Voices) > 1, able.Steps, able.Multilingual
	if md.state.OnDisk() && md.bytes > 0 {
		s.SizeMB = megabytes(md.bytes)
	}
	if len(md.variant.Files) > 0 {
		s.RepoID, s.Revision = md.variant.Files[0].Repo, md.variant.Files[0].Revision
	}
	if s.Revision == registry.Branch && md.state.OnDisk() {
		s.Revision = md.commit
	}
	if imported(md.variant) {
		s.Revision = revisionOf(md.variant)
	}
	if md.variant.MemoryMB > 0 {
		s.Memory.Estimate = new(md.variant.MemoryMB)
	}
	if md.measured > 0 {
		s.Memory.Measured = new(md.measured)
	}
	if md.rtf > 0 {
		s.RTF = new(md.rtf)
	}
	if md.download != nil {
		s.Downloading = &backend.ModelDownload{Current: md.progress.Current, Total: md.progress.Total}
	}
	if !md.lastUsed.IsZero() {
		s.LastUsedAt = new(md.lastUsed)
	}
	if slot := md.slot; md.state == backend.ModelLoaded {
		info := slot.speaker.Info()
		s.Device = info.Device
		s.Shape = &backend.ModelShape{Workers: cmp.Or(md.workers, info.Concurrency), Threads: info.Threads}
		if !slot.unloadAt.IsZero() {
			s.UnloadAt = new(slot.unloadAt)
		}
	}
	return s
}

func megabytes(n int64) int { return int((n + 999_999) / 1_000_000) }
