package espeak

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

var _ engines.Speaker = (*Engine)(nil)

// Name is the name of this engine in the registry.
const Name = "espeak"

const (
	sampleRate  = 22050 // Hz, of every voice that comes with espeak-ng
	concurrency = 4
)

// Engine speaks with the installed espeak-ng, one process for each call. No process runs between calls. It is safe for
// concurrent use.
type Engine struct {
	installation
	alphabets alphabets
	stall     time.Duration
}

// New returns an Engine. It starts no process; a missing espeak-ng is an error of the first call.
func New() *Engine { return &Engine{stall: stallTimeout} }

// Info describes the installed espeak-ng. Without espeak-ng it has no voices and no runtimes.
func (e *Engine) Info() engines.Info {
	ctx := context.Background() // each command has a limit of its own, after which it counts as hung
	info := engines.Info{
		Engine: Name, SampleRate: sampleRate, Channels: 1,
		MinSpeed: float64(minRate) / normalRate, MaxSpeed: float64(maxRate) / normalRate,
		TextFeatures: engines.TextFeatures{Phonemes: true}, Reproducible: true, Concurrency: concurrency, Device: "cpu", Threads: 1,
	}
	voices, err := e.Voices(ctx)
	if err != nil {
		return info
	}
	info.Voices = voices
	for _, v := range voices {
		info.Languages = append(info.Languages, v.Language)
	}
	if version, err := e.Version(ctx); err == nil {
		info.Runtimes = map[string]string{program: version}
	}
	return info
}

// Close does nothing: every process ends with its call.
func (e *Engine) Close() error { return nil }

// Speak speaks u.Text and emits mono audio (22,050 Hz with the voices of espeak-ng) in buffers of 100 ms, the last one
// shorter, as it comes. Without u.Voice the voice is that of u.Language, without both it is the first of Voices. Speed and
// pitch are limited to the range of espeak-ng (pitch: -6.8 to +9.7 semitones); the seed has no effect. IPA in
// double square brackets is spoken; others, and angle brackets, are plain text.
// Errors: nothing_to_speak, runtime_missing, not_found (voice), language_not_supported, engine_failed, cancelled.
func (e *Engine) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	if !text.Speakable(u.Text) {
		return backend.E(backend.CodeNothingToSpeak,
			"The text has no letter or digit to speak.", "Write some words.")
	}
	voice, err := e.choose(ctx, u)
	if err != nil {
		return err
	}
	input, err := e.input(ctx, u.Text, voice)
	if err != nil {
		return err
	}
	c := call{
		args:  []string{"-b", "1", "-v", voice.arg, "-s", rate(u.Speed), "-p", pitch(u.Pitch), "--stdin", "--stdout"},
		text:  input,
		stall: e.stall,
	}
	return c.speak(ctx, emit)
}

// choose returns the voice for u.
func (e *Engine) choose(ctx context.Context, u engines.Utterance) (listed, error) {
	switch {
	case u.Voice != "":
		return e.find(ctx, u.Voice)
	case u.Language == "":
		voices, err := e.list(ctx)
		if err != nil {
			return listed{}, err
		}
		return voices[0], nil
	}
	voice, ok := VoiceFor(u.Language)
	if !ok {
		return listed{}, backend.E(backend.CodeLanguageNotSupported,
			"espeak-ng does not speak this language.", "Choose a voice of another language.").With("language", u.Language)
	}
	return e.find(ctx, voice)
}
