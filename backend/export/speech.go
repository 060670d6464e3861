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
	path, err := s.temp(id, format)
	if err != nil {
		return backend.ExportedFile{}, err
	}
	out := backend.ExportedFile{Path: path, Name: g.FileName() + "." + format, Close: func() { _ = os.Remove(path) }}
	if format == FormatPCM {
		err = s.writePCM(ctx, g.AudioPath, path)
	} else if err = s.o.Encoder.Ready(ctx, format); err == nil {
		err = s.o.Encoder.Export(ctx, g.AudioPath, path, format, g.Tags(), audio.ExportOptions{})
	}
	if err != nil {
		out.Close()
		return backend.ExportedFile{}, withID(err, "generation_id", id)
	}
	return out, nil
}

// writePCM writes the audio of a file to another one in FormatPCM.
func (s *Service) writePCM(ctx context.Context, from, path string) error {
	to, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return backend.FileError("write the export file", "the data directory", err)
	}
	err = s.o.Encoder.StreamMono(ctx, from, pcmRate, func(samples []float32) error {
		_, err := to.Write(audio.PCM16(nil, samples))
		return err
	})
	return backend.FileError("write the export file", "the data directory", errors.Join(err, to.Close()))
}
