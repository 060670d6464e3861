package secrets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// The files of the data directory.
const (
	indexFile  = "secrets.json" // which secrets there are, without them
	secretFile = "secrets.enc"  // the encrypted file
	keyFile    = "secrets.key"  // its key, where there is no passphrase
)

const indexVersion = 1

// index is the content of the index file. It has no secret.
type index struct {
	Version int              `json:"version"`
	ID      string           `json:"id"` // of the data directory, in the names of its items
	Entries map[string]entry `json:"entries"`
	// Obsolete are items that may exist and that no entry uses: they are being written or are to be removed.
	Obsolete []entry `json:"obsolete,omitempty"`
}

// entry is where a secret is stored.
type entry struct {
	Place string `json:"place"`
	Item  string `json:"item"`
	Parts int    `json:"parts"`
	Note  string `json:"note,omitempty"`
}

func (e entry) sameItem(o entry) bool { return e.Place == o.Place && e.Item == o.Item }

// maxIndex and maxParts limit what a damaged or foreign index can make the program do.
const (
	maxIndex = 1 << 20
	maxParts = 1000
)

// readIndex reads the index of a data directory; one without the file has no secrets.
func readIndex(dir string) (index, error) {
	x := index{Version: indexVersion, Entries: map[string]entry{}}
	path := filepath.Join(dir, indexFile)
	raw, err := readLimited(path, maxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return x, nil
	}
	if err == nil {
		err = x.parse(raw)
	}
	if err != nil {
		return index{Entries: map[string]entry{}}, errUnreadable(path, err)
	}
	return x, nil
}

func (x *index) parse(raw []byte) error {
	err := json.Unmarshal(raw, x)
	if x.Version > indexVersion {
		return errVersion
	}
	if err != nil {
		return err
	}
	if x.Version != indexVersion || x.ID == "" || x.Entries == nil {
		return fmt.Errorf("version %d, id %q", x.Version, x.ID)
	}
	for _, e := range slices.Concat(slices.Collect(maps.Values(x.Entries)), x.Obsolete) {
		if e.Place != Keychain && e.Place != File || e.Item == "" || e.Parts < 1 || e.Parts > maxParts {
			return fmt.Errorf("entry %+v", e)
		}
	}
	return nil
}

// freeItem returns the name for the items of a new value: one of two, so that items that could not be removed are written over.
func (x *index) freeItem(name string, former entry, to string) string {
	item := x.ID + "/" + name
	if former.sameItem(entry{Place: to, Item: item + "/a"}) {
		return item + "/b"
	}
	return item + "/a"
}

// retire lists items as obsolete, once, with the most parts that they may have.
func (x *index) retire(e entry) {
	if e.Place == "" {
		return
	}
	for _, o := range x.Obsolete {
		if o.sameItem(e) {
			e.Parts = max(e.Parts, o.Parts)
		}
	}
	x.unretire(e)
	e.Note = ""
	x.Obsolete = append(x.Obsolete, e)
}

func (x *index) unretire(e entry) { x.Obsolete = slices.DeleteFunc(x.Obsolete, e.sameItem) }

// change changes the index, in the file first.
func (s *Store) change(f func(x *index)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.index
	x.Entries, x.Obsolete = maps.Clone(x.Entries), slices.Clone(x.Obsolete)
	f(&x)
	raw, err := json.MarshalIndent(x, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the index of secrets: %w", err)
	}
	path := filepath.Join(s.opts.Dir, indexFile)
	if err := files.Write(path, raw, 0o600); err != nil {
		return backend.FileError("write the index of secrets", path, err)
	}
	s.index = x
	return nil
}

// entry returns where a secret is stored; without a place when it is not.
func (s *Store) entry(name string) entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.index.Entries[name]
}

// names returns the names of the stored secrets, sorted.
func (s *Store) names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.index.Entries))
}

func (s *Store) remember(name, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[name] = value
}

func (s *Store) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.values, name)
}

// readLimited reads a file of at most max bytes.
func readLimited(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > limit:
		return nil, fmt.Errorf("a file of mode %s with %d bytes", info.Mode(), info.Size())
	}
	raw := make([]byte, info.Size())
	n, err := f.ReadAt(raw, 0)
	if int64(n) < info.Size() {
		return nil, err
	}
	return raw, nil
}
