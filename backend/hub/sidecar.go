package hub

import (
	"encoding/json"
	"os"

	"github.com/voicewright/voicewright/backend/files"
)

// sideCar stands beside a partial file, so that a later process goes on without hashing it all again. The bytes up to
// Offset were on the disk when it was written.
type sideCar struct {
	URL      string `json:"url"` // of the hub or mirror, before redirects
	Path     string `json:"path"`
	ETag     string `json:"etag"` // of the answer, as If-Range wants it; "" when there is no strong one
	Size     int64  `json:"size"` // of the whole file
	SHA256   string `json:"sha256"`
	Offset   int64  `json:"offset"`
	State    []byte `json:"state"`     // of SHA-256 at Offset
	GitState []byte `json:"git_state"` // of the git blob's SHA-1 at Offset; empty when not needed
	Tail     []byte `json:"tail"`      // SHA-256 of the bytes just before Offset
}

// readSideCar is careful: what is read may be half-written, or someone else's.
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

func (p *partial) note() (sideCar, error) {
	sha, git, err := p.digest.state()
	return sideCar{
		URL: p.url, Path: p.want.Path, ETag: p.etag, Size: p.want.Size, SHA256: p.want.SHA256,
		Offset: p.size, State: sha, GitState: git, Tail: p.tail(p.size),
	}, err
}

func (p *partial) writeSide(s sideCar) error {
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
