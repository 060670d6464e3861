// Package scripts speaks texts in several voices: each turn is a generation, and all are joined to one file.
package scripts

import (
	"context"
	"log/slog"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
)

// Store is the part of the store that scripts need.
type Store interface {
	GenerationsByID(ctx context.Context, ids []string, brief bool) ([]backend.Generation, error)
	UpdateGeneration(ctx context.Context, id string, change func(*backend.Generation) error) (backend.Generation, error)
	DeleteGenerations(ctx context.Context, ids []string) ([]backend.Generation, error)
	// DropTurns is like ExpireGenerations but also keeps the turns of scripts and of their previous versions.
	DropTurns(ctx context.Context, ids []string) ([]backend.Generation, error)
	CreateScript(ctx context.Context, s backend.Script) (backend.Script, error)
	Script(ctx context.Context, id string) (backend.Script, error)
	Scripts(ctx context.Context, page backend.Page) (backend.List[backend.Script], error)
	UpdateScript(ctx context.Context, id string, change func(*backend.Script) error) (backend.Script, error)
	// SetSpareTurns stores the spare turns of a script, and leaves its updated_at.
	SetSpareTurns(ctx context.Context, id string, spare []string) error
	DeleteScript(ctx context.Context, id string) (backend.Script, error)
}

// Hosted makes the turns of scripts with the hosted service.
type Hosted interface {
	// Dialogue returns the jobs of a script whose turns all are hosted voices that speak together: one for each call. ok is false for
	// other scripts.
	Dialogue(ctx context.Context, turns []generations.Request, profiles []backend.Profile) (jobs []*generations.Job, ok bool, err error)
	// Unpaid returns what is still to be paid of a speech.
	Unpaid(ctx context.Context, h backend.HostedSpeech) (backend.HostedSpeech, error)
}

// Options are what a Service is built from.
type Options struct {
	Dir     string // of the audio files
	Store   Store
	Hosted  Hosted      // nil without a hosted service
	Expired func(n int) // called with the number of turns that were deleted by themselves; may be nil
	NewID   func() string
	Log     *slog.Logger
}

// Service speaks texts in several voices. It is safe for concurrent use.
type Service struct {
	o       Options
	gens    *generations.Service
	synth   *speech.Synthesizer
	scripts holds // that are being generated
}

// New returns the Scripts whose turns are generations of a service.
func New(gens *generations.Service, synth *speech.Synthesizer, o Options) *Service {
	return &Service{o: o, gens: gens, synth: synth}
}
