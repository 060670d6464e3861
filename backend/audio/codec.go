package audio

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/voicewright/voicewright/backend"
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
	mu      sync.Mutex
	program string          // absolute path once found
	have    map[string]bool // encoders, once probed
	probing *probe          // in progress, nil without one
}

// FindCodecs returns Codecs that look up ffmpeg on the PATH when it is first needed, and again until it has the
// encoder that is asked for, so that it may be installed while the program runs.
func FindCodecs() *Codecs { return &Codecs{} }
