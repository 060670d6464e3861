package audio

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"time"
)

// clockSlack is by how much packets may be late: timestamps are rounded, and decoders drop what their encoders put before the
// first sample.
const clockSlack = 100 * time.Millisecond

// longestSilence is how long audio may be missing; where a clock jumps further it is broken, and what follows comes at once.
const longestSilence = 12 * time.Hour

// clockReader reads audio at the times of its packets: where there is none for more than clockSlack, as in a video whose audio
// starts late or in a recording that was paused, it reads silence. No sample is ever dropped. It reads 32-bit float PCM in
// Matroska, which keeps the time of each packet and can be written to a pipe; times count from the start of the file.
type clockReader struct {
	r        *bufio.Reader
	rate     int
	channels int
	cluster  int64 // the time of the current cluster in ms
	frames   int64 // that were read, with silence
	jumps    int64 // frames by which the clock jumped too far
	silence  int64 // frames of it before the current block
	left     int64 // bytes of the current block
	raw      []byte
}

// The elements of Matroska (RFC 9559) that matter here.
const (
	mkvSegment    = 0x18538067
	mkvTracks     = 0x1654AE6B
	mkvTrackEntry = 0xAE
	mkvAudio      = 0xE1
	mkvRate       = 0xB5
	mkvChannels   = 0x9F
	mkvCluster    = 0x1F43B675
	mkvTimestamp  = 0xE7
	mkvBlock      = 0xA1
	mkvBlockGroup = 0xA0
	mkvSimple     = 0xA3
	mkvUnknown    = -1 // the size of an element that was not known when it was written
)

// newClockReader reads up to the first block. Error: *FormatError for what is no Matroska file of audio within the limits.
func newClockReader(r io.Reader) (*clockReader, error) {
	c := &clockReader{r: bufio.NewReaderSize(r, readAhead), raw: make([]byte, readAhead)}
	if magic, err := c.r.Peek(4); err != nil || binary.BigEndian.Uint32(magic) != 0x1A45DFA3 {
		return nil, formatErrorf(ClassDamaged, "ffmpeg returned no audio")
	}
	if err := c.next(); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if c.rate < MinRate || c.rate > MaxRate || c.channels < 1 || c.channels > MaxChannels {
		return nil, formatErrorf(ClassLimits, "%d channels at %d Hz", c.channels, c.rate)
	}
	return c, nil
}

// Rate returns the sample rate in Hz.
func (c *clockReader) Rate() int { return c.rate }

// Channels returns the number of interleaved channels.
func (c *clockReader) Channels() int { return c.channels }

// Read fills dst with whole frames and returns the number of samples, at the end 0 and io.EOF.
func (c *clockReader) Read(dst []float32) (int, error) {
	frame := int64(4 * c.channels)
	for c.silence == 0 && c.left < frame {
		if err := c.skip(c.left); err != nil {
			return 0, err
		}
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	frames := int64(len(dst) / c.channels)
	if c.silence > 0 {
		frames = min(frames, c.silence)
		c.silence -= frames
		clear(dst[:frames*int64(c.channels)])
	} else {
		frames = min(frames, c.left/frame, int64(len(c.raw))/frame)
		n, err := io.ReadFull(c.r, c.raw[:frames*frame])
		if err != nil && !ended(err) {
			return 0, fmt.Errorf("read the decoded audio: %w", err)
		}
		c.left -= int64(n)
		if frames = int64(n) / frame; frames == 0 {
			return 0, io.EOF
		}
		for i := range dst[:frames*int64(c.channels)] {
			dst[i] = finite(math.Float32frombits(binary.LittleEndian.Uint32(c.raw[4*i:])))
		}
	}
	c.frames += frames
	return int(frames) * c.channels, nil
}

// next reads up to the samples of the next block. Errors: io.EOF at the end, *FormatError.
func (c *clockReader) next() error {
	for {
		id, size, err := c.element()
		if err != nil {
			return err
		}
		switch id {
		case mkvSegment, mkvTracks, mkvTrackEntry, mkvAudio, mkvCluster, mkvBlockGroup: // what is in them comes next
		case mkvRate, mkvChannels, mkvTimestamp:
			if err := c.number(id, size); err != nil {
				return err
			}
		case mkvBlock, mkvSimple:
			return c.block(size)
		default:
			if err := c.skip(size); err != nil {
				return err
			}
		}
	}
}

// element reads the head of an element.
func (c *clockReader) element() (id, size int64, err error) {
	if id, err = c.vint(4, true); err != nil {
		return 0, 0, err
	}
	size, err = c.vint(8, false)
	return id, size, err
}

// vint reads an integer of at most so many bytes, whose first bits say how many. mkvUnknown has all bits set.
func (c *clockReader) vint(longest int, keepLength bool) (int64, error) {
	first, err := c.r.ReadByte()
	if err != nil {
		return 0, io.EOF
	}
	length := 1
	for bit := byte(0x80); length <= 8 && first&bit == 0; bit >>= 1 {
		length++
	}
	if length > longest {
		return 0, errDamagedClock
	}
	value := int64(first)
	if !keepLength {
		value &= 1<<(8-length) - 1
	}
	for range length - 1 {
		b, err := c.r.ReadByte()
		if err != nil {
			return 0, io.EOF
		}
		value = value<<8 | int64(b)
	}
	if !keepLength && value == 1<<(7*length)-1 {
		return mkvUnknown, nil
	}
	return value, nil
}

var errDamagedClock = formatErrorf(ClassDamaged, "what ffmpeg returned cannot be read")

// number reads the value of an element.
func (c *clockReader) number(id, size int64) error {
	if size < 0 || size > 8 {
		return errDamagedClock
	}
	var raw [8]byte
	if _, err := io.ReadFull(c.r, raw[8-size:]); err != nil {
		return io.EOF
	}
	value := binary.BigEndian.Uint64(raw[:])
	switch {
	case id == mkvTimestamp && value < 1<<40: // 35 years
		c.cluster = int64(value)
	case id == mkvChannels && value <= math.MaxInt32:
		c.channels = int(value)
	case id == mkvRate && size == 8:
		c.rate = int(min(math.Float64frombits(value), math.MaxInt32))
	case id == mkvRate && size == 4:
		c.rate = int(min(math.Float32frombits(uint32(value)), math.MaxInt32))
	default:
		return errDamagedClock
	}
	return nil
}

// block reads the head of a block: its track, its time after that of its cluster, and flags.
func (c *clockReader) block(size int64) error {
	var head [4]byte
	if size < int64(len(head)) || c.rate == 0 {
		return errDamagedClock
	}
	if _, err := io.ReadFull(c.r, head[:]); err != nil {
		return io.EOF
	}
	c.left = size - int64(len(head))
	ms := c.cluster + int64(int16(binary.BigEndian.Uint16(head[1:])))
	late := (ms*int64(c.rate)+500)/1000 - c.jumps - c.frames
	switch {
	case late > int64(longestSilence.Seconds())*int64(c.rate):
		c.jumps += late
	case late > int64(clockSlack.Seconds()*float64(c.rate)):
		c.silence = late
	}
	return nil
}

// skip skips bytes.
func (c *clockReader) skip(size int64) error {
	if size < 0 {
		return errDamagedClock
	}
	for size > 0 {
		n, err := c.r.Discard(int(min(size, lastBlock)))
		if err != nil {
			return io.EOF
		}
		size -= int64(n)
	}
	return nil
}
