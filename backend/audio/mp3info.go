package audio

import "encoding/binary"

const (
	maxMP3Padding = 1<<12 - 1
	mp3TOCEntries = 100
	// infoBytes is the size of the Info frame after the side information: its name, flags, frames, bytes, table of contents and
	// quality, and the part of LAME.
	infoBytes = 4 + 4 + 4 + 4 + mp3TOCEntries + 4 + 36
	infoFlags = 1 | 2 | 4 | 8
)

// info returns the Info frame: a silent frame that states the length of the file, where its parts are, and how much silence the
// encoder put before and after the audio. Its size does not change while frames are written.
func (j *mp3Joiner) info() []byte {
	const noCRC, keepRate = 1, 0x0D
	head := mp3HeaderBytes + j.header.sideBytes()
	header := append([]byte(nil), j.sample...)
	header[1] |= noCRC
	var frame []byte
	for index := header[2] >> 4; len(frame) < head+infoBytes; index++ {
		header[2] = index<<4 | header[2]&keepRate
		h, ok := parseMP3Header(header)
		if !ok {
			return nil // unreachable: at the highest bit rate every frame is large enough
		}
		frame = make([]byte, h.size)
	}
	copy(frame, header)
	name := "Info"
	if j.mixed {
		name = "Xing"
	}
	be := binary.BigEndian
	b := append(frame[head:head], name...)
	b = be.AppendUint32(b, infoFlags)
	b = be.AppendUint32(b, uint32(len(j.offsets)))
	b = be.AppendUint32(b, uint32(j.bytes))
	for i := range mp3TOCEntries {
		b = append(b, j.place(i))
	}
	b = be.AppendUint32(b, 0) // quality: not known
	if j.encoder.encoder == "" {
		return frame
	}
	b = append(b, j.encoder.encoder...)
	b = append(b, make([]byte, lameDelayAt-lameEncoderBytes)...)
	delay, padding := j.encoder.delay, j.encoder.padding
	b = append(b, byte(delay>>4), byte(delay<<4)|byte(padding>>8), byte(padding))
	b = append(b, 0, 0, 0, 0) // nothing else is known
	b = be.AppendUint32(b, uint32(j.bytes))
	b = be.AppendUint16(b, uint16(j.crc))
	var crc mp3CRC
	crc.write(frame[:head+infoBytes-2])
	be.AppendUint16(b, uint16(crc))
	return frame
}

// place returns where the frame at i percent of the playing time begins, in 256ths of the file.
func (j *mp3Joiner) place(i int) byte {
	if j.bytes == 0 || len(j.offsets) == 0 {
		return 0
	}
	return byte(min(255, j.offsets[i*len(j.offsets)/mp3TOCEntries]*256/j.bytes))
}

// mp3CRC is the CRC-16 of the Info frame of LAME (ANSI, reflected).
type mp3CRC uint16

func (c *mp3CRC) write(b []byte) {
	crc := uint16(*c)
	for _, x := range b {
		crc ^= uint16(x)
		for range 8 {
			odd := crc & 1
			crc >>= 1
			crc ^= 0xA001 * odd
		}
	}
	*c = mp3CRC(crc)
}
