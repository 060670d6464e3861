package audio

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The format codes of a fmt chunk (Microsoft, "WAVEFORMATEX"; RFC 2361).
const (
	wavePCM        = 0x0001
	waveFloat      = 0x0003
	waveALaw       = 0x0006
	waveMuLaw      = 0x0007
	waveExtensible = 0xFFFE
)

const (
	unknownSize = 0xFFFFFFFF // the size that writers state that cannot seek
	maxFmtBytes = 64         // only the first 40 bytes mean anything
)

// guidTail follows the format code in the sub-format of WAVE_FORMAT_EXTENSIBLE.
const guidTail = "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71"

// wavHeader is the header of a WAV file.
type wavHeader struct {
	code      uint16 // wavePCM, waveFloat, waveALaw or waveMuLaw
	bits      int    // container bits of one sample
	channels  int
	rate      int
	dataAt    int64 // offset of the first sample
	dataBytes int64 // as stated; -1 if unknown
}

func (h wavHeader) frameBytes() int { return h.channels * h.bits / 8 }

// wavParser reads the chunks up to the samples and counts their bytes.
type wavParser struct {
	r        *bufio.Reader
	at       int64
	riffSize uint32
	long     bool  // RF64 or BW64
	ds64     int64 // data size of the ds64 chunk, -1 without one
}

// readWAVHeader reads r up to the first sample. Stated sizes are not trusted: no memory is allocated by them.
func readWAVHeader(r *bufio.Reader) (wavHeader, error) {
	p := &wavParser{r: r, ds64: -1}
	if err := p.magic(); err != nil {
		return wavHeader{}, err
	}
	var h wavHeader
	var head [8]byte
	for {
		if err := p.read(head[:]); err != nil {
			return h, p.missing(h, err)
		}
		id, size := string(head[:4]), binary.LittleEndian.Uint32(head[4:])
		switch id {
		case "fmt ":
			if err := p.format(&h, size); err != nil {
				return h, err
			}
		case "data":
			if h.rate == 0 {
				return h, formatErrorf(ClassNoFormat, "the samples come before their format")
			}
			h.dataAt, h.dataBytes = p.at, p.dataSize(size)
			return h, nil
		case "ds64":
			if err := p.sizes(size); err != nil {
				return h, p.missing(h, err)
			}
		default:
			if err := p.skip(padded(int64(size))); err != nil {
				return h, p.missing(h, err)
			}
		}
	}
}

func (p *wavParser) magic() error {
	var m [12]byte
	if err := p.read(m[:]); err != nil {
		if ended(err) {
			return formatErrorf(ClassNotWAV, "it has less than 12 bytes")
		}
		return fmt.Errorf("read wav: %w", err)
	}
	id, form := string(m[:4]), string(m[8:])
	if (id != "RIFF" && id != "RF64" && id != "BW64") || form != "WAVE" {
		return formatErrorf(ClassNotWAV, "it does not begin with RIFF and WAVE")
	}
	p.long = id != "RIFF"
	p.riffSize = binary.LittleEndian.Uint32(m[4:8])
	return nil
}

// missing returns the error for a file that ends before its samples.
func (p *wavParser) missing(h wavHeader, err error) error {
	if !ended(err) {
		return fmt.Errorf("read wav: %w", err)
	}
	if h.rate == 0 {
		return formatErrorf(ClassNoFormat, "there is no format chunk")
	}
	return formatErrorf(ClassNoData, "there is no data chunk")
}

// dataSize returns the size of the samples from that of the data chunk, -1 for "to the end of the file".
func (p *wavParser) dataSize(size uint32) int64 {
	stated := int64(size)
	switch {
	case p.long && (size == unknownSize || size == 0):
		stated = p.ds64
	case size == unknownSize, size == 0 && p.riffSize == 0:
		stated = -1
	}
	if stated < 0 && size == 0 && p.chunkAhead() {
		return 0
	}
	return stated
}

// chunksAfterData are the chunks after the samples of a file. A writer that could not fill in the sizes at the end wrote none
// of them, so if one follows, a size of 0 is correct.
const chunksAfterData = "LIST id3  ID3  bext cue  fact smpl inst iXML axml chna cart acid PEAK JUNK DISP plst afsp _PMX"

// chunkAhead reports whether one of chunksAfterData comes next.
func (p *wavParser) chunkAhead() bool {
	id, err := p.r.Peek(4)
	if err != nil {
		return false
	}
	for at := 0; at < len(chunksAfterData); at += len("LIST ") {
		if chunksAfterData[at:at+4] == string(id) {
			return true
		}
	}
	return false
}

// sizes reads a ds64 chunk (EBU Tech 3306): RIFF size, data size and sample count, 64 bits each.
func (p *wavParser) sizes(size uint32) error {
	if size < 16 {
		return p.skip(padded(int64(size)))
	}
	var b [16]byte
	if err := p.read(b[:]); err != nil {
		return err
	}
	if n := binary.LittleEndian.Uint64(b[8:]); n <= 1<<62 {
		p.ds64 = int64(n)
	}
	return p.skip(padded(int64(size)) - 16)
}

// format reads a fmt chunk into h.
func (p *wavParser) format(h *wavHeader, size uint32) error {
	b := make([]byte, min(size, maxFmtBytes))
	err := p.read(b)
	if err == nil {
		err = p.skip(padded(int64(size)) - int64(len(b)))
	}
	switch {
	case err != nil && !ended(err):
		return fmt.Errorf("read wav: %w", err)
	case err != nil:
		return formatErrorf(ClassNoFormat, "the format chunk is cut off")
	case size < 16:
		return formatErrorf(ClassNoFormat, "the format chunk has %d bytes instead of 16", size)
	}
	code := binary.LittleEndian.Uint16(b)
	if code == waveExtensible {
		if code, err = subFormat(b); err != nil {
			return err
		}
	}
	h.code = code
	h.channels = int(binary.LittleEndian.Uint16(b[2:]))
	rate := binary.LittleEndian.Uint32(b[4:])
	h.bits = int(binary.LittleEndian.Uint16(b[14:]))
	if err := checkFormat(*h, rate); err != nil {
		return err
	}
	h.rate = int(rate)
	return nil
}

// subFormat returns the format code inside the GUID of WAVE_FORMAT_EXTENSIBLE.
func subFormat(b []byte) (uint16, error) {
	if len(b) < 40 {
		return 0, formatErrorf(ClassNoFormat, "the extensible format chunk has %d bytes instead of 40", len(b))
	}
	if !bytes.Equal(b[26:40], []byte(guidTail)) {
		return 0, formatErrorf(ClassUnsupported, "the codec GUID %x is not known", b[24:40])
	}
	return binary.LittleEndian.Uint16(b[24:]), nil
}

func checkFormat(h wavHeader, rate uint32) error {
	switch {
	case h.channels == 0:
		return formatErrorf(ClassNoFormat, "it has no channels")
	case rate == 0:
		return formatErrorf(ClassNoFormat, "its sample rate is 0")
	case h.channels > MaxChannels:
		return formatErrorf(ClassLimits, "it has %d channels", h.channels)
	case rate < MinRate || rate > MaxRate:
		return formatErrorf(ClassLimits, "its sample rate is %d Hz", rate)
	}
	var ok bool
	switch h.code {
	case wavePCM:
		ok = h.bits == 8 || h.bits == 16 || h.bits == 24 || h.bits == 32
	case waveFloat:
		ok = h.bits == 32 || h.bits == 64
	case waveALaw, waveMuLaw:
		ok = h.bits == 8
	default:
		return formatErrorf(ClassUnsupported, "the codec 0x%04X is not known", h.code)
	}
	if !ok {
		return formatErrorf(ClassUnsupported, "%d bits per sample with codec 0x%04X", h.bits, h.code)
	}
	return nil
}

func (p *wavParser) read(b []byte) error {
	n, err := io.ReadFull(p.r, b)
	p.at += int64(n)
	return err
}

func (p *wavParser) skip(n int64) error {
	for n > 0 {
		done, err := p.r.Discard(int(min(n, 1<<30)))
		p.at += int64(done)
		n -= int64(done)
		if err != nil {
			return err
		}
	}
	return nil
}

// padded returns the length of a chunk's body with the pad byte that odd sizes have.
func padded(n int64) int64 { return n + n&1 }

func ended(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
