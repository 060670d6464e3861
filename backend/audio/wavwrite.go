package audio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio/internal/filters"
)

const (
	wavHeaderBytes = 44
	maxWAVBytes    = unknownSize - wavHeaderBytes // of samples: the RIFF size is a 32-bit number
	writeBlock     = 16 << 10                     // samples encoded at a time
)

// ErrTooLong is returned by a WAVWriter if the audio does not fit into a WAV file.
var ErrTooLong = backend.E(backend.CodeUnsupportedMedia,
	"The audio is longer than a WAV file can hold (4 GiB).", "Generate it in several parts.")

// WAVWriter writes a WAV file of 16-bit PCM piece by piece, with flat memory.
type WAVWriter struct {
	w        io.WriteSeeker
	start    int64
	rate     int
	channels int
	bytes    int64
	raw      []byte
	closed   bool
	long     bool
	tags     []tag
}

// NewWAVWriter writes the header at the current position of w. Until Close the sizes in it are unknown
// (0xFFFFFFFF), so that a file left behind by a crash can still be read. rate is in Hz, MinRate to MaxRate,
// channels 1 to MaxChannels.
func NewWAVWriter(w io.WriteSeeker, rate, channels int) (*WAVWriter, error) {
	if rate < MinRate || rate > MaxRate || channels < 1 || channels > MaxChannels {
		return nil, fmt.Errorf("write wav: %w", formatErrorf(ClassLimits, "%d channels at %d Hz", channels, rate))
	}
	start, err := w.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, fmt.Errorf("write wav: %w", err)
	}
	if _, err := w.Write(WAVHeader(rate, channels, unknownSize)); err != nil {
		return nil, fmt.Errorf("write wav: %w", err)
	}
	return &WAVWriter{w: w, start: start, rate: rate, channels: channels}, nil
}

// AllowLong lifts the limit of 4 GiB, for files that only this program and ffmpeg read: the header of a longer one says that its
// length is unknown, and it has no tags.
func (w *WAVWriter) AllowLong() { w.long = true }

// Write appends interleaved samples as PCM16 encodes them. Beyond 4 GiB it returns ErrTooLong and writes nothing, unless
// AllowLong was called.
func (w *WAVWriter) Write(samples []float32) error {
	if w.closed {
		return errors.New("write wav: closed")
	}
	if !w.long && w.bytes+2*int64(len(samples)) > maxWAVBytes {
		return ErrTooLong
	}
	for len(samples) > 0 {
		n := min(len(samples), writeBlock)
		w.raw = PCM16(w.raw[:0], samples[:n])
		if _, err := w.w.Write(w.raw); err != nil {
			return fmt.Errorf("write wav: %w", err)
		}
		w.bytes += int64(len(w.raw))
		samples = samples[n:]
	}
	return nil
}

// Tag sets the tags that Close writes after the samples, as those of InfoChunk.
func (w *WAVWriter) Tag(meta map[string]string) (err error) {
	w.tags, err = cleanTags(meta)
	return err
}

// Frames returns how many frames were written so far.
func (w *WAVWriter) Frames() int64 { return w.bytes / int64(2*w.channels) }

// Close writes the sizes into the header and leaves the position at the end. It does not close the file.
// A second Close does nothing.
func (w *WAVWriter) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	if w.bytes > maxWAVBytes {
		return nil // the header from the start says that the length is unknown
	}
	if _, err := w.w.Seek(w.start, io.SeekStart); err != nil {
		return fmt.Errorf("close wav: %w", err)
	}
	info := infoChunk(w.tags)
	if _, err := w.w.Write(TaggedWAVHeader(w.rate, w.channels, uint32(w.bytes), len(info))); err != nil {
		return fmt.Errorf("close wav: %w", err)
	}
	if _, err := w.w.Seek(w.start+wavHeaderBytes+w.bytes, io.SeekStart); err != nil {
		return fmt.Errorf("close wav: %w", err)
	}
	if _, err := w.w.Write(info); err != nil {
		return fmt.Errorf("close wav: %w", err)
	}
	return nil
}

// WAVHeader returns the 44 bytes before dataBytes bytes of 16-bit PCM. With 0xFFFFFFFF the length is unknown, as in a stream
// over HTTP: players then read to the end.
func WAVHeader(rate, channels int, dataBytes uint32) []byte {
	return TaggedWAVHeader(rate, channels, dataBytes, 0)
}

// TaggedWAVHeader is WAVHeader for a file with tagBytes bytes of InfoChunk after the samples.
func TaggedWAVHeader(rate, channels int, dataBytes uint32, tagBytes int) []byte {
	le := binary.LittleEndian
	riff := uint32(min(uint64(dataBytes)+uint64(tagBytes)+wavHeaderBytes-8, unknownSize))
	b := make([]byte, 0, wavHeaderBytes)
	b = le.AppendUint32(append(b, "RIFF"...), riff)
	b = le.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = le.AppendUint16(b, wavePCM)
	b = le.AppendUint16(b, uint16(channels))
	b = le.AppendUint32(b, uint32(rate))
	b = le.AppendUint32(b, uint32(rate*channels*2))
	b = le.AppendUint16(b, uint16(channels*2))
	b = le.AppendUint16(b, 16)
	return le.AppendUint32(append(b, "data"...), dataBytes)
}

// PCM16 appends samples to dst as 16-bit little-endian PCM: times 32768, rounded half to even, limited to the range;
// NaN is 0. Samples that ReadWAV read from 16-bit PCM are encoded to the same bytes.
func PCM16(dst []byte, samples []float32) []byte { return filters.PCM16(dst, samples) }
