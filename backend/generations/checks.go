package generations

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/queue"
)

// checks hold the generations that wait to be heard, one by one.
type checks struct {
	queue *queue.Queue[*check]

	mu   sync.Mutex
	open map[string]*check // that have not ended, by generation
}

// check is the verification of a generation.
type check struct {
	id      string
	retakes bool            // chunks that are not understood are made again
	ctx     context.Context //nolint:containedctx // of the work, which outlives its request
	cancel  context.CancelFunc
	done    chan struct{}
}

func newChecks() checks {
	return checks{queue: queue.New[*check](math.MaxInt32, "generations", errStopped), open: map[string]*check{}}
}

// expect registers the verification of a generation, unless there is one already.
func (s *Service) expect(id string, retakes bool) (c *check, fresh bool) {
	s.checks.mu.Lock()
	defer s.checks.mu.Unlock()
	if c := s.checks.open[id]; c != nil {
		return c, false
	}
	c = &check{id: id, retakes: retakes, done: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancel(s.closing)
	s.checks.open[id] = c
	return c, true
}

// enqueueCheck queues a verification that was expected. Error: interrupted after Close; then it has ended.
func (s *Service) enqueueCheck(c *check) error {
	err := s.checks.queue.Reserve(1)
	if err == nil && !s.checks.queue.Push(c) {
		err = errStopped
	}
	if err != nil {
		s.endCheck(c)
	}
	return err
}

// endCheck ends a verification, and publishes the generation as it is now.
func (s *Service) endCheck(c *check) {
	c.cancel()
	s.checks.mu.Lock()
	delete(s.checks.open, c.id)
	s.checks.mu.Unlock()
	s.notifyNow(c.id)
	close(c.done)
}

// checkOf returns the verification of a generation that has not ended, else nil.
func (s *Service) checkOf(id string) *check {
	s.checks.mu.Lock()
	defer s.checks.mu.Unlock()
	return s.checks.open[id]
}

// notifyNow publishes a generation as it is stored.
func (s *Service) notifyNow(id string) {
	if g, err := s.o.Store.Generation(context.WithoutCancel(s.closing), id); err == nil {
		s.Notify(g)
	}
}

// verified returns the generation with its verification, after waiting for it where one was requested.
func (s *Service) verified(ctx context.Context, g backend.Generation) backend.Generation {
	if c := s.checkOf(g.ID); c != nil {
		select {
		case <-c.done:
		case <-ctx.Done():
		}
	}
	row, err := s.o.Store.Generation(context.WithoutCancel(ctx), g.ID)
	if err != nil {
		return g // it was deleted meanwhile
	}
	return s.Overlay(row)
}

// Verify queues finished generations to be heard, and returns how many are: unknown ids, and generations without audio of a
// local voice, are left out. Error: interrupted after Close.
func (s *Service) Verify(ctx context.Context, ids []string) (int, error) {
	rows, err := s.o.Store.GenerationsByID(ctx, ids, true)
	if err != nil {
		return 0, err
	}
	accepted := map[string]bool{}
	for _, g := range rows {
		accepted[g.ID] = CanBeHeard(g)
	}
	n := 0
	for _, id := range slices.Compact(slices.Clone(ids)) {
		if !accepted[id] {
			continue
		}
		accepted[id] = false // an id that is listed twice is heard once
		c, fresh := s.expect(id, false)
		if fresh {
			if err := s.enqueueCheck(c); err != nil {
				return n, err
			}
			s.notifyNow(id)
		}
		n++
	}
	return n, nil
}

// CanBeHeard reports whether a generation has audio of a local voice.
func CanBeHeard(g backend.Generation) bool {
	return g.Status == backend.StatusComplete && g.Source == backend.SourceLocal
}

// Listen starts the worker that hears generations with hear, one by one. With retakes, chunks that are not understood are made again.
func (s *Service) Listen(hear func(ctx context.Context, id string, retakes bool) error) {
	s.work.Go(func() {
		for c, ok := s.checks.queue.Next(); ok; c, ok = s.checks.queue.Next() {
			s.runCheck(c, hear)
		}
	})
}

// runCheck verifies a generation. A failure is stored with it and changes nothing else: its audio can be used.
func (s *Service) runCheck(c *check, hear func(ctx context.Context, id string, retakes bool) error) {
	defer s.endCheck(c)
	err := backend.Contain(func() error { return hear(c.ctx, c.id, c.retakes) })
	if err == nil || c.ctx.Err() != nil || backend.CodeOf(err) == backend.CodeGenerationNotFound {
		return
	}
	e := backend.LogFailure(c.ctx, s.o.Log, err, "proof-listening", "id", c.id)
	_, err = s.o.Store.UpdateGeneration(context.WithoutCancel(c.ctx), c.id, func(g *backend.Generation) error {
		g.VerifyError = e.Failure()
		return nil
	})
	if err != nil {
		s.o.Log.Warn("write down why a generation could not be heard", "id", c.id, "error", err)
	}
}

// CancelCheck cancels the verification of a generation, if there is one, and waits for its end.
func (s *Service) CancelCheck(id string) (found bool) {
	c := s.checkOf(id)
	if c == nil {
		return false
	}
	c.cancel()
	if s.checks.queue.Remove(c) {
		s.endCheck(c)
	}
	<-c.done
	return true
}
