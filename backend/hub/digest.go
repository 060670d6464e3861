package hub

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"fmt"
	"hash"
)

// digest hashes a file: always with SHA-256, and as a git blob with SHA-1 where that is the only hash that the hub has.
type digest struct {
	sha hash.Hash
	git hash.Hash // nil when not needed
}

func newDigest(t target) *digest {
	d := &digest{sha: sha256.New()}
	if t.SHA256 == "" && commitName.MatchString(t.etag) {
		d.git = sha1.New()
		_, _ = fmt.Fprintf(d.git, "blob %d\x00", t.Size)
	}
	return d
}

// Write never fails.
func (d *digest) Write(b []byte) (int, error) {
	_, _ = d.sha.Write(b)
	if d.git != nil {
		_, _ = d.git.Write(b)
	}
	return len(b), nil
}

// sum returns the SHA-256 in hexadecimal digits.
func (d *digest) sum() string { return hex.EncodeToString(d.sha.Sum(nil)) }

// matches reports whether the hashed bytes are the wanted content.
func (d *digest) matches(t target) bool {
	switch {
	case t.SHA256 != "":
		return d.sum() == t.SHA256
	case hashName.MatchString(t.etag):
		return d.sum() == t.etag
	case d.git != nil:
		return hex.EncodeToString(d.git.Sum(nil)) == t.etag
	default:
		return false
	}
}

// state returns the state of the hashes, to resume later (encoding.BinaryMarshaler of crypto/sha256 and crypto/sha1).
func (d *digest) state() (sha, git []byte, err error) {
	if sha, err = marshalHash(d.sha); err != nil || d.git == nil {
		return sha, nil, err
	}
	git, err = marshalHash(d.git)
	return sha, git, err
}

func marshalHash(h hash.Hash) ([]byte, error) {
	m, ok := h.(encoding.BinaryMarshaler)
	if !ok {
		return nil, fmt.Errorf("the state of %T cannot be saved", h)
	}
	return m.MarshalBinary()
}

// restore sets a state that state returned.
func (d *digest) restore(sha, git []byte) error {
	if err := unmarshalHash(d.sha, sha); err != nil {
		return err
	}
	if d.git == nil {
		return nil
	}
	return unmarshalHash(d.git, git)
}

func unmarshalHash(h hash.Hash, state []byte) error {
	m, ok := h.(encoding.BinaryUnmarshaler)
	if !ok {
		return fmt.Errorf("the state of %T cannot be saved", h)
	}
	return m.UnmarshalBinary(state)
}
