// Package takes changes finished generations: takes of their chunks, their texts, their level, and the way back.
package takes

import (
	"context"
	"log/slog"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
)

// Store is the part of the store that changes of a generation need.
type Store interface {
	Generation(ctx context.Context, id string) (backend.Generation, error)
	UpdateGeneration(ctx context.Context, id string, change func(*backend.Generation) error) (backend.Generation, error)
	// ReviseGeneration is UpdateGeneration that also stores what change replaces, in the place of an earlier version.
	ReviseGeneration(ctx context.Context, id string, change func(*backend.Generation) error) (backend.Generation, error)
	// UndoRevision restores the version that ReviseGeneration stored. Error: nothing_to_undo.
	UndoRevision(ctx context.Context, id string) (backend.Generation, error)
	FormerVersion(ctx context.Context, id string) (v backend.FormerVersion, ok bool, err error)
	Script(ctx context.Context, id string) (backend.Script, error)
}

// Hosted changes the texts of hosted generations.
type Hosted interface {
	// PlanChange plans a new text. Errors: not_in_progress for a dialogue, and where the audio of passages that stay was not kept.
	PlanChange(ctx context.Context, g backend.Generation, r generations.Request) (*generations.Job, generations.HostedChange, error)
	// Change pays for the new parts, and makes the file of all parts, which store moves. next returns the generation with the new audio,
	// without its text and path.
	Change(
		ctx context.Context, j *generations.Job, from []int,
		store func(file speech.File, next func(now backend.Generation) (backend.Generation, error)) error,
	) error
}

// Options are what a Service is built from.
type Options struct {
	Store   Store
	Encoder speech.Encoder
	Memory  func() (total, free int64, ok bool) // bytes
	Hosted  Hosted                              // nil without a hosted service
	Now     func() time.Time
	NewID   func() string
	NewSeed func() int64
	Log     *slog.Logger
}

// Service changes finished generations: takes of their chunks, their texts, their level. It is safe for concurrent use.
type Service struct {
	o     Options
	gens  *generations.Service
	synth *speech.Synthesizer
	files *Files
}

// New returns the Takes of the generations of a service.
func New(gens *generations.Service, synth *speech.Synthesizer, files *Files, o Options) *Service {
	return &Service{o: o, gens: gens, synth: synth, files: files}
}
