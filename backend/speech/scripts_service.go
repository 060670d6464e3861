package speech

import (
	"context"
	"log/slog"

	"github.com/voicewright/voicewright/backend"
)

// ScriptsStore is the part of the store that scripts need.
type ScriptsStore interface {
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

// ScriptsOptions are what Scripts are built from.
type ScriptsOptions struct {
	Dir     string // of the audio files
	Store   ScriptsStore
	Hosted  *HostedMaker // nil without a hosted service
	Expired func(n int)  // called with the number of turns that were deleted by themselves; may be nil
	NewID   func() string
	Log     *slog.Logger
}

// Scripts speaks texts in several voices. It is safe for concurrent use.
type Scripts struct {
	o       ScriptsOptions
	gens    *Service
	synth   *Synthesizer
	scripts holds // that are being generated
}

// NewScripts returns the Scripts whose turns are generations of a service.
func NewScripts(gens *Service, synth *Synthesizer, o ScriptsOptions) *Scripts {
	return &Scripts{o: o, gens: gens, synth: synth}
}
