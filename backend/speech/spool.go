package speech

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speech/journal"
)

// Spool stores the samples of a running generation on disk, little-endian float32, so that memory stays flat and a
// stream can follow at its own pace without blocking the engine.
type Spool struct {
	file     *os.File
	Rate     int
	Channels int
	buf      []byte
	Growth   // in bytes
}

var _ Sound = (*Spool)(nil)

// NewSpool creates a new file in dir, because a stream may still read the one of an earlier attempt.
func NewSpool(dir, id string, rate, channels int) (*Spool, error) {
	f, err := os.CreateTemp(dir, id+".*.spool")
	if err != nil {
		return nil, backend.FileError("make the spool file", "the data directory", err)
	}
	p := &Spool{file: f, Rate: rate, Channels: channels}
	p.Begin()
	return p, nil
}

// write appends samples.
func (p *Spool) Write(samples []float32) error {
	p.buf = journal.AppendSamples(p.buf[:0], samples)
	at, _, _ := p.State()
	if _, err := p.file.WriteAt(p.buf, at); err != nil {
		return backend.FileError("write the spool file", "the data directory", err)
	}
	p.Add(int64(len(p.buf)))
	return nil
}

// Release removes the writer or a reader. The last one removes the file.
func (p *Spool) Release() error {
	if !p.Leave() {
		return nil
	}
	return errors.Join(p.file.Close(), os.Remove(p.file.Name()))
}

// Format returns the rate in Hz and the number of channels.
func (p *Spool) Format() (rate, channels int) { return p.Rate, p.Channels }

// Length returns how many frames there are so far.
func (p *Spool) Length() int64 {
	bytes, _, _ := p.State()
	return bytes / p.offset(1)
}

func (p *Spool) Read(ctx context.Context, from, to int64, emit func([]float32) error) error {
	return p.blocks(p.offset(from), p.offset(to), func(samples []float32) error {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		return emit(samples)
	})
}

// Follow calls emit with all frames from one on, and waits for those to come until the writer has ended.
func (p *Spool) Follow(ctx context.Context, from int64, emit func([]float32) error) error {
	return p.Growth.Follow(ctx, p.offset(from), func(from, to int64) error { return p.blocks(from, to, emit) })
}

// all calls emit with all samples written so far, in blocks.
func (p *Spool) all(emit func([]float32) error) error {
	bytes, _, _ := p.State()
	return p.blocks(0, bytes, emit)
}

// offset returns where a frame begins in the file, in bytes.
func (p *Spool) offset(frame int64) int64 { return frame * int64(p.Channels) * 4 }

// spoolBlock is how many bytes are read at once.
const spoolBlock = 256 << 10

func (p *Spool) blocks(from, to int64, emit func([]float32) error) error {
	raw := make([]byte, min(to-from, spoolBlock))
	samples := make([]float32, len(raw)/4)
	for from < to {
		part := raw[:min(int64(len(raw)), to-from)]
		if _, err := p.file.ReadAt(part, from); err != nil {
			return fmt.Errorf("read the spool file: %w", err)
		}
		samples = journal.ParseSamples(samples[:0], part)
		if err := emit(samples); err != nil {
			return err
		}
		from += int64(len(part))
	}
	return nil
}
