package service

import (
	"context"
	"io"
	"iter"

	"github.com/voicewright/voicewright/backend/audio"
)

// Speech is what a provider is asked to speak.
type Speech struct {
	Turns    []Turn // one for synthesize; for a dialogue one each, spoken after another
	Settings VoiceSettings
	Priority bool // of a caller with an active Pro or Max plan, who goes before the others that wait
}

// Turn is the text of one voice.
type Turn struct {
	Voice Voice
	Text  string // may contain audio tags; a provider without tags drops them
}

// VoiceSettings are the parameters of synthesis. Stability, SimilarityBoost, SpeakerBoost and LanguageOverride belong to v3.
type VoiceSettings struct {
	Speed            float64 // 0.25..4; 1 with v3
	Stability        float64 // 0..1
	SimilarityBoost  float64 // 0..1
	SpeakerBoost     bool
	LanguageOverride bool
}

// Provider speaks with the voices of one provider. Speak returns an *Error for an answer that the contract names (503
// PROVIDER_BUSY with its RetryAfter, 400 for a text without anything to speak); any other error becomes 502. It returns within
// 200 ms after ctx ends. Both methods are safe for concurrent use.
type Provider interface {
	// Voices returns the active voices, none while its models are missing.
	Voices(ctx context.Context) ([]Voice, error)
	Speak(ctx context.Context, s Speech) (audio.Buffer, error)
}

// Encoder writes audio in a format of the contract.
type Encoder interface {
	// Ready returns nil when every format can be written, else why not.
	Ready(ctx context.Context) error
	Encode(ctx context.Context, sound audio.Buffer, format Format, w io.Writer) error
}

// Enhancer inserts audio tags into a text. Without its tags, the result is the text byte for byte.
type Enhancer interface {
	// Enhance returns text with tags that fit the voice, which is nil where the request names none.
	Enhance(ctx context.Context, text string, voice *Voice) (string, error)
}

// Files stores the audio that is handed out by link. Names are random and have no separators.
type Files interface {
	// Ready returns nil when files can be written, else why not. It leaves nothing behind.
	Ready(ctx context.Context) error
	// Create writes a file under name; it is there whole or not at all, also after a power cut once Create has returned nil.
	Create(ctx context.Context, name string, write func(io.Writer) error) error
	// Open returns the file's content and size. Error: ErrNotFound.
	Open(ctx context.Context, name string) (io.ReadSeekCloser, int64, error)
	// Delete removes a file; one that is gone already is no error.
	Delete(ctx context.Context, name string) error
	// Names returns the names of all files, for the sweeper. An error ends them.
	Names(ctx context.Context) iter.Seq2[string, error]
}
