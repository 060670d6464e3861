package export

import (
	"context"
	"errors"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// FormatPCM is raw audio: 24 kHz, 16-bit little-endian, mono.
const FormatPCM = "pcm"

// pcmRate is the sample rate of FormatPCM in Hz.
const pcmRate = 24000

// Speech is Generation for programs that use speech at once: format is also pcm or aac.
func (s *Service) Speech(ctx context.Context, id, format string) (backend.ExportedFile, error) {
	if format != FormatPCM && format != audio.FormatAAC {
		return s.Generation(ctx, id, format, audio.ExportOptions{})
	}
	g, err := s.o.Store.Generation(ctx, id)
	if err != nil {
		return backend.ExportedFile{}, err
	}
	temp, err := os.CreateTemp(s.o.TempDir, id+".*."+format)
	if err != nil {
		return backend.ExportedFile{}, backend.FileError("make the export file", "the data directory", err)
	}
	out := backend.ExportedFile{Path: temp.Name(), Name: g.FileName() + "." + format, Close: func() { _ = os.Remove(temp.Name()) }}
	if format == FormatPCM {
		err = s.o.Encoder.StreamMono(ctx, g.AudioPath, pcmRate, func(samples []float32) error {
			_, err := temp.Write(audio.PCM16(nil, samples))
			return backend.FileError("write the export file", "the data directory", err)
		})
	} else if err = s.o.Encoder.Ready(ctx, format); err == nil {
		err = s.o.Encoder.Export(ctx, g.AudioPath, temp.Name(), format, g.Tags(), audio.ExportOptions{})
	}
	if err := errors.Join(err, temp.Close()); err != nil {
		out.Close()
		return backend.ExportedFile{}, withID(err, "generation_id", id)
	}
	return out, nil
}
