// Package proof listens to what was spoken, compares it with the text, and has chunks made again that are not understood.
package proof

import (
	"context"
	"log/slog"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/engines"
)

// Store is the part of the store that proof-listening needs.
type Store interface {
	Profile(ctx context.Context, id string) (backend.Profile, error)
	Generation(ctx context.Context, id string) (backend.Generation, error)
	GenerationsByID(ctx context.Context, ids []string, brief bool) ([]backend.Generation, error)
	UpdateGeneration(ctx context.Context, id string, change func(*backend.Generation) error) (backend.Generation, error)
}

// Models loads transcription models.
type Models interface {
	// AcquireTranscriber loads a transcription model, and downloads it first if it is missing. Errors: those of Acquire,
	// engine_mismatch for a speech model.
	AcquireTranscriber(ctx context.Context, name string, phase func(backend.Status)) (*engines.LoadedTranscriber, error)
	// AcquireTranscriberDownloaded is like AcquireTranscriber but downloads nothing. Error: model_not_downloaded.
	AcquireTranscriberDownloaded(ctx context.Context, name string) (*engines.LoadedTranscriber, error)
	// Installed returns why a model would have to be downloaded first, nil where it would not. Errors: model_unknown,
	// model_not_downloaded.
	Installed(name string) error
}

// Diarizers has the model that tells voices apart. Error: model_not_downloaded.
type Diarizers interface {
	AcquireDiarizerDownloaded(ctx context.Context) (*engines.LoadedDiarizer, error)
}

// Retaker makes a chunk again that was not understood.
type Retaker interface {
	Retake(
		ctx context.Context, g backend.Generation, n int, limit float64,
		verify func(ctx context.Context, c backend.ReceiptChunk, samples []float32) (backend.ChunkVerification, error),
	) error
}

// Options are what a Service is built from.
type Options struct {
	Store     Store
	Models    Models
	Clones    speech.Clones // nil = there are no cloned voices
	Diarizers Diarizers     // nil: nothing tells voices apart
	Encoder   interface {
		// StreamMono calls emit with the audio of a file as mono samples at rate Hz.
		StreamMono(ctx context.Context, path string, rate int, emit func(samples []float32) error) error
	}
	Verify func() Settings // the settings
	Takes  Retaker
	Now    func() time.Time
	Log    *slog.Logger
}

// Service listens to what was spoken. It is safe for concurrent use.
type Service struct {
	o     Options
	gens  *generations.Service
	synth *speech.Synthesizer
}

// New returns what listens to the generations of a service, and starts to.
func New(gens *generations.Service, synth *speech.Synthesizer, o Options) *Service {
	p := &Service{o: o, gens: gens, synth: synth}
	gens.Checks.Listen(p.verify)
	return p
}
