package generations

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
)

// Peaks returns n peaks of a finished generation's sound for drawing.
// Errors: generation_not_found, audio_missing, runtime_missing for a compressed file without ffmpeg.
func (s *Service) Peaks(ctx context.Context, id string, n int) ([]audio.Peak, error) {
	path, err := s.AudioFile(ctx, id)
	if err != nil {
		return nil, err
	}
	path, drop, err := s.synth.Decoded(ctx, path, 0)
	defer drop()
	if err != nil {
		return nil, speech.AudioGone(id, err)
	}
	return wavPeaks(path, id, n)
}

// wavPeaks reads a WAV file of any length with flat memory.
func wavPeaks(path, id string, n int) ([]audio.Peak, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, speech.AudioGone(id, backend.FileError("read the audio", "the data directory", err))
	}
	defer func() { _ = f.Close() }()
	info, err := audio.ProbeWAV(f)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read the audio: %w", err)
	}
	r, err := audio.NewWAVReader(f)
	if err != nil {
		return nil, err
	}
	wave := audio.NewWaveform(info.Frames, info.Channels, n)
	block := make([]float32, 1<<14*info.Channels)
	for {
		got, err := r.Read(block)
		wave.Write(block[:got])
		if errors.Is(err, io.EOF) {
			return wave.Peaks(), nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the audio: %w", err)
		}
	}
}
