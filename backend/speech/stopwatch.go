package speech

import (
	"time"
)

// Stopwatch measures the stages of a job.
type Stopwatch struct {
	Now     func() time.Time
	Last    time.Time
	Seconds map[string]float64
}

// Lap ends a stage.
func (w *Stopwatch) Lap(stage string) {
	now := w.Now()
	w.Seconds[stage] = now.Sub(w.Last).Seconds()
	w.Last = now
}
