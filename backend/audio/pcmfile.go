package audio

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/voicewright/voicewright/backend"
)

// PCMFile is a file of 16-bit samples, of which parts are copied without decoding them. It is for one goroutine.
type PCMFile struct {
	Rate, Channels int // Hz, interleaved

	file   *os.File
	dataAt int64 // bytes before the first sample
	block  []byte
}

// OpenPCM16 opens a WAV file of 16-bit PCM; the caller closes it. Error: *FormatError for other files.
func OpenPCM16(path string) (*PCMFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	h, err := readWAVHeader(bufio.NewReader(f))
	if err == nil && (h.code != wavePCM || h.bits != 16) {
		err = errors.New("the samples are not 16-bit PCM")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open wav: %w", err), f.Close())
	}
	return &PCMFile{Rate: h.rate, Channels: h.channels, file: f, dataAt: h.dataAt}, nil
}

// RawPCM16 returns a file of bare 16-bit samples; closing it closes f.
func RawPCM16(f *os.File, rate, channels int) *PCMFile {
	return &PCMFile{Rate: rate, Channels: channels, file: f}
}

// Share returns the same file for another goroutine, until p is closed.
func (p *PCMFile) Share() *PCMFile {
	return &PCMFile{Rate: p.Rate, Channels: p.Channels, file: p.file, dataAt: p.dataAt}
}

// Close closes the file.
func (p *PCMFile) Close() error { return p.file.Close() }

// section returns the bytes of the frames [from, to).
func (p *PCMFile) section(from, to int64) *io.SectionReader {
	frame := int64(2 * p.Channels)
	return io.NewSectionReader(p.file, p.dataAt+from*frame, (to-from)*frame)
}

// copyBlock is how many bytes are copied at a time.
const copyBlock = 256 << 10

// Copy writes the bytes of the frames [from, to) to w. Errors: cancelled, io.ErrUnexpectedEOF if the file is
// shorter.
func (p *PCMFile) Copy(ctx context.Context, w io.Writer, from, to int64) error {
	section := p.section(from, to)
	if p.block == nil {
		p.block = make([]byte, copyBlock)
	}
	for left := section.Size(); left > 0; {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		part := p.block[:min(int64(len(p.block)), left)]
		if _, err := io.ReadFull(section, part); err != nil {
			return fmt.Errorf("read wav: %w", noEOF(err))
		}
		if _, err := w.Write(part); err != nil {
			return err
		}
		left -= int64(len(part))
	}
	return nil
}

// Read calls emit with the frames [from, to), block by block. Errors: those of Copy and of emit.
func (p *PCMFile) Read(ctx context.Context, from, to int64, emit func([]float32) error) error {
	var samples []float32
	return p.Copy(ctx, writerFunc(func(raw []byte) error {
		samples = samples[:0]
		for at := 0; at+1 < len(raw); at += 2 {
			samples = append(samples, float32(int16(binary.LittleEndian.Uint16(raw[at:])))/(1<<15))
		}
		return emit(samples)
	}), from, to)
}

// writerFunc is a function that is a writer.
type writerFunc func([]byte) error

// Write calls the function.
func (w writerFunc) Write(p []byte) (int, error) { return len(p), w(p) }

// noEOF returns the error for a file that ended early.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
