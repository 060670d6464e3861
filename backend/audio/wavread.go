package audio

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

const (
	readAhead  = 64 << 10
	firstBlock = 16 << 10 // bytes of samples read at first; blocks double up to lastBlock
	lastBlock  = 1 << 20
)

// WAVReader reads the samples of a WAV file piece by piece, with flat memory.
type WAVReader struct {
	r      *bufio.Reader
	header wavHeader
	left   int64 // stated bytes not read yet, -1 for "to the end"
	raw    []byte
}

// NewWAVReader reads the header of a WAV file: PCM of 8, 16, 24 and 32 bits, float of 32 and 64 bits,
// A-law and mu-law, also as WAVE_FORMAT_EXTENSIBLE, in RIFF, RF64 (EBU Tech 3306) and BW64 files.
// Error: *FormatError for other files.
func NewWAVReader(r io.Reader) (*WAVReader, error) {
	br := bufio.NewReaderSize(r, readAhead)
	h, err := readWAVHeader(br)
	if err != nil {
		return nil, err
	}
	return &WAVReader{r: br, header: h, left: h.dataBytes}, nil
}

// Rate returns the sample rate in Hz.
func (w *WAVReader) Rate() int { return w.header.rate }

// Channels returns the number of interleaved channels.
func (w *WAVReader) Channels() int { return w.header.channels }

// Read fills dst with interleaved samples, whole frames only, and returns their number, at the end 0 and io.EOF. An
// incomplete last frame is dropped, samples that are not finite become 0, and floats beyond [-1, 1] stay. dst must be large
// enough for a frame.
func (w *WAVReader) Read(dst []float32) (int, error) {
	frames := len(dst) / w.header.channels
	if frames == 0 {
		return 0, errors.New("read wav: no room for a frame")
	}
	size := min(frames*w.header.frameBytes(), lastBlock/w.header.frameBytes()*w.header.frameBytes())
	if len(w.raw) < size {
		w.raw = make([]byte, size)
	}
	n, err := w.block(w.raw[:size])
	if err != nil {
		return 0, err
	}
	return w.header.decode(dst, w.raw[:n]), nil
}

// block reads up to len(b) bytes of samples, whole frames only; io.EOF if there are none.
func (w *WAVReader) block(b []byte) (int, error) {
	if w.left >= 0 && int64(len(b)) > w.left {
		b = b[:w.left]
	}
	n, err := io.ReadFull(w.r, b)
	if err != nil && !ended(err) {
		return 0, fmt.Errorf("read wav: %w", err)
	}
	if w.left >= 0 {
		w.left -= int64(n)
	}
	n -= n % w.header.frameBytes()
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// Missing returns how many bytes of samples the header states that were not in the file, once Read has returned io.EOF.
func (w *WAVReader) Missing() int64 { return max(0, w.left) }

// ReadWAV reads a whole WAV file; see NewWAVReader for the formats and Read for the samples. Memory is allocated for the
// bytes that the file has, not for the sizes that its header states.
func ReadWAV(r io.Reader) (Buffer, error) {
	w, err := NewWAVReader(r)
	if err != nil {
		return Buffer{}, err
	}
	h := w.header
	var blocks [][]byte
	total, size := 0, firstBlock
	for {
		b := make([]byte, size/h.frameBytes()*h.frameBytes())
		n, err := w.block(b)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Buffer{}, err
		}
		blocks, total = append(blocks, b[:n]), total+n
		size = min(2*size, lastBlock)
	}
	samples := make([]float32, total/(h.bits/8))
	remaining := samples
	for i, b := range blocks {
		remaining = remaining[h.decode(remaining, b):]
		blocks[i] = nil
	}
	return Buffer{Samples: samples, Rate: h.rate, Channels: h.channels}, nil
}

// Info is the format and the length of an audio file.
type Info struct {
	Rate     int // Hz
	Channels int
	Frames   int64 // that the file has
}

// ProbeWAV returns the format and the length of a WAV file that begins at the current position of r. It reads the header
// only and changes the position. Errors are those of NewWAVReader.
func ProbeWAV(r io.ReadSeeker) (Info, error) {
	start, err := r.Seek(0, io.SeekCurrent)
	if err != nil {
		return Info{}, fmt.Errorf("probe wav: %w", err)
	}
	h, err := readWAVHeader(bufio.NewReaderSize(r, 4<<10))
	if err != nil {
		return Info{}, err
	}
	end, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return Info{}, fmt.Errorf("probe wav: %w", err)
	}
	size := end - start - h.dataAt
	if h.dataBytes >= 0 {
		size = min(size, h.dataBytes)
	}
	return Info{Rate: h.rate, Channels: h.channels, Frames: size / int64(h.frameBytes())}, nil
}

// decode decodes whole frames of raw bytes into dst and returns the number of samples.
func (h wavHeader) decode(dst []float32, raw []byte) int {
	step := h.bits / 8
	n := len(raw) / step
	dst = dst[:n]
	switch {
	case h.code == waveFloat && h.bits == 32:
		for i := range dst {
			dst[i] = finite(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
		}
	case h.code == waveFloat:
		for i := range dst {
			dst[i] = finite(float32(math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))))
		}
	case h.code == waveALaw:
		for i := range dst {
			dst[i] = float32(aLaw(raw[i])) / (1 << 15)
		}
	case h.code == waveMuLaw:
		for i := range dst {
			dst[i] = float32(muLaw(raw[i])) / (1 << 15)
		}
	default:
		h.decodePCM(dst, raw)
	}
	return n
}

func (h wavHeader) decodePCM(dst []float32, raw []byte) {
	switch h.bits {
	case 8:
		for i := range dst {
			dst[i] = (float32(raw[i]) - 128) / (1 << 7)
		}
	case 16:
		for i := range dst {
			dst[i] = float32(int16(binary.LittleEndian.Uint16(raw[2*i:]))) / (1 << 15)
		}
	case 24:
		for i := range dst {
			b := raw[3*i:]
			v := int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24) >> 8
			dst[i] = float32(v) / (1 << 23)
		}
	default:
		for i := range dst {
			dst[i] = float32(float64(int32(binary.LittleEndian.Uint32(raw[4*i:]))) / (1 << 31))
		}
	}
}

func finite(x float32) float32 {
	if x-x != 0 { // NaN or infinite
		return 0
	}
	return x
}

// aLaw expands one A-law byte to 16 bits (ITU-T G.711).
func aLaw(b byte) int16 {
	b ^= 0x55
	v := int16(b&0x0F)<<4 + 8
	if e := b >> 4 & 7; e > 0 {
		v = (v + 0x100) << (e - 1)
	}
	if b&0x80 == 0 {
		return -v
	}
	return v
}

// muLaw expands one mu-law byte to 16 bits (ITU-T G.711).
func muLaw(b byte) int16 {
	b = ^b
	v := (int16(b&0x0F)<<3+0x84)<<(b>>4&7) - 0x84
	if b&0x80 != 0 {
		return -v
	}
	return v
}
