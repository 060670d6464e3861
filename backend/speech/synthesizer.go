// Package speech turns text into levelled samples: it plans a text, speaks its sentences side by side with an engine, joins and levels
// them, and writes the file. It knows no history and no queue.
package speech

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/engines"
)

// Levels stores at which level a voice was measured last.
type Levels interface {
	VoiceLevel(ctx context.Context, model, voice string) (level backend.VoiceLevel, ok bool, err error)
	SetVoiceLevel(ctx context.Context, model, voice string, level backend.VoiceLevel) error
}

// Models finds models by name or preset voice, and loads them. Errors of Acquire: model_unknown, model_corrupt,
// runtime_missing, out_of_memory.
type Models interface {
	Model(name string) (engines.Model, error)
	ModelOf(engine, voiceID string) (engines.Model, error)
	Acquire(ctx context.Context, name string, phase func(backend.Status)) (*engines.Loaded, error)
	// AcquireDownloaded is like Acquire but downloads nothing. Error: model_not_downloaded.
	AcquireDownloaded(ctx context.Context, name string) (*engines.Loaded, error)
	// Download starts the download of a missing model. accept accepts its licence, also of an installed one.
	Download(ctx context.Context, name string, accept bool) (backend.ModelProgress, error)
}

// Encoder converts between WAV and other formats; rate is in Hz, 0 as it is decoded. Errors: runtime_missing, unsupported_media.
type Encoder interface {
	Ready(ctx context.Context, format string) error
	Encode(ctx context.Context, from, to, format string, meta map[string]string) error
	DecodeFile(ctx context.Context, from, to string, rate int) error
}

// SynthesizerOptions are what a Synthesizer is built from.
type SynthesizerOptions struct {
	Dir          string // of the audio files; temporary ones are in a folder of it
	Levels       Levels
	Models       Models
	Clones       Clones // nil = no profile of a cloned voice can speak
	Encoder      Encoder
	BuiltIn      string                               // model name of the built-in engine
	BuiltInVoice func(language string) (string, bool) // the built-in voice of a BCP 47 language
	DefaultVoice func() (voice string, set bool)      // MODEL:VOICE of the settings, and whether the user chose it
	Words        func(context.Context) ([]backend.Pronunciation, error)
	Memory       func() (total, free int64, ok bool) // bytes
	// Unread reports whether a model cannot pronounce characters of another script, or symbols.
	Unread  func(ctx context.Context, model engines.Model, language, characters string) (bool, error)
	Version string // of the program
	Now     func() time.Time
	NewID   func() string
	Log     *slog.Logger
}

// Synthesizer plans texts, speaks them with engines on this machine, and levels the audio. It knows no history and no queue. It is
// safe for concurrent use.
type Synthesizer struct {
	o     SynthesizerOptions
	words dictionaries
}

// NewSynthesizer returns a Synthesizer.
func NewSynthesizer(o SynthesizerOptions) *Synthesizer { return &Synthesizer{o: o} }

// Dir returns the folder of the audio files.
func (s *Synthesizer) Dir() string { return s.o.Dir }

// TempDir returns the folder for temporary files: on the disk of the audio, and emptied at each start.
func (s *Synthesizer) TempDir() string {
	dir := filepath.Join(s.o.Dir, "unfinished")
	_ = os.MkdirAll(dir, 0o700) // creating a file in it reports the error
	return dir
}

// Deletions are the notes of what is deleted with its audio.
func (s *Synthesizer) Deletions() files.Deletions {
	return files.Deletions{Notes: s.TempDir(), Root: s.Dir(), Log: s.o.Log}
}

// WriteFile replaces a file atomically; temporary files are in TempDir.
func (s *Synthesizer) WriteFile(path string, content []byte) error {
	return files.ReplaceFrom(s.TempDir(), path, 0o600, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
}

// Decoded returns a sound file as a WAV file, at rate Hz where it is compressed (0: as it is decoded), that is there
// until drop is called, which the caller does once, also after an error. A compressed one is decoded to a file, as
// it may be longer than memory.
func (s *Synthesizer) Decoded(ctx context.Context, audioPath string, rate int) (path string, drop func(), err error) {
	if format, _ := audio.FormatOf(audioPath); format == backend.FormatWAV {
		return audioPath, func() {}, nil
	}
	path = filepath.Join(s.TempDir(), s.o.NewID()+".wav")
	drop = func() { _ = os.Remove(path) }
	return path, drop, s.o.Encoder.DecodeFile(ctx, audioPath, path, rate)
}

// Drop ends audio that is made and releases it; a failure is logged.
func (s *Synthesizer) Drop(sound Sound) {
	sound.End()
	if err := sound.Release(); err != nil {
		s.o.Log.Warn("remove unfinished audio", "error", err)
	}
}
