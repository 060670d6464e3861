package audio

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
)

// ExportOptions are how a file is written for other programs. The zero value keeps the loudness and uses the usual bit rate.
type ExportOptions struct {
	LUFS    *float64 // integrated loudness, with a true peak of at most CeilingDBTP; nil = as it is
	BitRate int      // kbit/s of lossy formats; 0 = the usual one

	Seconds  float64             // the length of the source, for Progress
	Progress func(share float64) // is told how much is done, 0 to 1, which never goes down; nil = nobody asks
}

// AsMade reports whether loudness and quality stay as they were made.
func (o ExportOptions) AsMade() bool { return o.LUFS == nil && o.BitRate == 0 }

// maxLevelTries is how often a lossy file is written at most: its encoder moves the peaks, and at low bit rates the loudness.
const maxLevelTries = 4

// Export is Encode with options. A lossy file with a loudness is measured after encoding, and written again where its loudness
// or its peaks differ.
func (c *Codecs) Export(ctx context.Context, src, dst, format string, meta map[string]string, o ExportOptions) error {
	tags, err := cleanTags(meta)
	if err != nil {
		return err
	}
	if err := c.Ready(ctx, format); err != nil {
		return err
	}
	p := newProgress(o.Progress, o.Seconds)
	return replaceFile(dst, func(temp string) error {
		if o.LUFS == nil {
			return c.write(ctx, src, temp, format, tags, o.BitRate, p)
		}
		return c.exportLevelled(ctx, src, temp, format, tags, o, p)
	})
}

// exportLevelled writes a file with the loudness of o.
func (c *Codecs) exportLevelled(ctx context.Context, src, dst, format string, tags []tag, o ExportOptions, p progress) error {
	pairs, err := os.CreateTemp(filepath.Dir(dst), "level.*.tmp")
	if err != nil {
		return backend.FileError("level", "the exported file", err)
	}
	defer func() { _, _ = pairs.Close(), os.Remove(pairs.Name()) }()
	trace, err := c.trace(ctx, src, pairs, p.part(0, 0.2))
	if err != nil {
		return err
	}
	leveled := dst + ".level.wav"
	defer func() { _ = os.Remove(leveled) }()
	goal, ceiling := *o.LUFS, float64(CeilingDBTP)
	p = p.part(0.2, 1)
	for try := 1; ; try++ {
		if format == backend.FormatWAV || format == backend.FormatFLAC {
			if err := c.level(ctx, src, leveled, trace, pairs, goal, ceiling, p.part(0, 0.5)); err != nil {
				return err
			}
			return c.write(ctx, leveled, dst, format, tags, o.BitRate, p.part(0.5, 1))
		}
		now := p.part(0, 0.7) // most files need one try
		p = p.part(0.7, 1)
		if err := c.level(ctx, src, leveled, trace, pairs, goal, ceiling, now.part(0, 0.2)); err != nil {
			return err
		}
		if err := c.write(ctx, leveled, dst, format, tags, o.BitRate, now.part(0.2, 0.8)); err != nil {
			return err
		}
		missing, excess, err := c.measure(ctx, dst, *o.LUFS, now.part(0.8, 1))
		if err != nil || excess <= 0 && math.Abs(missing) < 0.1 || try == maxLevelTries {
			return err
		}
		const margin = 0.05 // dB: the encoder moves the next peaks a little differently
		goal += missing
		if excess > 0 {
			ceiling -= excess + margin
		}
	}
}

// write writes a file in a format, with a bit rate in kbit/s, 0 for the usual one.
func (c *Codecs) write(ctx context.Context, src, dst, format string, tags []tag, bitRate int, p progress) error {
	if format == backend.FormatWAV {
		return c.toWAV(ctx, src, dst, tags, p)
	}
	return c.encode(ctx, src, dst, format, tags, bitRate, p)
}

// level writes the audio of src, whose trace has these pairs, to dst as 16-bit WAV with a loudness and a true peak of at most
// ceiling. Its memory is flat. Silence stays as it is.
func (c *Codecs) level(
	ctx context.Context, src, dst string, trace *Trace, pairs *os.File, target, ceiling float64, p progress,
) error {
	found, err := trace.Level(target, ceiling, func(emit func([]float32) error) error { return replayPairs(ctx, pairs, emit) })
	if err != nil {
		return err
	}
	out, err := os.Create(dst)
	if err != nil {
		return backend.FileError("level", "the exported file", err)
	}
	err = c.each(ctx, src, p, func(rate, channels int) (func([]float32) error, func() error, error) {
		w, err := NewWAVWriter(out, rate, channels)
		if err != nil {
			return nil, nil, err
		}
		if found.Reduction == 0 {
			return func(samples []float32) error {
				for i := range samples {
					samples[i] = float32(float64(samples[i]) * found.Gain)
				}
				return w.Write(samples)
			}, w.Close, nil
		}
		limiter := NewLimiter(rate, channels, found.Gain, ceiling)
		return func(samples []float32) error { return w.Write(limiter.Write(samples)) },
			func() error { return errors.Join(w.Write(limiter.Close()), w.Close()) }, nil
	})
	return backend.FileError("level", "the exported file", errors.Join(err, out.Close()))
}

// trace writes the trace of a file to pairs.
func (c *Codecs) trace(ctx context.Context, src string, pairs *os.File, p progress) (*Trace, error) {
	var trace *Trace
	out := bufio.NewWriter(pairs)
	err := c.each(ctx, src, p, func(rate, channels int) (func([]float32) error, func() error, error) {
		trace = NewTrace(rate, channels)
		return func(samples []float32) error { return binary.Write(out, binary.LittleEndian, trace.Write(samples)) },
			func() error { return errors.Join(binary.Write(out, binary.LittleEndian, trace.Close()), out.Flush()) }, nil
	})
	return trace, backend.FileError("level", "the exported file", err)
}

// replayPairs emits the pairs of a trace from its start.
func replayPairs(ctx context.Context, pairs *os.File, emit func([]float32) error) error {
	if _, err := pairs.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("level: %w", err)
	}
	in := bufio.NewReaderSize(pairs, readAhead)
	raw, block := make([]byte, readAhead), make([]float32, readAhead/4)
	for {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		n, err := io.ReadFull(in, raw)
		if n == 0 && errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !ended(err) {
			return fmt.Errorf("level: %w", err)
		}
		if _, err := binary.Decode(raw[:n], binary.LittleEndian, block[:n/4]); err != nil {
			return fmt.Errorf("level: %w", err)
		}
		if err := emit(block[:n/4]); err != nil {
			return err
		}
	}
}

// measure returns how far a file is below a loudness, 0 where it cannot be measured, and how far its true peak is above CeilingDBTP.
func (c *Codecs) measure(ctx context.Context, path string, target float64, p progress) (missing, excess float64, err error) {
	var meter *Meter
	err = c.each(ctx, path, p, func(rate, channels int) (func([]float32) error, func() error, error) {
		meter = NewMeter(rate, channels)
		return func(samples []float32) error { meter.Write(samples); return nil }, func() error { return nil }, nil
	})
	if err != nil {
		return 0, 0, err
	}
	if lufs, ok := meter.Integrated(); ok {
		missing = target - lufs
	}
	return missing, ToDB(meter.TruePeak()) - CeilingDBTP, nil
}

// each decodes a file block by block. begin is called with its rate in Hz and its channels, and returns what is called for each
// block and at the end.
func (c *Codecs) each(
	ctx context.Context, path string, p progress, begin func(rate, channels int) (write func([]float32) error, end func() error, err error),
) error {
	return c.read(ctx, path, func(s source) error {
		write, end, err := begin(s.Rate(), s.Channels())
		if err != nil {
			return err
		}
		block := make([]float32, decodeBlock/s.Channels()*s.Channels())
		for frames := 0; ; p.at(float64(frames) / float64(s.Rate())) {
			if err := ctx.Err(); err != nil {
				return backend.ErrCancelled.WithCause(err)
			}
			n, err := s.Read(block)
			frames += n / s.Channels()
			if errors.Is(err, io.EOF) {
				return end()
			}
			if err == nil {
				err = write(block[:n])
			}
			if err != nil {
				return err
			}
		}
	})
}
