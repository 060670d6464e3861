package speech

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/voicewright/voicewright/engines"
)

// pace decides how many chunks of a model are spoken side by side on this machine. It climbs 1, 2, 4, ... over the chunks of
// real work, keeps the rate of each step in the store, and stops where a step brings little: so the choice is measured
// once for each model and costs nothing.
type pace struct {
	s        *Service
	model    string
	limit    int // callers that the engine takes
	alone    bool
	rates    map[int]float64 // characters per second by width
	measured int             // the width that the present group measures, else 0
}

// The least gain of a step that is worth its memory, and the share of the memory that has to stay free.
const (
	worthwhile = 1.08
	freeShare  = 0.15
)

func (s *Service) newPace(ctx context.Context, j *job, loaded *engines.Loaded) *pace {
	p := &pace{s: s, model: loaded.Model, limit: max(loaded.Info().Concurrency, 1), rates: map[int]float64{}}
	rates, err := s.o.Store.Paces(ctx, p.model, p.limit)
	if err != nil {
		s.o.Log.Warn("read the pace of a model", "model", p.model, "error", err)
		return p
	}
	p.rates = rates
	p.alone = j.streamed || len(rates) == 0
	return p
}

// group gives the next chunks to speak, and how many of them at once, of those that are left.
func (p *pace) group(left int) (n, width int) {
	p.measured = 0
	if p.alone { // who listens waits for the first sentence only, and the first run of a model says nothing of its pace
		p.alone = false
		return 1, 1
	}
	best, next := p.choose()
	for best > 1 && !p.room(best) {
		best /= 2
	}
	if next == 0 || left < next || !p.room(next) {
		return left, best
	}
	p.measured = next
	return min(2*next, left), next
}

// choose gives the best width so far and the next one to be measured, 0 when the choice is made.
func (p *pace) choose() (best, next int) {
	best = 1
	for width := 1; width <= p.limit; width *= 2 {
		rate, ok := p.rates[width]
		switch {
		case !ok:
			return best, width
		case width > 1 && rate < worthwhile*p.rates[best]:
			return best, 0
		}
		best = width
	}
	return best, 0
}

// room reports whether there is memory for a wider step.
func (p *pace) room(width int) bool {
	total, free, ok := p.s.o.Memory()
	return width == 1 || !ok || float64(free) > freeShare*float64(total)
}

// learn keeps what a group took.
func (p *pace) learn(ctx context.Context, group []segment, took time.Duration) {
	if p.measured == 0 || took <= 0 {
		return
	}
	chars := 0
	for _, seg := range group {
		chars += utf8.RuneCountInString(seg.text)
	}
	rate := float64(chars) / took.Seconds()
	p.rates[p.measured] = rate
	if err := p.s.o.Store.SetPace(context.WithoutCancel(ctx), p.model, p.limit, p.measured, rate); err != nil {
		p.s.o.Log.Warn("keep the pace of a model", "model", p.model, "error", err)
	}
}
