package speech

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// wavPeaks reads a WAV file of any length with flat memory.
func wavPeaks(path, id string, n int) ([]audio.Peak, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, backend.E(backend.CodeAudioMissing, "The audio of this generation is gone.", "Make it again.").
			With("generation_id", id)
	}
	if err != nil {
		return nil, backend.FileError("read the audio", "the data directory", err)
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
