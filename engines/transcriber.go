package engines

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// TranscriberRate is the sample rate of the audio that a Transcriber reads, in Hz; it is mono.
const TranscriberRate = 16000

// Transcriber turns audio into text with one loaded model. Implementations are safe for concurrent use; runs beyond
// Info().Concurrency wait for each other. Transcribe MUST return an error that is backend.ErrCancelled within 200 ms after
// ctx ends, MUST call emit in order and never after it returned, and MUST stop at emit's first error and return it.
// Audio shorter than 100 ms, or without samples, has no segments and is no error.
type Transcriber interface {
	Engine
	// Transcribe reads samples in [-1, 1] at TranscriberRate, and calls emit with each segment as it is found. The times of
	// segments are seconds from the first sample and never beyond the last. It returns the language, given or detected.
	// Errors: language_not_supported, out_of_memory, engine_failed, cancelled.
	Transcribe(ctx context.Context, samples []float32, o TranscribeOptions, emit func(backend.Segment) error) (language string, err error)
}

// TranscribeOptions are the options of one run of a Transcriber.
type TranscribeOptions struct {
	Language  string // BCP 47; empty: detected, or the only one of the model
	Translate bool   // into English; language_not_supported for an English-only model
	Words     bool   // segments have words with times
	Prompt    string // text that precedes the audio, such as names; cut by the engine to what it can use
	// Progress is called with 0..1 while the run goes on, from one goroutine; may be nil.
	Progress func(float64)
	// Waiting is called when an abandoned run of the model must end first; may be nil.
	Waiting func()
}

// LoadedTranscriber is a transcription model in memory, counted as in use until Release is called.
type LoadedTranscriber struct {
	Transcriber
	Model    string
	Revision string
	Files    []backend.FileHash
	Release  func()
	Memory   int64 // in bytes, measured or estimated; 0 if unknown
	// Transcribed records how fast the model was, in seconds of work per second of audio; nil if nothing records it.
	Transcribed func(rtf float64)
}

// Span is a stretch of audio, in samples: [Start, End).
type Span struct{ Start, End int }

// SpeechDetector finds speech in audio. It is safe for concurrent use.
type SpeechDetector interface {
	// Speech returns the stretches of speech in mono samples at TranscriberRate, in order and without overlap. Errors:
	// runtime_missing, cancelled.
	Speech(ctx context.Context, samples []float32) ([]Span, error)
}
