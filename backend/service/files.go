package service

import (
	"context"
	"errors"
	"io"
	"strings"
)

// OpenFile returns the content and the entry of a file that a link names. Errors: 404 for an unknown name, 410 once the file has
// expired, and for one that a fault of the disk has emptied or cut off.
func (s *Service) OpenFile(ctx context.Context, name string) (io.ReadSeekCloser, File, error) {
	if !audioName(name) {
		return nil, File{}, errNoFile
	}
	file, err := s.o.Store.File(ctx, name)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, File{}, errNoFile
	case err != nil:
		return nil, File{}, err
	case !s.o.Now().Before(file.ExpiresAt):
		return nil, File{}, errFileGone
	}
	content, size, err := s.o.Files.Open(ctx, name)
	if errors.Is(err, ErrNotFound) { // deleted with its account, or before the clock was set back
		return nil, File{}, errFileGone
	}
	if err == nil && (size == 0 || size != file.Bytes) {
		s.o.Log.ErrorContext(ctx, "a file is damaged", "bytes", size, "written", file.Bytes)
		return nil, File{}, errors.Join(errFileDamaged, content.Close())
	}
	return content, file, err
}

// audioName reports whether name has the form of the names that fileName returns.
func audioName(name string) bool {
	base, mp3 := strings.CutSuffix(name, ".mp3")
	if !mp3 {
		var pcm bool
		if base, pcm = strings.CutSuffix(name, ".pcm"); !pcm {
			return false
		}
	}
	return len(base) == secretLength && base64URL(base)
}
