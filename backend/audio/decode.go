package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// The limits of Decode: 2^28 samples of float32 are 1 GiB.
const (
	MaxDecodeDuration = 6 * time.Hour
	MaxDecodeSamples  = 1 << 28
)

// maxFileHours limits what is decoded to a file: a compressed file of some hundred kilobytes can hold weeks of silence.
const maxFileHours = 48

const decodeBlock = 64 << 10 // samples read at a time

// Decode returns the audio of a file at its own rate and channels. WAV files that ReadWAV supports are read without ffmpeg, MP3
// files by NewMP3Reader where ffmpeg is missing. Errors: runtime_missing without ffmpeg, unsupported_media for a file that has no
// audio, is damaged or exceeds MaxDecodeDuration or MaxDecodeSamples, backend.ErrCancelled soon after ctx ends.
func (c *Codecs) Decode(ctx context.Context, path string) (Buffer, error) {
	b, err := readWAVFile(ctx, path, false)
	if !isClass(err, ClassNotWAV, ClassUnsupported) {
		return b, err
	}
	return c.decode(ctx, path)
}

// DecodeMono is Decode to one channel at rate Hz, see Mono. The limits apply to the result, so that hours at a low rate
// fit.
func (c *Codecs) DecodeMono(ctx context.Context, path string, rate int) (Buffer, error) {
	b, err := readWAVFile(ctx, path, true)
	if !isClass(err, ClassNotWAV, ClassUnsupported, ClassLimits) {
		return b.Resampled(rate), err
	}
	out := Buffer{Rate: rate, Channels: 1}
	err = c.stream(ctx, path, conversion{}, func(w source) error {
		return streamMono(ctx, w, rate, nil, func(samples []float32) error {
			out.Samples = append(out.Samples, samples...)
			if len(out.Samples) > decodeLimit(rate, 1) {
				return errTooMuch
			}
			return nil
		})
	})
	if err != nil {
		return Buffer{}, err
	}
	return out, nil
}

// maxStartSamples limits the memory of DecodeStart to 256 MiB.
const maxStartSamples = 1 << 26

// errEnough ends the reading of a file of which only the start is wanted.
var errEnough = errors.New("the start has been read")

// DecodeStart is Decode of at most the first limit of a file. longer is set when the file goes on after that; the rest is not
// decoded. Error: unsupported_media also for a start of more than 2^26 samples.
func (c *Codecs) DecodeStart(ctx context.Context, path string, limit time.Duration) (b Buffer, longer bool, err error) {
	err = c.read(ctx, path, func(w source) (err error) {
		if b, longer, err = readStart(ctx, w, limit); longer {
			return errEnough
		}
		return err
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return b, longer, err
}

// read calls read with the audio of a file, which is decoded if it is not WAV.
func (c *Codecs) read(ctx context.Context, path string, read func(source) error) error {
	f, size, err := openMedia(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	w, err := NewWAVReader(io.LimitReader(f, size))
	switch {
	case isClass(err, ClassNotWAV, ClassUnsupported):
		return c.stream(ctx, path, conversion{}, read)
	case err != nil:
		return err
	default:
		return read(w)
	}
}

// readStart returns the first limit of w, and whether there is more.
func readStart(ctx context.Context, w source, limit time.Duration) (Buffer, bool, error) {
	b := Buffer{Rate: w.Rate(), Channels: w.Channels()}
	limitSamples := int(limit.Seconds()*float64(w.Rate())) * w.Channels()
	block := make([]float32, decodeBlock/w.Channels()*w.Channels())
	for {
		if err := ctx.Err(); err != nil {
			return Buffer{}, false, backend.ErrCancelled.WithCause(err)
		}
		n, err := w.Read(block)
		switch {
		case errors.Is(err, io.EOF) && len(b.Samples) == 0:
			return Buffer{}, false, errNoAudio
		case errors.Is(err, io.EOF):
			return b, false, nil
		case err != nil:
			return Buffer{}, false, err
		}
		left := limitSamples - len(b.Samples)
		b.Samples = append(b.Samples, block[:min(n, left)]...)
		if len(b.Samples) > maxStartSamples {
			return Buffer{}, false, formatErrorf(ClassLimits, "its start has more than %d million samples", maxStartSamples/1_000_000)
		}
		if n > left {
			return b, true, nil
		}
	}
}

// DecodeFile writes a compressed file to dst as a WAV file at rate Hz; 0 keeps the rate of the decoder, which is 48 kHz for
// all Opus files. dst appears complete or not at all. Errors: those of Encode.
func (c *Codecs) DecodeFile(ctx context.Context, src, dst string, rate int) error {
	return replaceFile(dst, func(temp string) error { return c.decodeTo(ctx, src, temp, conversion{rate: rate}, progress{}) })
}

// isClass reports whether err is a FormatError of one of these classes.
func isClass(err error, classes ...Class) bool {
	var format *FormatError
	if !errors.As(err, &format) {
		return false
	}
	for _, class := range classes {
		if format.Class == class {
			return true
		}
	}
	return false
}

// decode reads a compressed file.
func (c *Codecs) decode(ctx context.Context, path string) (b Buffer, err error) {
	err = c.stream(ctx, path, conversion{}, func(w source) error {
		b, err = readLimited(ctx, w, false)
		return err
	})
	if err != nil {
		return Buffer{}, err
	}
	return b, nil
}

// decodeTo writes the audio of a file to dst as 16-bit WAV, block by block, so that memory stays flat for any length.
func (c *Codecs) decodeTo(ctx context.Context, path, dst string, to conversion, p progress) (err error) {
	f, err := os.Create(dst)
	if err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	defer func() {
		err = backend.FileError("write the decoded audio", "the audio file", errors.Join(err, f.Close()))
	}()
	space := files.NewSpace(c.Free, filepath.Dir(dst))
	return c.stream(ctx, path, to, func(r source) error {
		w, err := NewWAVWriter(f, r.Rate(), r.Channels())
		if err != nil {
			return err
		}
		block := make([]float32, decodeBlock/r.Channels()*r.Channels())
		for {
			if err := ctx.Err(); err != nil {
				return backend.ErrCancelled.WithCause(err)
			}
			n, err := r.Read(block)
			if errors.Is(err, io.EOF) {
				return w.Close()
			}
			if err == nil {
				err = space.Use(ctx, 2*int64(n))
			}
			if err == nil {
				err = w.Write(block[:n])
				p.at(float64(w.Frames()) / float64(r.Rate()))
			}
			if err == nil && w.Frames() > maxFileHours*3600*int64(r.Rate()) {
				err = TooLong(maxFileHours)
			}
			if err != nil {
				return err
			}
		}
	})
}

// stream calls read with the audio of a compressed file, decoded by ffmpeg. MP3 needs none.
func (c *Codecs) stream(ctx context.Context, path string, to conversion, read func(source) error) error {
	program, _, err := c.ffmpeg.Find(ctx)
	if backend.CodeOf(err) == backend.CodeRuntimeMissing {
		return streamMP3(path, to, read, err)
	}
	if err != nil {
		return err
	}
	args, err := inputArgs(path)
	if err != nil {
		return err
	}
	// Without an offset, ffmpeg begins the time of a transport stream with the tracks that it decodes, not with the file.
	args = append(append([]string{"-itsoffset", "0.001"}, args...), "-map", "0:a:0")
	args = append(args, to.args()...)
	args = append(args, "-c:a", "pcm_f32le", "-f", "matroska", "pipe:1")
	return ffmpeg{program: program, args: args, read: func(r io.Reader) error {
		w, err := newClockReader(r)
		if err != nil {
			return err
		}
		return read(w)
	}}.run(ctx)
}

// readWAVFile reads a WAV file within the limits of Decode.
func readWAVFile(ctx context.Context, path string, mono bool) (Buffer, error) {
	f, size, err := openMedia(path)
	if err != nil {
		return Buffer{}, err
	}
	defer func() { _ = f.Close() }()
	w, err := NewWAVReader(io.LimitReader(f, size))
	if err != nil {
		return Buffer{}, err
	}
	return readLimited(ctx, w, mono)
}

// decodeLimit returns how many samples Decode returns at most.
func decodeLimit(rate, channels int) int {
	return int(min(MaxDecodeSamples, MaxDecodeDuration.Seconds()*float64(rate*channels)))
}

var errTooMuch = formatErrorf(ClassLimits, "it is longer than %d hours, or has more than %d million samples",
	int(MaxDecodeDuration.Hours()), MaxDecodeSamples/1_000_000)

// readLimited returns all of w, as one channel if mono is set, unless ctx ends or the limits of Decode are exceeded.
func readLimited(ctx context.Context, w source, mono bool) (Buffer, error) {
	channels := w.Channels()
	if mono {
		channels = 1
	}
	limit := decodeLimit(w.Rate(), channels)
	var blocks [][]float32
	total := 0
	keep := func(samples []float32) error {
		if total += len(samples); total > limit {
			return errTooMuch
		}
		blocks = append(blocks, slices.Clone(samples))
		return nil
	}
	m := newMixer(w.Rate(), w.Channels(), keep)
	if mono {
		keep = m.write
	}
	block := make([]float32, decodeBlock/w.Channels()*w.Channels())
	for {
		if err := ctx.Err(); err != nil {
			return Buffer{}, backend.ErrCancelled.WithCause(err)
		}
		n, err := w.Read(block)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = keep(block[:n])
		}
		if err != nil {
			return Buffer{}, err
		}
	}
	if err := m.close(); err != nil {
		return Buffer{}, err
	}
	samples := make([]float32, 0, total)
	for i, block := range blocks {
		samples = append(samples, block...)
		blocks[i] = nil
	}
	return Buffer{Samples: samples, Rate: w.Rate(), Channels: channels}, nil
}
