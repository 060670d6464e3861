package audio

import (
	"bytes"
	"encoding/binary"
)

// mp3Header is the header of a frame of MPEG audio, Layer III (ISO 11172-3, 2.4.1.3; ISO 13818-3, 2.4.1.3).
type mp3Header struct {
	version  int // 1, 2 or 25 for MPEG 2.5
	rate     int // Hz
	channels int
	bitRate  int  // bit/s
	crc      bool // 2 bytes of CRC follow the header
	size     int  // bytes of the frame
}

const (
	mp3HeaderBytes   = 4
	mp3CRCBytes      = 2
	maxMP3FrameBytes = 2881 // 160 kbit/s at 8 kHz with padding
	mp3DecoderDelay  = 528 + 1
)

// mp3BitRates has the bit rates in kbit/s by index, of MPEG 1 and of MPEG 2 and 2.5. Index 0, the free format, is not supported.
var mp3BitRates = [2][15]int{
	{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
	{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
}

// parseMP3Header reads a frame header; ok is false for other bytes, other layers and the free format.
func parseMP3Header(b []byte) (h mp3Header, ok bool) {
	if len(b) < mp3HeaderBytes || b[0] != 0xFF || b[1]&0xE6 != 0xE2 || b[3]&3 == 2 {
		return h, false
	}
	bitRate, rate := int(b[2]>>4), int(b[2]>>2&3)
	if bitRate == 0 || bitRate == 15 || rate == 3 {
		return h, false
	}
	rates := [3]int{44_100, 48_000, 32_000}
	switch b[1] >> 3 & 3 {
	case 3:
		h = mp3Header{version: 1, rate: rates[rate], bitRate: mp3BitRates[0][bitRate] * 1000}
		h.size = 144 * h.bitRate / h.rate
	case 2:
		h = mp3Header{version: 2, rate: rates[rate] / 2, bitRate: mp3BitRates[1][bitRate] * 1000}
		h.size = 72 * h.bitRate / h.rate
	case 0:
		h = mp3Header{version: 25, rate: rates[rate] / 4, bitRate: mp3BitRates[1][bitRate] * 1000}
		h.size = 72 * h.bitRate / h.rate
	default:
		return h, false
	}
	h.size += int(b[2] >> 1 & 1)
	h.crc, h.channels = b[1]&1 == 0, 2
	if b[3]>>6 == 3 {
		h.channels = 1
	}
	return h, h.size >= h.mainAt()
}

// samples returns the samples of each channel in a frame.
func (h mp3Header) samples() int {
	if h.version == 1 {
		return 1152
	}
	return 576
}

// like reports whether two frames can be of one stream: bit rate, padding and CRC may differ.
func (h mp3Header) like(other mp3Header) bool {
	return h.version == other.version && h.rate == other.rate && h.channels == other.channels
}

// sideAt returns where the side information begins.
func (h mp3Header) sideAt() int {
	if h.crc {
		return mp3HeaderBytes + mp3CRCBytes
	}
	return mp3HeaderBytes
}

// sideBytes returns the size of the side information.
func (h mp3Header) sideBytes() int {
	switch {
	case h.version == 1 && h.channels == 2:
		return 32
	case h.version == 1 || h.channels == 2:
		return 17
	}
	return 9
}

// mainAt returns where the main data begins.
func (h mp3Header) mainAt() int { return h.sideAt() + h.sideBytes() }

// mainBegin returns how many bytes before this frame's own its main data begins, in the frames before it (the bit reservoir).
func (h mp3Header) mainBegin(frame []byte) int {
	at := h.sideAt()
	if h.version == 1 {
		return int(frame[at])<<1 | int(frame[at+1]>>7)
	}
	return int(frame[at])
}

// maxBegin is the largest mainBegin.
func (h mp3Header) maxBegin() int {
	if h.version == 1 {
		return 511
	}
	return 255
}

// muted returns a copy of a frame that decodes to silence: its side information says that it has no data. Its own main data
// stays for the frames after it, with what the decoder holds from the frames before it, up to begin bytes. The CRC goes, because
// it is that of the side information; its two bytes become main data, which is addressed from its end.
func (h mp3Header) muted(frame []byte, begin int) []byte {
	out := append([]byte(nil), frame...)
	out[1] |= 1
	clear(out[mp3HeaderBytes : mp3HeaderBytes+h.sideBytes()])
	begin = min(begin, h.maxBegin())
	if h.version == 1 {
		out[mp3HeaderBytes], out[mp3HeaderBytes+1] = byte(begin>>1), byte(begin<<7)
	} else {
		out[mp3HeaderBytes] = byte(begin)
	}
	return out
}

// mp3Reservoir is the main data that a decoder has from the frames of a stream so far, which later frames may refer to.
type mp3Reservoir struct{ held int } // bytes

// frame returns a frame as it can be decoded: silence in place of one that needs data of frames that are missing.
func (r *mp3Reservoir) frame(frame []byte, h mp3Header) []byte {
	begin := h.mainBegin(frame)
	if begin > r.held {
		begin = min(r.held, h.maxBegin())
		frame, h.crc = h.muted(frame, begin), false
	}
	r.held = begin + h.size - h.mainAt()
	return frame
}

// mp3Tag is the frame without audio that encoders write first (Xing, Info or VBRI).
type mp3Tag struct {
	frames  int64  // of audio, 0 if unknown
	encoder string // that states delay and padding; "" if they are unknown
	delay   int    // samples of silence that the encoder put before the audio
	padding int    // and after it
}

// offsets in the part of LAME in the tag
const (
	lameEncoderBytes = 9
	lameDelayAt      = 21
	lameBytes        = lameDelayAt + 3
)

// parseMP3Tag returns the tag of a frame that is one.
func parseMP3Tag(frame []byte, h mp3Header) (tag mp3Tag, ok bool) {
	const vbriAt = mp3HeaderBytes + 32
	if len(frame) >= vbriAt+18 && string(frame[vbriAt:vbriAt+4]) == "VBRI" {
		return mp3Tag{frames: int64(binary.BigEndian.Uint32(frame[vbriAt+14:]))}, true
	}
	b := frame[mp3HeaderBytes+h.sideBytes():]
	if !bytes.HasPrefix(b, []byte("Xing")) && !bytes.HasPrefix(b, []byte("Info")) || len(b) < 8 {
		return tag, false
	}
	flags := binary.BigEndian.Uint32(b[4:])
	b = b[8:]
	for bit, size := range [4]int{4, 4, 100, 4} { // frames, bytes, table of contents, quality
		if flags>>bit&1 == 0 {
			continue
		}
		if len(b) < size {
			return tag, true
		}
		if bit == 0 {
			tag.frames = int64(binary.BigEndian.Uint32(b))
		}
		b = b[size:]
	}
	if len(b) < lameBytes {
		return tag, true
	}
	switch string(b[:4]) {
	case "LAME", "Lavf", "Lavc":
		tag.encoder = string(b[:lameEncoderBytes])
		at := b[lameDelayAt:]
		tag.delay, tag.padding = int(at[0])<<4|int(at[1]>>4), int(at[1]&15)<<8|int(at[2])
	}
	return tag, true
}

// lead returns the samples before the audio in what a decoder makes of the file, 0 if the tag does not say.
func (t mp3Tag) lead() int {
	if t.encoder == "" {
		return 0
	}
	return t.delay + mp3DecoderDelay
}

// trail returns the samples after the audio in what a decoder makes of the file, 0 if the tag does not say.
func (t mp3Tag) trail() int {
	if t.encoder == "" {
		return 0
	}
	return max(0, t.padding-mp3DecoderDelay)
}
