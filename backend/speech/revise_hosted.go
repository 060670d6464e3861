package speech

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// planHosted is planRevision for a hosted generation.
func (s *Takes) planHosted(ctx context.Context, g backend.Generation, r Request) (*job, *revision, error) {
	if s.o.Hosted == nil {
		return nil, nil, errNoHosted
	}
	j, c, err := s.o.Hosted.planChange(ctx, g, r)
	return j, &revision{base: g, from: c.From, unpaid: c.Unpaid, quote: c.Quote}, err
}

// reviseHosted runs the revision of a hosted generation.
func (s *Takes) reviseHosted(ctx context.Context, j *job, rev *revision, newText string) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	s.gens.notify(j.set(func(g *backend.Generation) { g.Status = backend.StatusGenerating }))
	return s.o.Hosted.change(ctx, j, rev.from, func(file rendered, change func(backend.Generation) (backend.Generation, error)) error {
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
			return file.sha256, moveFinished(ctx, file.path, next.AudioPath)
		})
	})
}

// noteCredits stores what the calls of a generation cost, also those of a revision that failed.
func (s *Takes) noteCredits(ctx context.Context, j *job) {
	if j.hosted == nil || j.hosted.spent == nil {
		return
	}
	_, err := s.o.Store.UpdateGeneration(ctx, j.snapshot().ID, func(g *backend.Generation) error {
		g.Credits = j.hosted.spent
		return nil
	})
	if err != nil {
		s.o.Log.Warn("write down what a revision cost", "id", j.snapshot().ID, "error", err)
	}
}

// ResumeHosted queues the end of a revision that a crash interrupted: audio that is paid is fetched for the next revision. The
// generation stays as it is, with the error of a call whose answer was lost.
func (s *Takes) ResumeHosted(ctx context.Context, g backend.Generation) error {
	j, err := s.o.Hosted.recordedJob(ctx, again(g), g)
	if err != nil {
		return err
	}
	j.g, j.revises = g, true
	j.g.Status, j.g.Error = backend.StatusQueued, nil
	if err := s.gens.queueOf(j).Reserve(1); err != nil {
		return err
	}
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j.cancel = cancel
	j.work = func() error { return s.o.Hosted.fetchPaid(work, j) }
	j.drop = func(err error) { s.endRevision(j, err) }
	s.gens.register(j)
	s.gens.push(work, j)
	return nil
}
