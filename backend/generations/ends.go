package generations

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// fail stores the result of a job that did not complete. Streams and waiters are released even if that fails.
func (s *Service) fail(j *Job, cause error) (written bool) {
	e := backend.LogFailure(j.LogContext(), s.o.Log, cause, "a generation", "id", j.Row.ID)
	status := backend.StatusFailed
	if e.Code == backend.CodeCancelled {
		status = backend.StatusCancelled
	}
	partial := s.partialOf(j, j.Snapshot().Partial)
	failure := e.Failure()
	end := func(g *backend.Generation) {
		g.Status, g.Error, g.Progress, g.Wait, g.Partial = status, failure, 0, nil, partial
		if j.Hosted != nil && j.Hosted.Spent != nil {
			g.Credits = j.Hosted.Spent
		}
	}
	err := s.Move(context.Background(), j, end)
	if err != nil {
		s.o.Log.Warn("write the end of a generation, will be tried again", "id", j.Row.ID, "error", err)
		s.Notify(j.Set(end))
		s.ends.Add(j, end)
	}
	j.mu.Lock()
	j.err = e
	j.mu.Unlock()
	return err == nil
}

// storeEnd stores the end of a job that could not be stored before. What is left when the program has closed is stored by the next start,
// see recover.
func (s *Service) storeEnd(ctx context.Context, j *Job, end func(*backend.Generation)) (done bool) {
	err := s.Move(ctx, j, end)
	if err != nil && backend.CodeOf(err) != backend.CodeGenerationNotFound {
		return false
	}
	s.jobs.Forget(j)
	return true
}

// writeEnds tries to store everything that could not be stored.
func (s *Service) writeEnds(ctx context.Context) {
	s.notes.Flush(ctx)
	s.ends.Flush(ctx)
}
