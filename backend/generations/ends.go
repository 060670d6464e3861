package generations

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/jobs"
)

// ends stores how generations and their changes end. What cannot be stored, for example on a full disk, is kept until it can be: the
// jobs of generations stay live, so that clients see the result before it is stored.
type ends struct {
	base
	gens     *Service
	results  *jobs.Later[*Job, func(*backend.Generation)] // of jobs
	failures *jobs.Later[string, *backend.Failure]        // why changes of finished generations failed
}

func newEnds(gens *Service) *ends {
	e := &ends{base: gens.base, gens: gens}
	e.results, e.failures = jobs.NewLater(gens.jobs, e.storeResult), jobs.NewLater(gens.jobs, e.storeFailure)
	return e
}

// fail stores the result of a job that did not complete. Streams and waiters are released even if that fails.
func (e *ends) fail(j *Job, cause error) (written bool) {
	reason := backend.LogFailure(j.LogContext(), e.o.Log, cause, "a generation", "id", j.Row.ID)
	status := backend.StatusFailed
	if reason.Code == backend.CodeCancelled {
		status = backend.StatusCancelled
	}
	partial := e.gens.partials.of(j, j.Snapshot().Partial)
	failure := reason.Failure()
	end := func(g *backend.Generation) {
		g.Status, g.Error, g.Progress, g.Wait, g.Partial = status, failure, 0, nil, partial
		if j.Hosted != nil && j.Hosted.Spent != nil {
			g.Credits = j.Hosted.Spent
		}
	}
	err := e.gens.Move(context.Background(), j, end)
	if err != nil {
		e.o.Log.Warn("write the end of a generation, will be tried again", "id", j.Row.ID, "error", err)
		e.gens.Notify(j.Set(end))
		e.results.Add(j, end)
	}
	j.mu.Lock()
	j.err = reason
	j.mu.Unlock()
	return err == nil
}

// storeResult stores the end of a job that could not be stored before. A row whose end is not stored when the program closes is failed by
// the next start, see recover.
func (e *ends) storeResult(ctx context.Context, j *Job, end func(*backend.Generation)) (done bool) {
	err := e.gens.Move(ctx, j, end)
	if err != nil && backend.CodeOf(err) != backend.CodeGenerationNotFound {
		return false
	}
	e.gens.jobs.Forget(j)
	return true
}

// flush tries to store everything that could not be stored.
func (e *ends) flush(ctx context.Context) {
	e.failures.Flush(ctx)
	e.results.Flush(ctx)
}
