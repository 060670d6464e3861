package providers

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/turns"
)

const (
	turnPoll = 50 * time.Millisecond  // while a caller waits for the turn that another process gives up
	turnBeat = time.Second            // while calls run, so that the store has what really runs
	partTime = 150 * time.Millisecond // to tell the store of the last change
)

// shared is the queue of a process that shares it with others. One goroutine tells the store who is in it: at once when that changes,
// again until the store surely knows, and now and then while somebody is in it. What the store has is replaced each time, so that
// nothing which was lost, on the way or in the store, takes a turn for ever.
type shared struct {
	store turns.Store
	line  turns.Line // without callers
	full  error      // the answer where more would wait
	log   *slog.Logger

	mu       *sync.Mutex // of the lane
	mayStart func() bool // whether a call may start beside those that run here
	places   []*sharedPlace
	last     int64 // number of a place
	untold   bool  // the store may not know who is in the queue
	failures int   // of the store, one after another

	changed chan struct{}
	stop    context.CancelFunc
	stopped chan struct{}
}

// sharedPlace is a place in a shared queue.
type sharedPlace struct {
	place
	number  int64
	arrived time.Time
	known   bool // to the store
	given   bool // its turn, by the store
	running bool // the caller has its turn
}

var _ queue = (*shared)(nil)

// newShared returns a queue that its lane closes. mu is the lock of the lane.
func newShared(s Shared, o LaneOptions, full error, mu *sync.Mutex, mayStart func() bool) *shared {
	ctx, stop := context.WithCancel(context.Background())
	q := &shared{
		store: s.Turns,
		line:  turns.Line{Provider: string(o.Provider), Instance: s.Instance, Own: s.Own, Queue: o.Queue},
		full:  full, log: s.Log, mu: mu, mayStart: mayStart,
		changed: make(chan struct{}, 1), stop: stop, stopped: make(chan struct{}),
	}
	go q.run(ctx)
	return q
}

func (q *shared) arrive(priority bool) (*place, error) {
	q.last++
	p := &sharedPlace{place: newPlace(priority), number: q.last, arrived: time.Now()}
	q.places = append(q.places, p)
	q.change()
	return &p.place, nil
}

func (q *shared) leave(p *place) {
	n := len(q.places)
	q.places = slices.DeleteFunc(q.places, func(o *sharedPlace) bool { return &o.place == p })
	if len(q.places) < n {
		q.change()
	}
}

func (q *shared) dismiss(err error) {
	q.end(func(*sharedPlace) bool { return true }, err)
	q.change()
}

// end ends the places of those that wait and are chosen.
func (q *shared) end(chosen func(*sharedPlace) bool, err error) {
	q.places = slices.DeleteFunc(q.places, func(p *sharedPlace) bool {
		ends := !p.running && chosen(p)
		if ends {
			p.turn <- err
		}
		return ends
	})
}

func (q *shared) count() (waiting, running int) {
	for _, p := range q.places {
		if p.running {
			running++
		}
	}
	return len(q.places) - running, running
}

func (q *shared) close() {
	q.stop()
	<-q.stopped
}

// change has the store told at once.
func (q *shared) change() {
	q.untold = true
	select {
	case q.changed <- struct{}{}:
	default:
	}
}

// run shows the store who is in the queue until ctx ends, and then the last change.
func (q *shared) run(ctx context.Context) {
	defer close(q.stopped)
	for ctx.Err() == nil {
		timer := time.NewTimer(q.pause())
		select {
		case <-ctx.Done():
		case <-q.changed:
			q.update(ctx)
		case <-timer.C:
			q.update(ctx)
		}
		timer.Stop()
	}
	parting, cancel := context.WithTimeout(context.WithoutCancel(ctx), partTime)
	defer cancel()
	q.update(parting)
}

// pause returns how long the store need not be told anything.
func (q *shared) pause() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	waiting, _ := q.count()
	switch poll := turnPoll/2 + rand.N(turnPoll); {
	case q.untold:
		return min(poll<<min(q.failures, 5), turnBeat)
	case waiting > 0 && !q.line.Own:
		return poll
	}
	return turnBeat
}

// update shows the store who is in the queue, if anybody is or the store may not know, and gives the turns that it answers.
func (q *shared) update(ctx context.Context) {
	line, told := q.report()
	if line == nil {
		return
	}
	answer, err := q.exchange(ctx, *line)
	q.mu.Lock()
	defer q.mu.Unlock()
	if err != nil {
		q.fail(ctx, err)
		return
	}
	q.failures = 0
	for _, p := range told {
		p.known = true
		p.given = p.given || slices.Contains(answer.Turns, p.number)
	}
	q.end(func(p *sharedPlace) bool { return slices.Contains(answer.Refused, p.number) }, q.full)
	for _, p := range q.places {
		if p.given && !p.running && q.mayStart() {
			p.running = true
			p.turn <- nil
		}
	}
}

// report returns what to tell the store, nil where that is nothing, and the places that it has.
func (q *shared) report() (*turns.Line, []*sharedPlace) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.places) == 0 && !q.untold {
		return nil, nil
	}
	q.untold = false
	line := q.line
	for _, p := range q.places {
		line.Callers = append(line.Callers, turns.Caller{
			Number: p.number, Priority: p.priority, Known: p.known, Running: p.running, Waited: time.Since(p.arrived),
		})
	}
	return &line, slices.Clone(q.places)
}

// exchange returns the answer of the store, which is asked once more where it is unknown whether it was told.
func (q *shared) exchange(ctx context.Context, line turns.Line) (answer turns.Answer, err error) {
	for range 2 {
		err = backend.Contain(func() error {
			answer, err = q.store.Exchange(ctx, line)
			return err
		})
		if err == nil || errors.Is(err, service.ErrStoreBusy) || ctx.Err() != nil {
			break
		}
	}
	return answer, err
}

// fail answers everybody who waits while the store cannot be told. Calls that run go on.
func (q *shared) fail(ctx context.Context, err error) {
	q.untold = true
	if ctx.Err() != nil {
		return
	}
	if q.failures == 0 {
		q.log.ErrorContext(ctx, "the queue of a provider can't be shared; whoever waits is answered that the database is busy",
			"provider", q.line.Provider, "error", err)
	}
	q.failures++
	q.end(func(*sharedPlace) bool { return true }, errStoreBusy)
}
