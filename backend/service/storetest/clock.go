package storetest

import (
	"sync"
	"time"
)

// Clock is the clock of the stores of a test. It stands still until it is set.
type Clock struct {
	mu     sync.Mutex
	now    time.Time
	follow []func(time.Time)
}

// NewClock returns a clock that stands at the time at which the tests of the suite begin.
func NewClock() *Clock { return &Clock{now: start} }

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set sets the time.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
	for _, f := range c.follow {
		f(now)
	}
}

// Add moves the time.
func (c *Clock) Add(d time.Duration) { c.Set(c.Now().Add(d)) }

// Follow calls f with the time now and whenever it is set: a database that is a process of its own keeps it itself.
func (c *Clock) Follow(f func(now time.Time)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.follow = append(c.follow, f)
	f(c.now)
}
