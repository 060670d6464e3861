package audio

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio/internal/encoders"
	"github.com/voicewright/voicewright/backend/files"
)

// FormatAAC is raw AAC (ADTS), which is written to HTTP responses only. Files of it can be read.
const FormatAAC = "aac"

// FormatOf returns the audio format of a file name by its extension.
func FormatOf(path string) (string, bool) {
	ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	if slices.Contains(backend.AudioFormats(), ext) {
		return ext, true
	}
	return "", false
}

// Codecs encodes and decodes audio with the ffmpeg program, which runs as a child process. It is safe for concurrent use.
// Without ffmpeg only WAV works, and reading MP3; other formats are the error runtime_missing.
type Codecs struct {
	Free files.FreeSpace // of the disk to which files are decoded; nil = not looked at. Set before first use

	ffmpeg *encoders.Finder
}

// FindCodecs returns Codecs that look up ffmpeg on the PATH when it is first needed, and again until it has the
// encoder that is asked for, so that it may be installed while the program runs.
func FindCodecs() *Codecs { return &Codecs{ffmpeg: encoders.NewFinder(listEncoders)} }

// Encoders returns the formats that can be written: wav always, then those of the ffmpeg that was found.
func (c *Codecs) Encoders(ctx context.Context) []string {
	formats := []string{backend.FormatWAV}
	_, have, err := c.ffmpeg.Find(ctx)
	if err != nil {
		return formats
	}
	for _, e := range encodings() {
		if have[e.encoder] {
			formats = append(formats, e.format)
		}
	}
	return formats
}

// listEncoders returns what `ffmpeg -encoders` prints.
func listEncoders(ctx context.Context, program string) (string, error) {
	var list strings.Builder
	err := ffmpeg{program: program, args: []string{"-encoders"}, read: func(r io.Reader) error {
		_, err := io.Copy(&list, io.LimitReader(r, 1<<20))
		return err
	}}.run(ctx)
	if err != nil {
		return "", fmt.Errorf("ask ffmpeg for its encoders: %w", err)
	}
	return list.String(), nil
}
