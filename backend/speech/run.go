package speech

import (
	"time"
)

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// stopwatch measures the stages of a job.
type stopwatch struct {
	now     func() time.Time
	last    time.Time
	seconds map[string]float64
}

func (w *stopwatch) lap(stage string) {
	now := w.now()
	w.seconds[stage] = now.Sub(w.last).Seconds()
	w.last = now
}
