package voiceprints

import (
	"cmp"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

const maxName = 100 // characters, as of the speakers of transcripts

// Store has the voice prints of known speakers, a file for each in a folder that only the user can read. It is safe for concurrent use.
type Store struct {
	dir, former string

	mu     sync.Mutex
	people map[string]person // by id
}

// Open reads the voice prints in a folder, which need not exist; former is the folder of those that the last restore replaced. Files that
// cannot be read are left alone, see Examine. Temporary files of a killed process are removed.
func Open(dir, former string, log *slog.Logger) *Store {
	s := &Store{dir: dir, former: former, people: map[string]person{}}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		log.Warn("read the folder of the voice prints", "code", backend.CodeOf(backend.FileError("read", "the data directory", err)))
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			_ = os.Remove(filepath.Join(dir, e.Name())) // what cannot be removed is left for the next start
			continue
		}
		id, ok := strings.CutSuffix(e.Name(), extension)
		if !ok {
			continue
		}
		p, err := read(filepath.Join(dir, e.Name()))
		if err != nil || p.ID != id {
			log.Warn("a voice print cannot be read", "id", id)
			continue
		}
		s.people[id] = p
	}
	return s
}

func (s *Store) file(id string) string { return filepath.Join(s.dir, id+extension) }

// Name returns the name of a known speaker; ok is false for one who was forgotten.
func (s *Store) Name(id string) (name string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.people[id]
	return p.Name, ok
}

// list returns the known speakers by name; those whose prints are of the model are usable.
func (s *Store) list(model string) []KnownSpeaker {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]KnownSpeaker, 0, len(s.people))
	for _, p := range s.people {
		out = append(out, p.view(model))
	}
	slices.SortFunc(out, func(a, b KnownSpeaker) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// add stores a recording of a person, who is new unless another one has the name, ignoring case: then the print of that one gets better,
// or is replaced where it was made with another model.
func (s *Store) add(p person) (stored person, created bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.named(p.Name); ok {
		p = known.with(p)
	} else {
		created = true
	}
	return p, created, s.put(p)
}

func (s *Store) named(name string) (person, bool) {
	for _, p := range s.people {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	return person{}, false
}

// put writes the file of a person; mu is held. Error: ValidationError for a print that is like no voice, which read would refuse.
func (s *Store) put(p person) error {
	if !p.valid() {
		return checkHeard(0)
	}
	raw, err := p.encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return storeError(err)
	}
	if err := files.Write(s.file(p.ID), raw, 0o600); err != nil {
		return storeError(err)
	}
	s.people[p.ID] = p
	return nil
}

// rename changes the name of a person. Errors: not_found, ValidationError where another one has it.
func (s *Store) rename(id, name string, now time.Time) (person, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.people[id]
	if !ok {
		return p, errUnknown(id)
	}
	if other, taken := s.named(name); taken && other.ID != id {
		return p, backend.Invalid("value_error", "Another known speaker has this name", "body", "name")
	}
	if p.Name == name {
		return p, nil
	}
	p.Name, p.UpdatedAt = name, now
	return p, s.put(p)
}

// forget removes the file of a person, also one that cannot be read, and before it the copies that a restore put aside: where one of
// them cannot be removed, the person is still known, and can be forgotten again. Error: not_found.
func (s *Store) forget(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, known := s.people[id]
	removed := false
	for _, path := range append(s.copies(id, p.Name), s.file(id)) {
		err := os.Remove(path)
		missing := errors.Is(err, os.ErrNotExist)
		if path == s.file(id) && (err == nil || missing) {
			delete(s.people, id)
		}
		if missing {
			continue
		}
		if err == nil {
			err = files.SyncDir(filepath.Dir(path))
		}
		if err != nil {
			return backend.FileError("delete a voice print", "the data directory", err)
		}
		removed = true
	}
	if !known && !removed {
		return errUnknown(id)
	}
	return nil
}

// copies returns the files that the last restore put aside of a person: that of the id, and those of other ids with the name, ignoring
// case. An empty name is of nobody.
func (s *Store) copies(id, name string) []string {
	out := []string{filepath.Join(s.former, id+extension)}
	entries, _ := os.ReadDir(s.former) // without the folder there are none; of one that cannot be read, removing a file says so
	for _, e := range entries {
		path := filepath.Join(s.former, e.Name())
		if path == out[0] || filepath.Ext(path) != extension || name == "" {
			continue
		}
		if p, err := read(path); err == nil && strings.EqualFold(p.Name, name) {
			out = append(out, path)
		}
	}
	return out
}

// use returns how many files there are, and their bytes, with those that cannot be read.
func (s *Store) use() (count int, bytes int64) {
	entries, _ := os.ReadDir(s.dir) // without the folder there are none
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			count, bytes = count+1, bytes+info.Size()
		}
	}
	return count, bytes
}

// checkName returns a name without spaces at its ends. Error: ValidationError.
func checkName(name string) (string, error) {
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return "", backend.Invalid("string_too_short", "String should have at least 1 character", "body", "name")
	case utf8.RuneCountInString(name) > maxName:
		return "", backend.Invalid("string_too_long", "String should have at most 100 characters", "body", "name")
	}
	return name, nil
}

func storeError(err error) error {
	return backend.FileError("store a voice print", "the data directory", err)
}

func errUnknown(id string) error {
	return backend.E(backend.CodeNotFound, "No known speaker has this id.", "The voice print may have been deleted; check the list.").
		With("id", id)
}
