package service

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// storedFiles are the audio that links name.
type storedFiles struct{ o *Config }

// OpenFile returns the content and the entry of a file that a link names. Errors: 404 for an unknown name, 410 once the file has
// expired, and for one that a fault of the disk has emptied or cut off.
func (f *storedFiles) OpenFile(ctx context.Context, name string) (io.ReadSeekCloser, File, error) {
	if !audioName(name) {
		return nil, File{}, errNoFile
	}
	file, err := f.o.Store.File(ctx, name)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, File{}, errNoFile
	case errors.Is(err, ErrExpired):
		return nil, File{}, errFileGone
	case err != nil:
		return nil, File{}, err
	}
	content, size, err := f.o.Files.Open(ctx, name)
	if errors.Is(err, ErrNotFound) { // deleted with its account, or before the clock was set back
		return nil, File{}, errFileGone
	}
	if err == nil && (size == 0 || size != file.Bytes) {
		f.o.Log.ErrorContext(ctx, "a file is damaged", "bytes", size, "written", file.Bytes)
		return nil, File{}, errors.Join(errFileDamaged, content.Close())
	}
	return content, file, err
}

// stored reports whether the audio of a call is still there.
func (f *storedFiles) stored(ctx context.Context, u Usage) (bool, error) {
	content, size, err := f.o.Files.Open(ctx, u.File)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return size > 0, content.Close() // a fault of the disk may have emptied it
}

// remove deletes a file, whether or not ctx has ended. One that stays has no index entry, so the sweeper finds it.
func (f *storedFiles) remove(ctx context.Context, name string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deleteTimeout)
	defer cancel()
	if err := backend.Contain(func() error { return f.o.Files.Delete(ctx, name) }); err != nil {
		f.o.Log.ErrorContext(ctx, "delete the audio of a failed call", "error", err)
	}
}

// dayBytes are those at the beginning of a file name's random bytes that tell its day instead.
const dayBytes = 2

const secondsPerDay = 24 * 60 * 60

// fileName returns a new name that cannot be guessed: 2 bytes for today and 30 random ones, in base64url.
func (f *storedFiles) fileName(format Format) (string, error) {
	var b [secretBytes]byte
	binary.BigEndian.PutUint16(b[:], uint16(f.o.Now().Unix()/secondsPerDay))
	if _, err := io.ReadFull(f.o.Random, b[dayBytes:]); err != nil {
		return "", fmt.Errorf("read random bytes: %w", err)
	}
	name := base64.RawURLEncoding.EncodeToString(b[:])
	if format == MP3 {
		return name + ".mp3", nil
	}
	return name + ".pcm", nil
}

// FileDay returns the day on which a link to generated audio was made, by its first 2 bytes: the days since 1970-01-01 in UTC, big-endian.
// Names that were made before they told the day tell any, always the same one. It returns false for other files.
func FileDay(name string) (time.Time, bool) {
	if !audioName(name) {
		return time.Time{}, false
	}
	var b [secretBytes]byte
	_, _ = base64.RawURLEncoding.Decode(b[:], []byte(name[:secretLength])) // audioName has checked it
	return time.Unix(int64(binary.BigEndian.Uint16(b[:]))*secondsPerDay, 0).UTC(), true
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
