package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// speaker has texts spoken and writes the audio to files.
type speaker struct{ o *Config }

// listen returns what a provider speaks. Its failures become 502, except those that are answers.
func (s *speaker) listen(ctx context.Context, id ProviderID, speech Speech) (audio.Buffer, error) {
	var sound audio.Buffer
	err := backend.Contain(func() (err error) {
		if sound, err = s.o.Providers[id].Speak(ctx, speech); err != nil {
			return err
		}
		return checkAudio(sound)
	})
	var answered *Error
	switch {
	case err == nil:
		return sound, ctx.Err()
	case ctx.Err() != nil:
		return audio.Buffer{}, err
	case errors.As(err, &answered):
		if answered.Cause != nil {
			s.o.Log.WarnContext(ctx, "provider refused a text", "provider", id, "error", answered.Cause)
		}
		return audio.Buffer{}, err
	}
	s.o.Log.ErrorContext(ctx, "provider failed", "provider", id, "error", err)
	return audio.Buffer{}, errProvider.withCause(err)
}

// checkAudio returns nil for audio that can be encoded. Silence is valid: whether a sound is speech is for its provider to know.
func checkAudio(b audio.Buffer) error {
	if b.Rate <= 0 || b.Channels <= 0 || len(b.Samples) == 0 || len(b.Samples)%b.Channels != 0 {
		return fmt.Errorf("%d samples in %d channels at %d Hz are no audio", len(b.Samples), b.Channels, b.Rate)
	}
	for _, x := range b.Samples {
		if v := float64(x); math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("the audio has the sample %g", v)
		}
	}
	return nil
}

// write encodes audio into a file and returns its size.
func (s *speaker) write(ctx context.Context, name string, sound audio.Buffer, format Format) (int64, error) {
	var size countWriter
	err := s.o.Files.Create(ctx, name, func(w io.Writer) error {
		size.Writer = w
		err := s.o.Encoder.Encode(ctx, sound, format, &size)
		if err == nil && size.n == 0 {
			err = fmt.Errorf("encode %s: no bytes", format)
		}
		return err
	})
	switch {
	case diskFull(err):
		return 0, errFilesFull.withCause(err)
	case errors.Is(err, ErrFilesDown):
		return 0, errFilesDown.withCause(err)
	case err != nil:
		return 0, s.errNotReady(ctx, err)
	}
	return size.n, nil
}

// errNotReady returns the answer that says what the encoder lacks where that may be why it failed, else err.
func (s *speaker) errNotReady(ctx context.Context, err error) error {
	var lacks *Error
	if errors.As(s.o.Encoder.Ready(ctx), &lacks) {
		return lacks.withCause(err)
	}
	return err
}

// diskFull reports whether err says that a disk is full.
func diskFull(err error) bool {
	return backend.CodeOf(err) == backend.CodeInsufficientDisk
}

// countWriter counts the bytes that it passes on.
type countWriter struct {
	io.Writer
	n int64
}

func (w *countWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.n += int64(n)
	return n, err
}
