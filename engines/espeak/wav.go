package espeak

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// maxHeader is how many bytes may be before the samples.
const maxHeader = 64 << 10

// readHeader reads a WAV stream up to its first sample and returns the sample rate in Hz. It ignores the sizes of the RIFF and
// data chunks, which espeak-ng writes before it knows them. Only 16-bit mono PCM is accepted.
func readHeader(r io.Reader) (int, error) {
	var head [12]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, fmt.Errorf("read RIFF header: %w", err)
	}
	if !bytes.Equal(head[:4], []byte("RIFF")) || !bytes.Equal(head[8:], []byte("WAVE")) {
		return 0, fmt.Errorf("not a WAV stream: %q", head[:])
	}
	rate := 0
	for left := maxHeader; ; {
		if _, err := io.ReadFull(r, head[:8]); err != nil {
			return 0, fmt.Errorf("read chunk header: %w", err)
		}
		if bytes.Equal(head[:4], []byte("data")) {
			if rate == 0 {
				return 0, errors.New("no format before the samples")
			}
			return rate, nil
		}
		size := int(binary.LittleEndian.Uint32(head[4:8]))
		if left -= size + 8; size < 0 || left < 0 {
			return 0, errors.New("no samples after the header")
		}
		chunk := make([]byte, size+size%2)
		if _, err := io.ReadFull(r, chunk); err != nil {
			return 0, fmt.Errorf("read chunk: %w", err)
		}
		if bytes.Equal(head[:4], []byte("fmt ")) {
			var err error
			if rate, err = readFormat(chunk); err != nil {
				return 0, err
			}
		}
	}
}

func readFormat(chunk []byte) (int, error) {
	if len(chunk) < 16 {
		return 0, errors.New("short format chunk")
	}
	word := func(at int) uint16 { return binary.LittleEndian.Uint16(chunk[at:]) }
	rate := binary.LittleEndian.Uint32(chunk[4:])
	if format, channels, bits := word(0), word(2), word(14); format != 1 || channels != 1 || bits != 16 {
		return 0, fmt.Errorf("unexpected samples: format %d, %d channels, %d bits", format, channels, bits)
	}
	if rate < 8000 || rate > 96000 {
		return 0, fmt.Errorf("unexpected sample rate %d", rate)
	}
	return int(rate), nil
}

// appendSamples appends 16-bit little-endian PCM as samples in [-1, 1).
func appendSamples(samples []float32, pcm []byte) []float32 {
	for ; len(pcm) >= 2; pcm = pcm[2:] {
		samples = append(samples, float32(int16(binary.LittleEndian.Uint16(pcm)))/32768)
	}
	return samples
}
