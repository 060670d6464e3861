package providers

import "slices"

// queue says who waits for a lane and whose turn it is. The lane holds its lock during all methods but close.
type queue interface {
	// arrive returns the place of a new caller, or an error where too many wait.
	arrive(priority bool) (*place, error)
	// leave ends a place. The turn of a caller that has it goes to the next one. A place that has ended already stays so.
	leave(p *place)
	// dismiss ends the places of all that wait, with an error.
	dismiss(err error)
	// count returns how many callers wait here, and how many have their turn.
	count() (waiting, running int)
	// close ends what runs in the background.
	close()
}

// place is that of a caller in a queue.
type place struct {
	priority bool
	turn     chan error // gets nil when the turn comes, or the error with which the wait ends
}

func newPlace(priority bool) place { return place{priority: priority, turn: make(chan error, 1)} }

// alone is the queue of a process that shares it with no other: one call runs, up to size callers wait.
type alone struct {
	size          int
	full          error  // the answer where more would wait
	running       *place // nil while no call runs
	first, others []*place
}

var _ queue = (*alone)(nil)

func (q *alone) arrive(priority bool) (*place, error) {
	waiting, _ := q.count()
	p := newPlace(priority)
	switch {
	case q.running == nil:
		q.start(&p)
	case waiting >= q.size:
		return nil, q.full
	case priority:
		q.first = append(q.first, &p)
	default:
		q.others = append(q.others, &p)
	}
	return &p, nil
}

func (q *alone) start(p *place) {
	q.running = p
	p.turn <- nil
}

func (q *alone) leave(p *place) {
	if q.running != p {
		for _, class := range []*[]*place{&q.first, &q.others} {
			if i := slices.Index(*class, p); i >= 0 {
				*class = slices.Delete(*class, i, i+1)
			}
		}
		return
	}
	q.running = nil
	if next := q.next(); next != nil {
		q.start(next)
	}
}

// next removes and returns who is first, nil if nobody waits.
func (q *alone) next() *place {
	class := &q.first
	if len(*class) == 0 {
		class = &q.others
	}
	if len(*class) == 0 {
		return nil
	}
	p := (*class)[0]
	*class = slices.Delete(*class, 0, 1)
	return p
}

func (q *alone) dismiss(err error) {
	for p := q.next(); p != nil; p = q.next() {
		p.turn <- err
	}
}

func (q *alone) count() (waiting, running int) {
	if q.running != nil {
		running = 1
	}
	return len(q.first) + len(q.others), running
}

func (q *alone) close() {}
