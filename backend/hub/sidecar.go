package hub

import (
	"encoding/json"
	"os"

	"github.com/voicewright/voicewright/backend/files"
)

// sideCar is stored beside a partial file, so that another process can resume without hashing all of it again. The bytes up to
// Offset were on the disk when it was written.
type sideCar struct {
	URL      string `json:"url"` // of the hub or mirror, before redirects
	Path     string `json:"path"`
	ETag     string `json:"etag"` // of the response, for If-Range; "" when there is no strong one
	Size     int64  `json:"size"` // of the complete file
	SHA256   string `json:"sha256"`
	Offset   int64  `json:"offset"`
	State    []byte `json:"state"`     // of SHA-256 at Offset
	GitState []byte `json:"git_state"` // of the git blob's SHA-1 at Offset; empty when not needed
	Tail     []byte `json:"tail"`      // SHA-256 of the bytes just before Offset
}

// readSideCar reports false for a file that is incomplete or not a side-car.
func readSideCar(name string) (sideCar, bool) {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSideCar {
		return sideCar{}, false
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return sideCar{}, false
	}
	return parseSideCar(raw)
}

func parseSideCar(raw []byte) (sideCar, bool) {
	var s sideCar
	if len(raw) > maxSideCar || json.Unmarshal(raw, &s) != nil {
		return sideCar{}, false
	}
	return s, s.Offset >= 0 && s.Size >= 0 && s.Offset <= s.Size && checkPath(s.Path) == nil
}

// sideCar returns the state of the partial file.
func (p *partial) sideCar() (sideCar, error) {
	sha, git, err := p.digest.state()
	return sideCar{
		URL: p.url, Path: p.want.Path, ETag: p.etag, Size: p.want.Size, SHA256: p.want.SHA256,
		Offset: p.size, State: sha, GitState: git, Tail: p.tail(p.size),
	}, err
}

// writeSideCar stores a state unless the file is closed.
func (p *partial) writeSideCar(s sideCar) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	return files.Write(p.side, raw, 0o644)
}
