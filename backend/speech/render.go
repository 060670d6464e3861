package speech

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
)

// rendered is a finished audio file.
type rendered struct{ path, sha256 string }

// maxWAVBytes is the largest size in the 32-bit fields of a WAV file.
const maxWAVBytes = math.MaxUint32 - 4<<10 // with the header and tags

var errTooLong = backend.E(backend.CodeEngineFailed, "The audio is longer than a WAV file can hold (4 GB).",
	"Split the text into parts.").With("stage", "write")

// render writes the spool with its gain into a file of the wanted format and moves it to its path when it is whole.
func (s *Service) render(ctx context.Context, j *job, sp *spool, made recording, path string) (rendered, error) {
	wav := filepath.Join(s.TempDir(), j.g.ID+".wav")
	defer func() { _ = os.Remove(wav) }() // does nothing when it became the final file
	tags, err := j.fileTags()
	if err != nil {
		return rendered{}, err
	}
	sum, err := writeWAV(ctx, wav, sp, made, tags)
	if err != nil {
		return rendered{}, err
	}
	finished := wav
	if j.g.Format != "wav" {
		finished = filepath.Join(s.TempDir(), filepath.Base(path))
		defer func() { _ = os.Remove(finished) }()
		if err := s.o.Encoder.Encode(ctx, wav, finished, j.g.Format, j.g.Tags()); err != nil {
			return rendered{}, err
		}
		if sum, err = files.SHA256(ctx, finished); err != nil {
			return rendered{}, backend.FileError("read the audio", "the data directory", err)
		}
	}
	if err := ctx.Err(); err != nil {
		return rendered{}, backend.ErrCancelled.WithCause(err)
	}
	if err := files.Move(finished, path); err != nil {
		_ = os.Remove(path) // if only the sync of its folder failed
		return rendered{}, backend.FileError("move the audio into place", "the data directory", err)
	}
	return rendered{path, sum}, nil
}

// fileTags returns what a WAV file says about itself: that its voice is cloned. Files of other voices are tagged when they are
// exported.
func (j *job) fileTags() ([]byte, error) {
	if !j.g.Cloned() {
		return nil, nil
	}
	return audio.InfoChunk(j.g.Tags())
}

// writeWAV writes 16-bit PCM with tags after it, and returns the SHA-256 of the file.
func writeWAV(ctx context.Context, path string, sp *spool, made recording, tags []byte) (string, error) {
	size := made.frames * int64(sp.channels) * 2
	if size > maxWAVBytes {
		return "", errTooLong
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return "", backend.FileError("make the audio file", "the data directory", err)
	}
	h := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(f, h), 64<<10)
	_, err = out.Write(audio.TaggedWAVHeader(sp.rate, sp.channels, uint32(size), len(tags)))
	if err == nil {
		err = writePCM(ctx, out, sp, made.level)
	}
	if err == nil {
		_, err = out.Write(tags)
	}
	if err == nil {
		err = out.Flush()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return "", backend.FileError("write the audio", "the data directory", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// writePCM writes the spool as 16-bit PCM until its writer ends.
func writePCM(ctx context.Context, w io.Writer, sp *spool, l level) error {
	var pcm []byte
	read := func(emit func([]float32) error) error { return sp.follow(ctx, 0, emit) }
	return l.through(sp.rate, sp.channels, read, func(samples []float32) error {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		pcm = audio.PCM16(pcm[:0], samples)
		_, err := w.Write(pcm)
		return err
	})
}
