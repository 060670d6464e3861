package models

import (
	"encoding/json"
	"fmt"
	"maps"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// pins stores in a small file what the first download of a file got that the registry has no hash of. From then on it is a
// pinned file: every later download gets the same bytes, or fails. Files with an MD5 are checked by that.
type pins struct {
	path string

	mu    sync.Mutex
	files map[string]pin // by pinKey
}

// pin is one version of a file.
type pin struct {
	Commit string `json:"commit"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// pinKey returns the name of a file in the list. With another revision in the registry it is another file.
func pinKey(f registry.File) string { return f.Repo + "@" + f.Revision + ":" + f.Path }

// read reads the file; after an error no file is pinned.
func (p *pins) read(path string) (err error) {
	p.path = path
	p.files, err = files.ReadMap[pin](path)
	return err
}

// of returns the pin of a file; ok is false for a file that the registry pins, and one that was never downloaded.
func (p *pins) of(f registry.File) (known pin, ok bool) {
	if f.Pinned || f.MD5 != "" {
		return pin{}, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	known, ok = p.files[pinKey(f)]
	return known, ok
}

// add stores the pins of the downloaded files of a variant that have none.
func (p *pins) add(v registry.Variant, here []hub.Snapshot) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := maps.Clone(p.files)
	for _, f := range v.Files {
		if _, ok := all[pinKey(f)]; ok || f.Pinned || f.MD5 != "" {
			continue
		}
		for _, s := range here {
			for _, got := range s.Files {
				if s.Repo == f.Repo && got.Path == f.Path {
					all[pinKey(f)] = pin{Commit: s.Revision, Bytes: got.Size, SHA256: got.SHA256}
				}
			}
		}
	}
	if p.path == "" || len(all) == len(p.files) {
		return nil
	}
	raw, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the hashes of downloaded files: %w", err)
	}
	if err := files.Write(p.path, append(raw, '\n'), 0o600); err != nil {
		return backend.FileError("write the hashes of downloaded files", "the data directory", err)
	}
	p.files = all
	return nil
}
