package takes

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
)

// planHosted is planRevision for a hosted generation.
func (s *Service) planHosted(ctx context.Context, g backend.Generation, r generations.Request) (*generations.Job, *revision, error) {
	if s.o.Hosted == nil {
		return nil, nil, generations.ErrNoHosted
	}
	j, c, err := s.o.Hosted.PlanChange(ctx, g, r)
	return j, &revision{base: g, from: c.From, unpaid: c.Unpaid, quote: c.Quote}, err
}

// reviseHosted runs the revision of a hosted generation.
func (s *Service) reviseHosted(ctx context.Context, j *generations.Job, rev *revision, newText string) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	s.gens.Notify(j.Set(func(g *backend.Generation) { g.Status = backend.StatusGenerating }))
	return s.o.Hosted.Change(ctx, j, rev.from, func(file speech.File, change func(backend.Generation) (backend.Generation, error)) error {
		now, unlock, err := s.lockBase(ctx, rev)
		if err != nil {
			return err
		}
		defer unlock()
		next, err := change(now)
		if err != nil {
			return err
		}
		next.Text, next.Error, next.Version = newText, nil, now.Version+1
		return s.storeVersion(ctx, now, next, func(next backend.Generation, _ takesFolder) (string, error) {
			return file.SHA256, speech.MoveFinished(ctx, file.Path, next.AudioPath)
		})
	})
}
