package speech

import (
	"context"
	"log/slog"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// TakesStore is the part of the store that changes of a generation need.
type TakesStore interface {
	Generation(ctx context.Context, id string) (backend.Generation, error)
	UpdateGeneration(ctx context.Context, id string, change func(*backend.Generation) error) (backend.Generation, error)
	// ReviseGeneration is UpdateGeneration that also stores what change replaces, in the place of an earlier version.
	ReviseGeneration(ctx context.Context, id string, change func(*backend.Generation) error) (backend.Generation, error)
	// UndoRevision restores the version that ReviseGeneration stored. Error: nothing_to_undo.
	UndoRevision(ctx context.Context, id string) (backend.Generation, error)
	FormerVersion(ctx context.Context, id string) (v backend.FormerVersion, ok bool, err error)
}

// TakesOptions are what Takes are built from.
type TakesOptions struct {
	Store   TakesStore
	Encoder Encoder
	Memory  func() (total, free int64, ok bool) // bytes
	Hosted  *HostedMaker                        // nil without a hosted service
	Now     func() time.Time
	NewID   func() string
	NewSeed func() int64
	Log     *slog.Logger
}

// Takes changes finished generations: takes of their chunks, their texts, their level. It is safe for concurrent use.
type Takes struct {
	o     TakesOptions
	gens  *Service
	synth *Synthesizer
	files *takesFiles
}

// NewTakes returns the Takes of the generations of a service.
func NewTakes(gens *Service, synth *Synthesizer, files *takesFiles, o TakesOptions) *Takes {
	return &Takes{o: o, gens: gens, synth: synth, files: files}
}
