package speech

import (
	"bufio"
	"cmp"
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

// File is a finished audio file.
type File struct{ Path, SHA256 string }

// MaxWAVBytes is the largest size in the 32-bit fields of a WAV file.
const MaxWAVBytes = math.MaxUint32 - 4<<10 // with the header and tags

var errTooLong = backend.E(backend.CodeEngineFailed, "The audio is longer than a WAV file can hold (4 GB).",
	"Split the text into parts.").With("stage", "write")

// Render writes the spool with its gain into a file in the format of a generation and moves it to path when it is whole.
func (s *Synthesizer) Render(ctx context.Context, g backend.Generation, sp *Spool, sound Recording, path string) (File, error) {
	wav := filepath.Join(s.TempDir(), g.ID+".wav")
	defer func() { _ = os.Remove(wav) }() // does nothing when it became the final file
	sum, err := WriteWAV(wav, g, sp.Rate, sp.Channels, sound.Frames, func(w io.Writer) error {
		return ahead(func(emit func([]float32) error) error { return through(ctx, sp, sound.Level, emit) }, writePCM(ctx, w))
	})
	if err != nil {
		return File{}, err
	}
	return s.Publish(ctx, g, File{wav, sum}, path)
}

// Publish moves a WAV file to path when it is in the format of its generation; else a compressed copy, and the WAV file stays.
func (s *Synthesizer) Publish(ctx context.Context, g backend.Generation, wav File, path string) (File, error) {
	finished := wav
	if g.Format != backend.FormatWAV {
		finished.Path = filepath.Join(s.TempDir(), filepath.Base(path))
		defer func() { _ = os.Remove(finished.Path) }()
		if err := s.o.Encoder.Encode(ctx, wav.Path, finished.Path, g.Format, g.Tags()); err != nil {
			return File{}, err
		}
		var err error
		if finished.SHA256, err = files.SHA256(ctx, finished.Path); err != nil {
			return File{}, backend.FileError("read the audio", "the data directory", err)
		}
	}
	return File{path, finished.SHA256}, MoveFinished(ctx, finished.Path, path)
}

// MoveFinished moves a finished file to its path, unless the work on it was cancelled.
func MoveFinished(ctx context.Context, from, path string) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	if err := files.Move(from, path); err != nil {
		_ = os.Remove(path) // if only the sync of its folder failed
		return backend.FileError("move the audio into place", "the data directory", err)
	}
	return nil
}

// fileTags returns what the WAV file of a generation says about itself: that its voice is cloned. Files of other voices are tagged
// when they are exported.
func fileTags(g backend.Generation) ([]byte, error) {
	if !g.Cloned() {
		return nil, nil
	}
	return audio.InfoChunk(g.Tags())
}

// WriteWAV writes a WAV file of 16-bit PCM, which body writes, with the tags of a generation, and returns its SHA-256.
func WriteWAV(path string, g backend.Generation, rate, channels int, frames int64, body func(io.Writer) error) (string, error) {
	size := frames * int64(2*channels)
	if size > MaxWAVBytes {
		return "", errTooLong
	}
	tags, err := fileTags(g)
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return "", backend.FileError("make the audio file", "the data directory", err)
	}
	h := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(f, h), 64<<10)
	_, err = out.Write(audio.TaggedWAVHeader(rate, channels, uint32(size), len(tags)))
	if err == nil {
		err = body(out)
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

// WritePCM writes audio as 16-bit PCM until its writer ends.
func WritePCM(ctx context.Context, w io.Writer, sound Sound, l Level) error {
	return through(ctx, sound, l, writePCM(ctx, w))
}

// through calls emit with audio at a level, until its writer ends.
func through(ctx context.Context, sound Sound, l Level, emit func([]float32) error) error {
	read := func(emit func([]float32) error) error { return sound.Follow(ctx, 0, emit) }
	rate, channels := sound.Format()
	return l.Through(rate, channels, read, emit)
}

// writePCM returns a function that writes samples as 16-bit PCM.
func writePCM(ctx context.Context, w io.Writer) func(samples []float32) error {
	var pcm []byte
	return func(samples []float32) error {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		pcm = audio.PCM16(pcm[:0], samples)
		_, err := w.Write(pcm)
		return err
	}
}

// aheadBlocks is how many blocks read may be ahead of emit.
const aheadBlocks = 3

// ahead calls emit with copies of the blocks of read, which goes on meanwhile on another core.
func ahead(read func(emit func([]float32) error) error, emit func([]float32) error) error {
	blocks, free := make(chan []float32, aheadBlocks), make(chan []float32, aheadBlocks)
	for range aheadBlocks {
		free <- nil
	}
	ended := make(chan struct{})
	var failure error // read after ended is closed
	go func() {
		defer close(ended)
		failure = backend.Contain(func() error {
			for block := range blocks {
				if err := emit(block); err != nil {
					return err
				}
				free <- block
			}
			return nil
		})
	}()
	err := backend.Contain(func() error {
		return read(func(samples []float32) error {
			select {
			case block := <-free:
				blocks <- append(block[:0], samples...)
				return nil
			case <-ended:
				return failure
			}
		})
	})
	close(blocks)
	<-ended
	return cmp.Or(failure, err)
}
