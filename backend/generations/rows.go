package generations

import (
	"context"
	"strconv"

	"github.com/voicewright/voicewright/backend"
)

var errNoTakes = backend.E(backend.CodeNotInProgress, "Only a finished generation of a local voice has takes.",
	"Wait for it to finish, or regenerate it.")

// Complete returns a generation that is complete.
func (s *Service) Complete(ctx context.Context, id string) (backend.Generation, error) {
	g, err := s.o.Store.Generation(ctx, id)
	if err == nil && (g.Status != backend.StatusComplete || g.Receipt == nil) {
		err = errNoTakes.With("generation_id", id)
	}
	return g, err
}

// Changeable returns a generation whose chunks can be changed.
func (s *Service) Changeable(ctx context.Context, id string, chunks ...int) (backend.Generation, error) {
	g, err := s.Complete(ctx, id)
	if err != nil {
		return g, err
	}
	if g.Source != backend.SourceLocal {
		return g, errNoTakes.With("generation_id", id)
	}
	for _, n := range chunks {
		if n < 0 || n >= len(g.Chunks) {
			return g, backend.Invalid("less_than", "Input should be less than "+strconv.Itoa(len(g.Chunks)), "path", "n")
		}
	}
	return g, nil
}

// Unchanging is Changeable for a generation whose text is not being changed.
func (s *Service) Unchanging(ctx context.Context, id string, chunks ...int) (backend.Generation, error) {
	g, err := s.Changeable(ctx, id, chunks...)
	if err == nil && s.Revising(id) {
		err = ErrBeingChanged.With("generation_id", id)
	}
	return g, err
}
