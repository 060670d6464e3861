// Package encode writes audio in the formats of the hosted API. All of it is one channel at the usual loudness, so that voices of
// different providers sound alike.
package encode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
)

// mp3Rate is the sample rate of mp3_44100_128 in Hz, mp3BitRate its constant bit rate in kbit/s.
const (
	mp3Rate    = 44100
	mp3BitRate = 128
)

// Encoder is a service.Encoder. It is safe for concurrent use.
type Encoder struct{ codecs *audio.Codecs }

var _ service.Encoder = (*Encoder)(nil)

// New returns an Encoder that writes MP3 with codecs.
func New(codecs *audio.Codecs) *Encoder { return &Encoder{codecs} }

// Ready returns nil when every format can be written, else a *service.Error of status 503 that says what to install. What is missing
// is looked up again by each call.
func (e *Encoder) Ready(ctx context.Context) error {
	err := e.codecs.Ready(ctx, backend.FormatMP3)
	if err == nil || ctx.Err() != nil {
		return err
	}
	return &service.Error{
		Status: http.StatusServiceUnavailable, Cause: err,
		Sentence: "MP3 cannot be written without the program ffmpeg with libmp3lame. " + install(runtime.GOOS),
	}
}

// install returns how to install ffmpeg with libmp3lame on an operating system.
func install(goos string) string {
	switch goos {
	case "darwin":
		return "Install it with `brew install ffmpeg`."
	case "windows":
		return "Install it with `winget install ffmpeg` and start the service again."
	case "linux":
		return "Install the package ffmpeg (`sudo apt install ffmpeg`; Fedora: `sudo dnf install ffmpeg-free`)."
	}
	return "Install ffmpeg with the system's package manager."
}

// Encode writes sound in a format to w. A part may have been written before an error. Errors: backend.ErrCancelled soon after ctx
// ends, runtime_missing without ffmpeg, those of w.
func (e *Encoder) Encode(ctx context.Context, sound audio.Buffer, format service.Format, w io.Writer) error {
	rate, ok := rateOf(format)
	if !ok {
		return fmt.Errorf("encode: no format %q", format)
	}
	if sound.Rate < audio.MinRate || sound.Rate > audio.MaxRate || sound.Channels < 1 || sound.Channels > audio.MaxChannels {
		return fmt.Errorf("encode: %d channels at %d Hz", sound.Channels, sound.Rate)
	}
	if sound.Frames() == 0 {
		return errors.New("encode: the audio is empty")
	}
	mono, err := sound.MonoAt(ctx, rate)
	if err != nil {
		return err
	}
	if _, err := audio.Normalize(ctx, mono); err != nil {
		return err
	}
	if format == service.MP3 {
		return e.codecs.MP3(ctx, mono, mp3BitRate, w)
	}
	return writePCM(ctx, mono.Samples, w)
}

// rateOf returns the sample rate of a format in Hz.
func rateOf(format service.Format) (rate int, ok bool) {
	switch format {
	case service.MP3:
		return mp3Rate, true
	case service.PCM8000:
		return 8000, true
	case service.PCM16000:
		return 16000, true
	case service.PCM22050:
		return 22050, true
	case service.PCM24000:
		return 24000, true
	}
	return 0, false
}

// pcmBlock is how many samples are written at a time.
const pcmBlock = 1 << 15

// writePCM writes samples as 16-bit little-endian PCM without a header; those beyond the range are clipped.
func writePCM(ctx context.Context, samples []float32, w io.Writer) error {
	var pcm []byte
	for at := 0; at < len(samples); at += pcmBlock {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		pcm = audio.PCM16(pcm[:0], samples[at:min(at+pcmBlock, len(samples))])
		if _, err := w.Write(pcm); err != nil {
			return err
		}
	}
	return nil
}
