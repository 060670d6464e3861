package takes

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
)

// planHosted is planRevision for a hosted generation.
func (s *Service) planHosted(ctx context.Context, g backend.Generation, r generations.Request) (*revision, error) {
	if s.o.Hosted == nil {
		return nil, generations.ErrNoHosted
	}
	j, c, err := s.o.Hosted.PlanChange(ctx, g, r)
	if err != nil {
		return nil, err
	}
	return &revision{service: s, job: j, base: g, text: j.Row.Text, from: c.From, unpaid: c.Unpaid, quote: c.Quote}, nil
}

// performHosted changes the text of a hosted generation.
func (rev *revision) performHosted(ctx context.Context) error {
	s, j := rev.service, rev.job
	s.gens.Notify(j.Set(func(g *backend.Generation) { g.Status = backend.StatusGenerating }))
	return s.o.Hosted.Change(ctx, j, rev.from, func(file speech.File, change func(backend.Generation) (backend.Generation, error)) error {
		now, unlock, err := rev.lockBase(ctx)
		if err != nil {
			return err
		}
		defer unlock()
		next, err := change(now)
		if err != nil {
			return err
		}
		next.Text, next.Error, next.Version = rev.text, nil, now.Version+1
		return s.storeVersion(ctx, now, next, func(next backend.Generation, _ takesFolder) (string, error) {
			return file.SHA256, speech.MoveFinished(ctx, file.Path, next.AudioPath)
		})
	})
}
