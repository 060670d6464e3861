package audio

import (
	"errors"
	"io"
	"strconv"

	"github.com/voicewright/voicewright/backend"
)

// source is decoded audio that is read piece by piece, as WAVReader and MP3Reader do.
type source interface {
	Rate() int     // Hz
	Channels() int // interleaved
	Read(dst []float32) (int, error)
}

var (
	_ source = (*WAVReader)(nil)
	_ source = (*MP3Reader)(nil)
	_ source = (*convertedSource)(nil)
	_ source = (*clockReader)(nil)
)

// conversion is what decoded audio becomes.
type conversion struct {
	rate int // Hz; 0 = its own
}

// args returns the arguments of ffmpeg.
func (c conversion) args() (args []string) {
	if c.rate > 0 {
		args = append(args, "-ar", strconv.Itoa(c.rate))
	}
	return args
}

// of returns the converted audio of a source.
func (c conversion) of(s source) source {
	if c.rate == 0 {
		c.rate = s.Rate()
	}
	if c.rate == s.Rate() {
		return s
	}
	converted := &convertedSource{from: s, to: c, block: make([]float32, decodeBlock/s.Channels()*s.Channels())}
	converted.out = make([][]float32, converted.Channels())
	for i := range converted.out {
		converted.channels = append(converted.channels, newResampler(s.Rate(), c.rate, func(samples []float32) error {
			converted.out[i] = append(converted.out[i], samples...)
			return nil
		}))
	}
	return converted
}

// convertedSource is a source at another rate.
type convertedSource struct {
	from     source
	to       conversion
	block    []float32
	channels []*resampler
	out      [][]float32 // of each channel, all of one length
	ended    bool
}

// Rate returns the sample rate in Hz.
func (c *convertedSource) Rate() int { return c.to.rate }

// Channels returns the number of interleaved channels.
func (c *convertedSource) Channels() int { return c.from.Channels() }

// Read fills dst with whole frames and returns the number of samples, at the end 0 and io.EOF.
func (c *convertedSource) Read(dst []float32) (int, error) {
	for len(c.out[0]) == 0 {
		if c.ended {
			return 0, io.EOF
		}
		if err := c.fill(); err != nil {
			return 0, err
		}
	}
	frames := min(len(dst)/len(c.out), len(c.out[0]))
	for i, one := range c.out {
		for k, x := range one[:frames] {
			dst[k*len(c.out)+i] = x
		}
		c.out[i] = one[:copy(one, one[frames:])]
	}
	return frames * len(c.out), nil
}

// fill converts the next block.
func (c *convertedSource) fill() error {
	n, err := c.from.Read(c.block)
	if errors.Is(err, io.EOF) {
		c.ended = true
		for _, r := range c.channels {
			if err := r.close(); err != nil {
				return err
			}
		}
		return nil
	}
	if err != nil {
		return err
	}
	b := Buffer{Samples: c.block[:n], Rate: c.from.Rate(), Channels: c.from.Channels()}
	for i, r := range c.channels {
		if err := r.write(b.channel(i)); err != nil {
			return err
		}
	}
	return nil
}

// streamMP3 calls read with the audio of an MP3 file. Errors: missing for another file, which needs ffmpeg; those of
// MP3Reader and read.
func streamMP3(path string, to conversion, read func(source) error, missing error) error {
	f, size, err := openMedia(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	r, err := NewMP3Reader(io.LimitReader(f, size))
	if isClass(err, ClassNotMP3, ClassUnsupported) {
		return missing
	}
	if err != nil {
		return err
	}
	return backend.Contain(func() error { return read(to.of(r)) })
}
