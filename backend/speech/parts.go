package speech

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// AudioGone returns audio_missing where a file of a generation is not there, else the error as it is.
func AudioGone(id string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return backend.E(backend.CodeAudioMissing, "The audio of this generation is missing.", "Regenerate it.").
			With("generation_id", id).WithCause(err)
	}
	return err
}

// ReadPart calls emit with the frames [from, to) of a WAV file.
func ReadPart(ctx context.Context, path string, from, to int64, emit func([]float32) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	r, err := audio.NewWAVReader(f)
	if err != nil {
		return err
	}
	channels := int64(r.Channels())
	block := make([]float32, 1<<14*channels)
	for at := int64(0); at < to; {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		n, err := r.Read(block[:min(int64(len(block)), (to-at)*channels)])
		if errors.Is(err, io.EOF) {
			return backend.E(backend.CodeAudioMissing, "An audio file is shorter than expected.", "Regenerate it.")
		}
		if err != nil {
			return fmt.Errorf("read the audio: %w", err)
		}
		skip := min(max(from-at, 0)*channels, int64(n))
		at += int64(n) / channels
		if err := emit(block[skip:n]); err != nil {
			return err
		}
	}
	return nil
}
