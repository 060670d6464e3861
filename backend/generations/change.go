package generations

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/jobs"
)

// ErrBeingChanged is the error of work on a generation that is being changed.
var ErrBeingChanged = backend.E(backend.CodeNotInProgress, "This generation is being changed.",
	"Wait for the change to finish, or cancel it.")

// Change starts work on a complete generation with the job of its new text, which the work stores when it is done: until then, and after
// a failure or a cancel, the generation stays what it is. chunks is how many are spoken; without any the work does not wait its turn.
// Errors: queue_full, interrupted, not_in_progress if the generation is being changed.
func (s *Service) Change(ctx context.Context, j *Job, base backend.Generation, chunks int, work func(context.Context) error) error {
	g := base
	g.Status, g.Progress, g.Error, g.ChunksDone, g.ChunksTotal, g.ETASeconds = backend.StatusQueued, 0, nil, 0, chunks, nil
	j.Row = g
	accept := func() error {
		if !s.beginChange(ctx, j, work) {
			return ErrBeingChanged.With("generation_id", g.ID)
		}
		if _, noted := s.ends.failures.Of(g.ID); noted || base.Error != nil { // of an earlier change
			s.ends.noteFailure(context.WithoutCancel(ctx), g.ID, nil)
		}
		s.Notify(j.Snapshot())
		return nil
	}
	if chunks == 0 {
		return s.jobs.Go(j, accept)
	}
	return s.jobs.Enqueue(s.lines.of(j), j, accept)
}

// ResumeChange queues the end of a change that a crash interrupted. The generation stays as it is, with the error of work.
func (s *Service) ResumeChange(ctx context.Context, j *Job, g backend.Generation, work func(context.Context) error) error {
	j.Row = g
	j.Row.Status, j.Row.Error = backend.StatusQueued, nil
	return s.jobs.Enqueue(s.lines.of(j), j, func() error {
		s.beginChange(ctx, j, work)
		return nil
	})
}

// beginChange makes a change live, unless something works on its generation; then it returns false. The job that made the generation
// may still be ending.
func (s *Service) beginChange(ctx context.Context, j *Job, work func(context.Context) error) bool {
	j.revises = true
	if maker := s.jobs.Job(j.Row.ID); maker != nil && !maker.revises {
		<-maker.Done()
	}
	s.jobs.Assign(ctx, j, work, func(err error) { s.endChange(j, err) })
	return s.jobs.AddAlone(j.Row.ID, j)
}

// endChange ends a change. After a failure the generation is what it was, with the error; after a cancel without.
func (s *Service) endChange(j *Job, cause error) {
	ctx := j.LogContext()
	id := j.Snapshot().ID
	if cause != nil {
		e := backend.LogFailure(ctx, s.o.Log, cause, "a revision", "id", id)
		if e.Code != backend.CodeCancelled {
			s.ends.noteFailure(ctx, id, e.Failure())
		}
		j.mu.Lock()
		j.err = e
		j.mu.Unlock()
	}
	s.ends.noteCredits(ctx, j)
	row, err := s.o.Store.Generation(ctx, id)
	if err == nil {
		if failure, ok := s.ends.failures.Of(id); ok {
			row.Error = failure
		}
		j.Set(func(g *backend.Generation) { *g = row })
	}
	s.jobs.Forget(j)
	j.Live.Begin(nil)
	if err == nil {
		s.Notify(row)
	}
	s.jobs.Finish(j)
}

// noteFailure stores why a revision failed, as soon as it can be stored: until then Overlay shows it. nil removes the failure of an
// earlier one.
func (e *ends) noteFailure(ctx context.Context, id string, failure *backend.Failure) {
	if e.storeFailure(ctx, id, failure) || failure == nil {
		e.failures.Drop(id)
		return
	}
	e.failures.Add(id, failure)
}

func (e *ends) storeFailure(ctx context.Context, id string, failure *backend.Failure) (done bool) {
	_, err := e.o.Store.UpdateGeneration(ctx, id, func(g *backend.Generation) error {
		g.Error = failure
		return nil
	})
	if err == nil || backend.CodeOf(err) == backend.CodeGenerationNotFound {
		return true
	}
	e.o.Log.Warn("write down why a revision failed, will be tried again", "id", id, "error", err)
	return false
}

// noteCredits stores what the calls of a generation cost, also those of a revision that failed.
func (e *ends) noteCredits(ctx context.Context, j *Job) {
	if j.Hosted == nil || j.Hosted.Spent == nil {
		return
	}
	_, err := e.o.Store.UpdateGeneration(ctx, j.Snapshot().ID, func(g *backend.Generation) error {
		g.Credits = j.Hosted.Spent
		return nil
	})
	if err != nil {
		e.o.Log.Warn("write down what a revision cost", "id", j.Snapshot().ID, "error", err)
	}
}

// Revising reports whether the text of a generation is being changed.
func (s *Service) Revising(id string) bool {
	j := s.jobs.Job(id)
	return j != nil && j.revises
}

// InTurn queues work for a generation and waits for its end. Errors: queue_full, interrupted,
// cancelled, those of work.
func (s *Service) InTurn(ctx context.Context, id string, work func(context.Context) error) error {
	return s.jobs.InTurn(ctx, s.lines.local, &Job{Handle: jobs.NewHandle()}, id+"/"+s.o.NewID(), work)
}
