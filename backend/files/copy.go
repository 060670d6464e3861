package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
)

// Copy copies a regular file to a new one, see Create.
func Copy(ctx context.Context, from, to string, mode fs.FileMode) (n int64, sum string, err error) {
	in, err := openRegular(from)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = in.Close() }()
	return Create(ctx, to, mode, in)
}

// Create writes the content of r to a new file, which is synced, and returns the number of bytes and their SHA-256 in
// hexadecimal digits. After an error the new file is removed. Errors: cancelled, fs.ErrExist.
func Create(ctx context.Context, path string, mode fs.FileMode, r io.Reader) (n int64, sum string, err error) {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return 0, "", err
	}
	h := sha256.New()
	n, err = Stream(ctx, io.MultiWriter(out, h), r)
	if err == nil {
		err = Sync(out)
	}
	if err := errors.Join(err, out.Close()); err != nil {
		_ = os.Remove(path)
		return 0, "", err
	}
	return n, hex.EncodeToString(h.Sum(nil)), nil
}

// SHA256 returns the SHA-256 of a regular file in hexadecimal digits. Error: cancelled.
func SHA256(ctx context.Context, path string) (string, error) {
	h := sha256.New()
	if _, err := Read(ctx, path, h); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Read writes the content of a regular file to w. Another kind of file is an error. Error: cancelled.
func Read(ctx context.Context, path string, w io.Writer) (int64, error) {
	f, err := openRegular(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	return Stream(ctx, w, f)
}

// openRegular looks before it opens, as opening a pipe might never end.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", filepath.Base(path))
	}
	return os.Open(path)
}

const blockSize = 512 << 10 // bytes read at once

// Stream copies r to w until the end of r. Error: cancelled, soon after ctx ends.
func Stream(ctx context.Context, w io.Writer, r io.Reader) (int64, error) {
	var total int64
	block := make([]byte, blockSize)
	for {
		if err := ctx.Err(); err != nil {
			return total, backend.ErrCancelled.WithCause(err)
		}
		n, err := r.Read(block)
		if n > 0 {
			if _, err := w.Write(block[:n]); err != nil {
				return total, err
			}
			total += int64(n)
		}
		if errors.Is(err, io.EOF) {
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}
