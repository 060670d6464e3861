package voicecache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/engines"
)

// A file is: magic, length and bytes of the name, length and bytes of the key, SHA-256 of the payload, length of the
// payload, payload. Lengths are uint64, little-endian.
const (
	magic     = "VWVOICE1"
	extension = ".voice"
)

// path returns the file of a reference; empty where it has no folder.
func (c *Cache[T]) path(ref engines.Reference) string {
	if ref.Cache == "" {
		return ""
	}
	sum := sha256.Sum256(c.label(ref.Key))
	return filepath.Join(ref.Cache, hex.EncodeToString(sum[:8])+extension)
}

// label returns the beginning of a file, which is the same for equal names and keys only.
func (c *Cache[T]) label(key string) []byte {
	out := []byte(magic)
	for _, part := range []string{c.options.Name, key} {
		out = append(binary.LittleEndian.AppendUint64(out, uint64(len(part))), part...)
	}
	return out
}

// read returns the value of a reference from its file; ok is false for every file but the one that write wrote.
func (c *Cache[T]) read(ref engines.Reference) (value T, ok bool) {
	path := c.path(ref)
	if path == "" {
		return value, false
	}
	payload, err := content(path, c.label(ref.Key))
	if err != nil {
		return value, false
	}
	if value, err = c.options.Decode(payload); err != nil {
		return value, false
	}
	_ = os.Chtimes(path, time.Time{}, time.Now()) // its owner removes files that were not used for long
	return value, true
}

var errForeign = errors.New("not the file of this voice")

// content returns the payload of a file that begins with label.
func content(path string, label []byte) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe might never end
		return nil, errForeign
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, len(label)+sha256.Size+8)
	if _, err := io.ReadFull(f, head); err != nil {
		return nil, err
	}
	sum, size := head[len(label):len(label)+sha256.Size], binary.LittleEndian.Uint64(head[len(label)+sha256.Size:])
	if !bytes.HasPrefix(head, label) || size != uint64(info.Size()-int64(len(head))) {
		return nil, errForeign
	}
	payload := make([]byte, size)
	if _, err := io.ReadFull(f, payload); err != nil {
		return nil, err
	}
	if found := sha256.Sum256(payload); !bytes.Equal(found[:], sum) {
		return nil, errForeign
	}
	return payload, nil
}

// write writes the file of a value. Without it the value is computed again at the next start, so that a full disk or a folder
// that cannot be written is no error. Only the last folder is made: the one above is the profile's, which may be deleted by
// now.
func (c *Cache[T]) write(ref engines.Reference, value T) {
	path := c.path(ref)
	if path == "" {
		return
	}
	payload, err := c.options.Encode(value)
	if err != nil {
		return
	}
	if err := os.Mkdir(ref.Cache, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return
	}
	sum := sha256.Sum256(payload)
	head := binary.LittleEndian.AppendUint64(append(c.label(ref.Key), sum[:]...), uint64(len(payload)))
	_ = files.Replace(path, 0o600, func(f *os.File) error {
		_, err := io.Copy(f, io.MultiReader(bytes.NewReader(head), bytes.NewReader(payload)))
		return err
	})
}
