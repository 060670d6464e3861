package generations

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// Cancel cancels an unfinished generation, work on its takes, or its verification, and waits until its files are removed. Of
// one that was stopped or failed it removes the finished chunks. Errors: generation_not_found, not_in_progress.
func (s *Service) Cancel(ctx context.Context, id string) (backend.Generation, error) {
	j := s.jobs.Job(id)
	if j == nil {
		g, err := s.endOther(ctx, id)
		if err == nil || backend.CodeOf(err) != backend.CodeNotInProgress {
			return g, err
		}
		return s.partials.drop(ctx, id)
	}
	if j.Hosted == nil { // what is paid stays
		j.setDiscard()
	}
	g, err := s.endJob(ctx, j)
	if err == nil && g.Partial != nil && j.Hosted == nil { // another request had stopped it
		return s.partials.drop(ctx, id)
	}
	return g, err
}

// Stop is like Cancel, but the finished chunks stay for Retry. Errors: generation_not_found, not_in_progress.
func (s *Service) Stop(ctx context.Context, id string) (backend.Generation, error) {
	if j := s.jobs.Job(id); j != nil {
		return s.endJob(ctx, j)
	}
	return s.endOther(ctx, id)
}

// endJob stops a job and waits for its end.
func (s *Service) endJob(ctx context.Context, j *Job) (backend.Generation, error) {
	s.jobs.Stop(j)
	select {
	case <-j.Done():
		return j.Snapshot(), nil
	case <-ctx.Done():
		return j.Snapshot(), backend.ErrCancelled.WithCause(ctx.Err())
	}
}

// endOther stops the work on a finished generation: its verification, or its takes.
func (s *Service) endOther(ctx context.Context, id string) (backend.Generation, error) {
	g, err := s.o.Store.Generation(ctx, id)
	if err != nil {
		return g, err
	}
	if s.Checks.Cancel(id) {
		return g, nil
	}
	takes := s.jobs.Jobs(id)
	for _, j := range takes {
		s.jobs.Stop(j)
		<-j.Done()
	}
	if len(takes) == 0 {
		return g, errEnded
	}
	return g, nil
}

// Begin registers work outside the lines, so that Close waits for it and can cancel it. The caller calls end.
// Error: interrupted after Close.
func (s *Service) Begin(ctx context.Context) (_ context.Context, end func(), err error) {
	return s.jobs.Begin(ctx)
}
