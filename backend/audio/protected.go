package audio

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/voicewright/voicewright/backend"
)

// errProtected is about a file that only its seller's player can read.
var errProtected = backend.E(backend.CodeUnsupportedMedia, "The file is protected against copying (DRM).",
	"Use a copy of it that is not protected.")

// The first bytes of ASF (WMA, WMV) files, and those of the objects in their header that describe encryption
// (Advanced Systems Format, 3.14 and 3.15).
const (
	asfHeader             = "\x30\x26\xB2\x75\x8E\x66\xCF\x11\xA6\xD9\x00\xAA\x00\x62\xCE\x6C"
	asfEncryption         = "\xFB\xB3\x11\x22\x23\xBD\xD2\x11\xB4\xB7\x00\xA0\xC9\x55\xFC\x6E"
	asfExtendedEncryption = "\x14\xE6\x8A\x29\x22\x26\x17\x4C\xB9\x35\xDA\xE0\x7E\xE9\x28\x9C"
	asfHeaderBytes        = 64 << 10 // of a header that are searched
)

// protected reports whether the audio of a file is encrypted: an MP4 file whose audio track says so (ISO 23001-7, and those of
// Apple and Audible), or an ASF file with an encryption object. ffmpeg decodes noise from some of them.
func protected(r io.ReaderAt, size int64) bool {
	head := make([]byte, min(size, asfHeaderBytes))
	n, _ := r.ReadAt(head, 0) // a file that cannot be read fails when it is decoded
	head = head[:n]
	if bytes.HasPrefix(head, []byte(asfHeader)) {
		return bytes.Contains(head, []byte(asfEncryption)) || bytes.Contains(head, []byte(asfExtendedEncryption))
	}
	return (&boxes{r: r, left: maxBoxes}).protected(0, size)
}

const (
	maxBoxes      = 10_000
	fullBoxHeader = 8 // version, flags and number of entries of a sample description
)

// boxes walks through the boxes of an MP4 file (ISO 14496-12).
type boxes struct {
	r    io.ReaderAt
	left int // boxes that may still be read
}

// protected reports whether one of the boxes in [at, end) describes encrypted audio.
func (b *boxes) protected(at, end int64) bool {
	for at+8 <= end && b.left > 0 {
		b.left--
		kind, body, next := b.read(at, end)
		switch kind {
		case "moov", "trak", "mdia", "minf", "stbl":
			if b.protected(body, next) {
				return true
			}
		case "stsd":
			if b.protected(body+fullBoxHeader, next) {
				return true
			}
		case "enca", "drms", "aavd":
			return true
		}
		if next <= at {
			return false
		}
		at = next
	}
	return false
}

// read returns the type of the box at an offset, where its body begins and where the box ends, at most at end; an end of 0
// if there is no box.
func (b *boxes) read(at, end int64) (kind string, body, next int64) {
	var head [16]byte
	n, _ := b.r.ReadAt(head[:], at)
	if n < 8 {
		return "", 0, 0
	}
	length := uint64(binary.BigEndian.Uint32(head[:4]))
	body = at + 8
	switch {
	case length == 0: // to the end of the file
		length = uint64(end - at)
	case length == 1 && n == 16:
		length = binary.BigEndian.Uint64(head[8:])
		body = at + 16
	}
	if length < uint64(body-at) {
		return "", 0, 0
	}
	return string(head[4:8]), body, at + int64(min(length, uint64(end-at)))
}
