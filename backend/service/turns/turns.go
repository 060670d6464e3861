// Package turns has what the processes of the service tell their store about the callers of a provider, so that all of them have one
// queue: its bound counts the callers that wait in every process, those with priority go first, and first come within.
package turns

import (
	"context"
	"time"
)

// Line is what one process has at a provider: the callers that wait for their turn, and those whose turn it is.
type Line struct {
	Provider string
	Instance string // of the process
	// Own says that the engines of the process speak: it has one turn at a time, which goes to its own callers. Else there are as many
	// turns as processes that live, and the next goes to the first caller of all.
	Own     bool
	Queue   int // callers that may wait, of all processes
	Callers []Caller
}

// Caller is one of those that wait or have their turn.
type Caller struct {
	Number   int64 // that the process gave it, and gives to no other
	Priority bool
	Known    bool          // its place was confirmed, so that it is not refused, even where the store has lost it
	Running  bool          // it uses its turn, whatever the store knows
	Waited   time.Duration // since it arrived
}

// Answer is what became of the callers of a line. Whoever is in neither list waits.
type Answer struct {
	Turns   []int64 // the numbers of those whose turn it is
	Refused []int64 // of new ones, for which there was no place
}

// Store keeps the lines of all processes. A line goes when its process is taken for dead.
type Store interface {
	// Exchange replaces the line of a process at a provider: callers that are no longer in it have left, which gives their turns to the
	// next ones, and those that are new come last, in the order given. Turns may also be given to callers of other processes, which
	// learn of it at their next Exchange. The same line again does no harm: it is how to find out what was done where an error leaves
	// it unknown.
	Exchange(ctx context.Context, l Line) (Answer, error)
}
