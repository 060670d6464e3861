package local

import "context"

// Cores are the processor cores of this process, which all providers share: one call of each provider may run at once, and
// each could use all cores.
type Cores struct {
	turn chan struct{} // held while a run waits for its cores, so that the first come is the first served
	busy chan struct{}
}

// NewCores returns n cores, at least one.
func NewCores(n int) *Cores {
	return &Cores{turn: make(chan struct{}, 1), busy: make(chan struct{}, max(n, 1))}
}

// acquire waits for the cores of a run with this many threads, at most all of them, and returns the function that releases them.
// Error: that of ctx.
func (c *Cores) acquire(ctx context.Context, threads int) (release func(), err error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	held := 0
	release = func() {
		for range held {
			<-c.busy
		}
	}
	for range min(max(threads, 1), cap(c.busy)) {
		select {
		case c.busy <- struct{}{}:
			held++
		case <-ctx.Done():
			release()
			return nil, ctx.Err()
		}
	}
	return release, nil
}
