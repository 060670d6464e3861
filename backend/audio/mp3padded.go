package audio

// paddedMP3 rewrites the frames of MPEG 2 at 22.05 kHz, the only ones with a byte of padding that go-mp3 v0.3.4 leaves out of their
// size at half of the bit rates, so that it loses the place of the next frame's data. Each frame comes out with all of its data, at
// a higher bit rate without padding, so that none needs the frames before it.
type paddedMP3 struct {
	main []byte // main data of the frames before, as far back as a frame can refer to
}

// rewrite returns the frame with its own data only.
func (p *paddedMP3) rewrite(frame []byte, h mp3Header) []byte {
	begin := h.mainBegin(frame)
	own := frame[h.mainAt():]
	missing := begin > len(p.main)
	data := append(append([]byte(nil), p.main[len(p.main)-min(begin, len(p.main)):]...), own...)
	p.main = append(p.main, own...)
	p.main = p.main[max(0, len(p.main)-h.maxBegin()):]
	if missing {
		data = nil
	}
	return h.alone(frame, data)
}

// alone returns a frame of MPEG 2 with the side information of another one and this main data; one without data is silence.
func (h mp3Header) alone(frame, data []byte) []byte {
	side := append([]byte(nil), frame[h.sideAt():h.mainAt()]...)
	if side[0] = 0; len(data) == 0 {
		clear(side)
	}
	data = data[:min(len(data), (h.dataBits(side)+7)/8)]
	head := mp3HeaderBytes + len(side)
	index, size := 0, 0
	for index < len(mp3BitRates[1])-1 && size < head+len(data) {
		index++
		size = 72_000 * mp3BitRates[1][index] / h.rate
	}
	out := make([]byte, size)
	const noCRC, keepRate = 1, 0x0D
	copy(out, []byte{frame[0], frame[1] | noCRC, byte(index<<4) | frame[2]&keepRate, frame[3]})
	copy(out[copy(out[mp3HeaderBytes:], side)+mp3HeaderBytes:], data)
	return out
}

// dataBits returns the size of the main data that the side information of MPEG 2 states: part2_3_length of its channels.
func (h mp3Header) dataBits(side []byte) int {
	const channelBits, lengthBits = 63, 12
	total := 0
	for c := range h.channels {
		at := 8 + h.channels + c*channelBits // after main_data_begin and the private bits
		word := int(side[at/8])<<16 | int(side[at/8+1])<<8 | int(side[at/8+2])
		total += word >> (24 - lengthBits - at%8) & (1<<lengthBits - 1)
	}
	return total
}
