package backendtest

import (
	"encoding/binary"
	"time"
)

// SilentFLAC returns a FLAC file of at most 120 hours of silence at 1 kHz: 17 bytes for each minute.
func SilentFLAC(length time.Duration) []byte {
	const rate, block = 1000, 65535
	total := uint64(length.Seconds() * rate)
	file := append([]byte("fLaC"), 0x80, 0, 0, 34) // STREAMINFO, the last block of metadata
	file = binary.BigEndian.AppendUint16(file, block)
	file = binary.BigEndian.AppendUint16(file, block)
	file = append(file, 0, 0, 0, 0, 0, 0) // sizes of frames: unknown
	file = binary.BigEndian.AppendUint64(file, rate<<44|15<<36|total)
	file = append(file, make([]byte, 16)...) // MD5: unknown
	for frame := uint64(0); frame*block < total; frame++ {
		head := append([]byte{0xFF, 0xF8, 0x7D, 0x08}, utf8Number(frame)...) // block size and rate in 16 bits each, mono, 16 bits
		head = binary.BigEndian.AppendUint16(head, block-1)
		head = binary.BigEndian.AppendUint16(head, rate)
		head = append(head, byte(crc(head, 8, 0x07)))
		head = append(head, 0, 0, 0) // one subframe: constant, 0
		file = append(file, binary.BigEndian.AppendUint16(head, crc(head, 16, 0x8005))...)
	}
	return file
}

// utf8Number codes a frame number below the surrogates, as FLAC does: in UTF-8.
func utf8Number(n uint64) []byte { return []byte(string(rune(n))) }

// crc returns the checksum of data with a polynomial of some bits.
func crc(data []byte, bits int, polynomial uint16) uint16 {
	sum, top := uint16(0), uint16(1)<<(bits-1)
	for _, b := range data {
		sum ^= uint16(b) << (bits - 8)
		for range 8 {
			if sum&top != 0 {
				sum = sum<<1 ^ polynomial
			} else {
				sum <<= 1
			}
		}
	}
	return sum & (top - 1 + top)
}
