package finder

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// sound is the audio of a transcript as 16-bit samples in a temporary file, so that hours of it need no memory.
type sound struct {
	file    *os.File
	samples int
}

var _ engines.SoundSource = (*sound)(nil)

// open decodes a file into a temporary one, which the caller closes and removes. Errors: unsupported_media, runtime_missing,
// insufficient_disk, cancelled.
func (f *Finder) open(ctx context.Context, from, path string) (_ *sound, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, backend.FileError("store the sound", "the data directory", err)
	}
	s := &sound{file: file}
	take := f.o.Limit()
	var pcm []byte
	err = f.o.Codecs.StreamMono(ctx, from, engines.TranscriberRate, func(block []float32) error {
		if err := take(ctx, len(block)); err != nil {
			return err
		}
		s.samples += len(block)
		pcm = audio.PCM16(pcm[:0], block)
		if _, err := file.Write(pcm); err != nil {
			return backend.FileError("store the sound", "the data directory", err)
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return s, nil
}

// Samples returns how many samples there are.
func (s *sound) Samples() int { return s.samples }

// Read fills into with the samples from start on.
func (s *sound) Read(ctx context.Context, into []float32, start int) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	raw := make([]byte, 2*len(into))
	if _, err := s.file.ReadAt(raw, 2*int64(start)); err != nil {
		return fmt.Errorf("read the stored sound: %w", err)
	}
	for i := range into {
		into[i] = float32(int16(binary.LittleEndian.Uint16(raw[2*i:]))) / 32768 //nolint:gosec // the bits of a signed sample
	}
	return nil
}

// part returns the samples of a segment, at most limit.
func (s *sound) part(ctx context.Context, seg backend.Segment, limit int) ([]float32, error) {
	from := min(max(sampleAt(seg.Start), 0), s.samples)
	to := min(max(sampleAt(seg.End), from), s.samples, from+limit)
	out := make([]float32, to-from)
	return out, s.Read(ctx, out, from)
}

func (s *sound) close() { _ = s.file.Close() } // it was only read

func sampleAt(seconds float64) int { return int(seconds * engines.TranscriberRate) }
