package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"strconv"
	"time"

	"github.com/voicewright/voicewright/backend/audio"
)

const (
	pcmRate    = 24_000       // Hz of audio without a header
	decodeRate = 48_000       // Hz to which compressed audio is decoded
	blockSize  = 64 << 10     // samples read at a time
	streamSize = 1<<31 - 4096 // a header that states this size or more was written before the length was known
)

// errNotAudio is an answer in no format that is read, such as an HTML page.
var errNotAudio = errors.New("the answer is no audio")

// decode returns the sound of an answer as one channel, whatever format it has.
func (p *Provider) decode(ctx context.Context, a answer, limit time.Duration) (sound audio.Buffer, err error) {
	switch format := formatOf(a.body); {
	case format == "wav":
		sound, err = readWAV(a.body, limit)
	case format != "":
		sound, err = p.decompress(ctx, a.body, format, limit)
	default:
		rate, ok := pcmRateOf(a.contentType)
		if !ok {
			return audio.Buffer{}, fmt.Errorf("%w: %d bytes of %q", errNotAudio, len(a.body), a.contentType)
		}
		if len(a.body)%2 != 0 {
			return audio.Buffer{}, errors.New("the audio is cut off in the middle of a sample")
		}
		sound, err = readWAV(append(audio.WAVHeader(rate, 1, uint32(len(a.body))), a.body...), limit)
	}
	if err != nil {
		return audio.Buffer{}, err
	}
	if sound.Frames() == 0 {
		return audio.Buffer{}, errors.New("the answer is audio without a sample")
	}
	return sound, nil
}

// formatOf returns the format of an audio file by its first bytes, empty for another file.
func formatOf(b []byte) string {
	switch {
	case len(b) < 12:
		return ""
	case string(b[8:12]) == "WAVE":
		return "wav"
	case string(b[:4]) == "fLaC":
		return "flac"
	case string(b[:4]) == "OggS":
		return "ogg"
	case string(b[:3]) == "ID3", b[0] == 0xFF && b[1]&0xE0 == 0xE0 && b[1]&0x06 == 0x02: // layer III
		return "mp3"
	}
	return ""
}

// pcmRateOf returns the sample rate of 16-bit little-endian samples without a header, by their Content-Type.
func pcmRateOf(contentType string) (rate int, ok bool) {
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return 0, false
	}
	switch media {
	case "audio/pcm", "audio/x-pcm", "audio/l16":
	default:
		return 0, false
	}
	rate, err = strconv.Atoi(params["rate"])
	if err != nil || rate < audio.MinRate || rate > audio.MaxRate {
		rate = pcmRate
	}
	return rate, true
}

// readWAV reads a WAV file as one channel. A file that ends before its samples do is an error.
func readWAV(content []byte, limit time.Duration) (audio.Buffer, error) {
	r, err := audio.NewWAVReader(bytes.NewReader(content))
	if err != nil {
		return audio.Buffer{}, err
	}
	sound := collector{Buffer: audio.Buffer{Rate: r.Rate(), Channels: 1}, limit: limit}
	block := make([]float32, blockSize/r.Channels()*r.Channels())
	for {
		n, err := r.Read(block)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = sound.add(audio.Buffer{Samples: block[:n], Rate: r.Rate(), Channels: r.Channels()}.Mono().Samples)
		}
		if err != nil {
			return audio.Buffer{}, err
		}
	}
	if missing := r.Missing(); missing > 0 && missing+int64(len(content)) < streamSize {
		return audio.Buffer{}, fmt.Errorf("the audio is cut off: %d bytes are missing", missing)
	}
	return sound.Buffer, nil
}

// decompress decodes a compressed file as one channel.
func (p *Provider) decompress(ctx context.Context, content []byte, format string, limit time.Duration) (_ audio.Buffer, err error) {
	f, err := os.CreateTemp("", "voicewright-service-*."+format)
	if err != nil {
		return audio.Buffer{}, fmt.Errorf("decode the audio: %w", err)
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(content)
	if err := errors.Join(err, f.Close()); err != nil {
		return audio.Buffer{}, fmt.Errorf("decode the audio: %w", err)
	}
	sound := collector{Buffer: audio.Buffer{Rate: decodeRate, Channels: 1}, limit: limit}
	err = p.options.Codecs.StreamMono(ctx, f.Name(), decodeRate, sound.add)
	return sound.Buffer, err
}

// collector collects samples up to a length.
type collector struct {
	audio.Buffer
	limit time.Duration
}

func (c *collector) add(samples []float32) error {
	c.Samples = append(c.Samples, samples...)
	if c.Duration() > c.limit {
		return fmt.Errorf("the audio is longer than %s", maxDuration)
	}
	return nil
}
