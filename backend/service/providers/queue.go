package providers

import "slices"

// queue is the callers that wait for a lane, those with priority first, in order of arrival within both classes.
type queue struct{ first, others []*waiter }

// waiter is a caller that waits. Its turn comes with nil, or it gets the error with which its wait ends.
type waiter struct{ turn chan error }

func (q *queue) length() int { return len(q.first) + len(q.others) }

func (q *queue) add(priority bool) *waiter {
	w := &waiter{turn: make(chan error, 1)}
	if priority {
		q.first = append(q.first, w)
	} else {
		q.others = append(q.others, w)
	}
	return w
}

// next removes and returns who is first, nil if nobody waits.
func (q *queue) next() *waiter {
	class := &q.first
	if len(*class) == 0 {
		class = &q.others
	}
	if len(*class) == 0 {
		return nil
	}
	w := (*class)[0]
	*class = slices.Delete(*class, 0, 1)
	return w
}

// remove reports whether w was waiting.
func (q *queue) remove(w *waiter) bool {
	for _, class := range []*[]*waiter{&q.first, &q.others} {
		if i := slices.Index(*class, w); i >= 0 {
			*class = slices.Delete(*class, i, i+1)
			return true
		}
	}
	return false
}
