package generations

import (
	"context"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// ErrBeingChanged is the error of work on a generation that is being changed.
var ErrBeingChanged = backend.E(backend.CodeNotInProgress, "This generation is being changed.", "Wait for the change to finish, or cancel it.")

// Change starts work on a complete generation with the job of its new text, which the work stores when it is done: until then, and after
// a failure or a cancel, the generation stays what it is. chunks is how many are spoken; without any the work does not wait its turn.
// Errors: queue_full, interrupted, not_in_progress if the generation is being changed.
func (s *Service) Change(ctx context.Context, j *Job, base backend.Generation, chunks int, work func(context.Context) error) error {
	g := base
	g.Status, g.Progress, g.Error, g.ChunksDone, g.ChunksTotal, g.ETASeconds = backend.StatusQueued, 0, nil, 0, chunks, nil
	j.Row, j.revises, j.request = g, true, backend.RequestID(ctx)
	ctx = context.WithoutCancel(ctx)
	run, end := ctx, func() { s.queueOf(j).GiveBack(1) }
	var err error
	if chunks > 0 {
		err = s.queueOf(j).Reserve(1)
	} else {
		run, end, err = s.Begin(run)
	}
	if err != nil {
		return err
	}
	run, j.cancel = context.WithCancel(run)
	j.work = func() error { return work(run) }
	j.drop = func(err error) { s.endChange(j, err) }
	if !s.register(j) {
		j.cancel()
		end()
		return ErrBeingChanged.With("generation_id", g.ID)
	}
	if base.Error != nil || s.noted(g.ID) != nil { // of an earlier change
		s.noteFailure(ctx, g.ID, nil)
	}
	s.Notify(j.Snapshot())
	if chunks > 0 {
		s.push(run, j)
		return nil
	}
	go func() {
		defer end()
		j.drop(backend.Contain(j.work))
	}()
	return nil
}

// ResumeChange queues the end of a change that a crash interrupted. The generation stays as it is, with the error of work.
func (s *Service) ResumeChange(ctx context.Context, j *Job, g backend.Generation, work func(context.Context) error) error {
	j.Row, j.revises = g, true
	j.Row.Status, j.Row.Error = backend.StatusQueued, nil
	if err := s.queueOf(j).Reserve(1); err != nil {
		return err
	}
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j.cancel = cancel
	j.work = func() error { return work(run) }
	j.drop = func(err error) { s.endChange(j, err) }
	s.register(j)
	s.push(run, j)
	return nil
}

// endChange ends a change. After a failure the generation is what it was, with the error; after a cancel without.
func (s *Service) endChange(j *Job, cause error) {
	ctx := backend.WithRequestID(context.WithoutCancel(s.closing), j.request)
	id := j.Snapshot().ID
	if cause != nil {
		e := backend.LogFailure(ctx, s.o.Log, cause, "a revision", "id", id)
		if e.Code != backend.CodeCancelled {
			s.noteFailure(ctx, id, e.Failure())
		}
		j.mu.Lock()
		j.err = e
		j.mu.Unlock()
	}
	s.noteCredits(ctx, j)
	row, err := s.o.Store.Generation(ctx, id)
	if err == nil {
		if failure := s.noted(id); failure != nil {
			row.Error = failure
		}
		j.Set(func(g *backend.Generation) { *g = row })
	}
	s.forget(j)
	j.cancel()
	j.Live.Begin(nil)
	if err == nil {
		s.Notify(row)
	}
	close(j.done)
}

// noteFailure stores why a revision failed, as soon as it can be stored; nil removes the failure of an earlier one.
func (s *Service) noteFailure(ctx context.Context, id string, failure *backend.Failure) {
	_, err := s.o.Store.UpdateGeneration(ctx, id, func(g *backend.Generation) error {
		g.Error = failure
		return nil
	})
	if err == nil || backend.CodeOf(err) == backend.CodeGenerationNotFound {
		s.noteLater(id, nil)
		return
	}
	s.o.Log.Warn("write down why a revision failed, will be tried again", "id", id, "error", err)
	s.noteLater(id, failure)
}

// noteCredits stores what the calls of a generation cost, also those of a revision that failed.
func (s *Service) noteCredits(ctx context.Context, j *Job) {
	if j.Hosted == nil || j.Hosted.Spent == nil {
		return
	}
	_, err := s.o.Store.UpdateGeneration(ctx, j.Snapshot().ID, func(g *backend.Generation) error {
		g.Credits = j.Hosted.Spent
		return nil
	})
	if err != nil {
		s.o.Log.Warn("write down what a revision cost", "id", j.Snapshot().ID, "error", err)
	}
}

// Revising reports whether the text of a generation is being changed.
func (s *Service) Revising(id string) bool {
	j := s.Job(id)
	return j != nil && j.revises
}

// register adds a job to the live ones, unless its generation has one. The job that made the generation may still be ending.
func (s *Service) register(j *Job) bool {
	if maker := s.Job(j.Row.ID); maker != nil && !maker.revises {
		<-maker.done
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.live {
		if key == j.Row.ID || strings.HasPrefix(key, j.Row.ID+"/") {
			return false
		}
	}
	s.live[j.Row.ID] = j
	return true
}

// InTurn queues work for a generation and waits for its end. Errors: queue_full, interrupted,
// cancelled, those of work.
func (s *Service) InTurn(ctx context.Context, id string, work func(context.Context) error) error {
	if err := s.queue.Reserve(1); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	key := id + "/" + s.o.NewID()
	j := &Job{cancel: cancel, done: make(chan struct{})}
	var failure error // read after done is closed
	j.drop = func(err error) {
		failure = err
		s.mu.Lock()
		delete(s.live, key)
		s.mu.Unlock()
		close(j.done)
	}
	j.work = func() error { return work(ctx) }
	s.mu.Lock()
	s.live[key] = j
	s.mu.Unlock()
	if !s.queue.Push(j) {
		j.drop(errStopped)
	}
	select {
	case <-j.done:
	case <-ctx.Done():
		s.stop(j)
		<-j.done
	}
	return failure
}
