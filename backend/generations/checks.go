package generations

import (
	"context"
	"math"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/jobs"
)

// Checks have finished generations heard, one by one.
type Checks struct {
	base
	gens *Service
	jobs *jobs.Runner[*check] // by generation
	line *jobs.Line[*check]
	hear func(ctx context.Context, id string, retakes bool) error
}

// check is the verification of a generation.
type check struct {
	jobs.Handle
	id      string
	retakes bool // chunks that are not understood are made again
}

func newChecks(ctx context.Context, gens *Service) *Checks {
	c := &Checks{base: gens.base, gens: gens}
	c.jobs = jobs.New[*check](ctx, jobs.Options{Things: "verifications", Closed: errStopped, Limit: math.MaxInt32, Log: gens.o.Log})
	c.line = c.jobs.NewLine(nil)
	return c
}

// expect registers the verification of a generation; nil if there is one already. The caller calls enqueue or end.
func (c *Checks) expect(id string, retakes bool) *check {
	v := &check{Handle: jobs.NewHandle(), id: id, retakes: retakes}
	c.jobs.Assign(context.Background(), v, func(ctx context.Context) error { return c.run(ctx, v) }, func(err error) {
		if err != nil && backend.CodeOf(err) != backend.CodeCancelled && backend.CodeOf(err) != backend.CodeInterrupted {
			c.o.Log.Error("hear a generation", "id", v.id, "error", err)
		}
		c.end(v)
	})
	if !c.jobs.AddNew(id, v) {
		return nil
	}
	return v
}

// enqueue queues a verification that was expected. Error: interrupted after Close; then it has ended.
func (c *Checks) enqueue(v *check) error {
	if err := c.line.Reserve(1); err != nil {
		c.end(v)
		return err
	}
	if !c.jobs.Push(c.line, v) {
		return errStopped
	}
	return nil
}

// end ends a verification, and publishes the generation as it is now.
func (c *Checks) end(v *check) {
	c.jobs.Forget(v)
	c.publish(v.id)
	c.jobs.Finish(v)
}

// publish publishes a generation as it is stored.
func (c *Checks) publish(id string) {
	if g, err := c.o.Store.Generation(context.Background(), id); err == nil {
		c.gens.Notify(g)
	}
}

// verified returns the generation with its verification, after waiting for it where one was requested.
func (c *Checks) verified(ctx context.Context, g backend.Generation) backend.Generation {
	if v := c.jobs.Job(g.ID); v != nil {
		select {
		case <-v.Done():
		case <-ctx.Done():
		}
	}
	row, err := c.o.Store.Generation(context.WithoutCancel(ctx), g.ID)
	if err != nil {
		return g // it was deleted meanwhile
	}
	return c.gens.Overlay(row)
}

// Verify queues finished generations to be heard, and returns how many are: unknown ids, and generations without audio of a
// local voice, are left out. Error: interrupted after Close.
func (c *Checks) Verify(ctx context.Context, ids []string) (int, error) {
	rows, err := c.o.Store.GenerationsByID(ctx, ids, true)
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
		if v := c.expect(id, false); v != nil {
			if err := c.enqueue(v); err != nil {
				return n, err
			}
			c.publish(id)
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
func (c *Checks) Listen(hear func(ctx context.Context, id string, retakes bool) error) {
	c.hear = hear
	c.jobs.Start()
}

// run verifies a generation, until the program closes. A failure is stored with it and changes nothing else: its audio can be used.
func (c *Checks) run(ctx context.Context, v *check) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.jobs.Closing(), cancel)()
	err := backend.Contain(func() error { return c.hear(ctx, v.id, v.retakes) })
	closing := c.gens.jobs.Closing().Err() != nil // a retake that waits is told before ctx ends
	if err == nil || closing || ctx.Err() != nil || backend.CodeOf(err) == backend.CodeGenerationNotFound {
		return nil
	}
	e := backend.LogFailure(ctx, c.o.Log, err, "proof-listening", "id", v.id)
	_, err = c.o.Store.UpdateGeneration(context.WithoutCancel(ctx), v.id, func(g *backend.Generation) error {
		g.VerifyError = e.Failure()
		return nil
	})
	if err != nil {
		c.o.Log.Warn("write down why a generation could not be heard", "id", v.id, "error", err)
	}
	return nil
}

// Cancel cancels the verification of a generation, if there is one, and waits for its end.
func (c *Checks) Cancel(id string) (found bool) {
	v := c.jobs.Job(id)
	if v == nil {
		return false
	}
	c.jobs.Stop(v)
	<-v.Done()
	return true
}
