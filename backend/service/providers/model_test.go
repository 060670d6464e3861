package providers_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
)

const (
	modelQueue        = 3
	modelTimeout      = 7300 * time.Millisecond // never at the same moment as modelQueueTimeout
	modelQueueTimeout = 12400 * time.Millisecond
)

// model is what a lane should do, written as a simulation without goroutines.
type model struct {
	now      time.Duration
	running  *modelCall
	waiting  []*modelCall // in the order in which they will run
	failures []time.Duration
	open     bool
	until    time.Duration // of the open breaker
	outcomes map[string]string
	order    []string
}

type modelCall struct {
	name     string
	priority bool
	deadline time.Duration
}

func (m *model) breaker() string {
	switch {
	case !m.open:
		return "closed"
	case m.now > m.until:
		return "half-open"
	}
	return "open"
}

func (m *model) arrive(name string, priority bool) {
	switch {
	case m.breaker() == "open":
		m.outcomes[name] = "PROVIDER_BUSY"
	case m.running == nil:
		m.start(&modelCall{name: name})
	case len(m.waiting) == modelQueue:
		m.outcomes[name] = "SERVER_BUSY"
	default:
		at := len(m.waiting)
		for priority && at > 0 && !m.waiting[at-1].priority {
			at--
		}
		c := &modelCall{name: name, priority: priority, deadline: m.now + modelQueueTimeout}
		m.waiting = append(m.waiting[:at:at], append([]*modelCall{c}, m.waiting[at:]...)...)
	}
}

func (m *model) start(c *modelCall) {
	c.deadline = m.now + modelTimeout
	m.running = c
	m.order = append(m.order, c.name)
}

// finish ends the running call.
func (m *model) finish(outcome string) {
	m.outcomes[m.running.name] = outcome
	m.running = nil
	switch outcome {
	case "ok":
		if m.open {
			m.open, m.failures = false, nil
		}
	case "failed", "late":
		m.fail()
	}
	if len(m.waiting) > 0 {
		next := m.waiting[0]
		m.waiting = m.waiting[1:]
		m.start(next)
	}
}

func (m *model) fail() {
	recent := []time.Duration{m.now}
	for _, at := range m.failures {
		if m.now-at < 30*time.Second {
			recent = append(recent, at)
		}
	}
	m.failures = recent
	if m.open || len(recent) == 5 {
		m.open, m.until, m.failures = true, m.now+15*time.Second, nil
		for _, c := range m.waiting {
			m.outcomes[c.name] = "PROVIDER_BUSY"
		}
		m.waiting = nil
	}
}

func (m *model) cancel(name string) {
	if m.running != nil && m.running.name == name {
		m.finish("cancelled")
		return
	}
	for i, c := range m.waiting {
		if c.name == name {
			m.waiting = append(m.waiting[:i:i], m.waiting[i+1:]...)
			m.outcomes[name] = "cancelled"
			return
		}
	}
}

// sleep moves the time on, from deadline to deadline.
func (m *model) sleep(d time.Duration) {
	end := m.now + d
	for {
		next := -1
		at := end + 1
		if m.running != nil && m.running.deadline < at {
			at = m.running.deadline
		}
		for i, c := range m.waiting {
			if c.deadline < at {
				next, at = i, c.deadline
			}
		}
		if at > end {
			m.now = end
			return
		}
		m.now = at
		if next < 0 {
			m.finish("late")
			continue
		}
		m.outcomes[m.waiting[next].name] = "SERVER_BUSY"
		m.waiting = append(m.waiting[:next:next], m.waiting[next+1:]...)
	}
}

func (m *model) state() providers.LaneState {
	return providers.LaneState{Waiting: len(m.waiting), Running: m.running != nil, Breaker: m.breaker()}
}

// client makes calls and collects how they end.
type client struct {
	*bench
	outcomes map[string]string
	cancels  map[string]context.CancelFunc
}

func (c *client) arrive(ctx context.Context, name string, priority bool) {
	ctx, cancel := context.WithCancel(ctx)
	c.cancels[name] = cancel
	go func() {
		_, err := c.Speak(ctx, speech(name, priority))
		c.mu.Lock()
		defer c.mu.Unlock()
		c.outcomes[name] = outcome(err)
	}()
	synctest.Wait()
}

func outcome(err error) string {
	switch {
	case err == nil:
		return "ok"
	case service.CodeOf(err) != "":
		return string(service.CodeOf(err))
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "late"
	}
	return "failed"
}

// step is one event of a test.
type step struct {
	kind     string
	priority bool
	caller   int // who cancels, by the number of the step
	seconds  int // of sleep
}

var steps = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
	return step{
		kind:     rapid.SampledFrom([]string{"arrive", "arrive", "arrive", "ok", "fail", "fail", "cancel", "sleep"}).Draw(t, "kind"),
		priority: rapid.Bool().Draw(t, "priority"),
		caller:   rapid.IntRange(0, 60).Draw(t, "caller"),
		seconds:  rapid.IntRange(1, 20).Draw(t, "seconds"),
	}
}), 1, 60)

// Whatever happens in whatever order, every caller gets what the model says, and the calls run in its order.
func TestLaneBehavesLikeTheModel(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		list := steps.Draw(r, "steps")
		var difference string
		synctest.Test(t, func(t *testing.T) { difference = compare(t.Context(), list) })
		if difference != "" {
			r.Fatal(difference)
		}
	})
}

// compare runs the steps with a lane and the model, and returns how they differ.
func compare(ctx context.Context, list []step) string {
	lane := &client{
		bench: newBenchOf(providers.LaneOptions{
			Provider: service.ProviderB, Queue: modelQueue, Timeout: modelTimeout, QueueTimeout: modelQueueTimeout,
		}),
		outcomes: map[string]string{}, cancels: map[string]context.CancelFunc{},
	}
	m := &model{outcomes: map[string]string{}}
	for i, s := range list {
		lane.step(ctx, i, s, m)
		m.step(i, s)
		synctest.Wait()
		lane.mu.Lock()
		got := fmt.Sprintf("%v %v ", lane.spoken, lane.outcomes)
		lane.mu.Unlock()
		got += fmt.Sprint(lane.State())
		if want := fmt.Sprintf("%v %v %v", m.order, m.outcomes, m.state()); got != want {
			return fmt.Sprintf("after step %d, %+v:\n%s\ninstead of\n%s", i, s, got, want)
		}
	}
	return ""
}

func (c *client) step(ctx context.Context, i int, s step, m *model) {
	switch s.kind {
	case "arrive":
		c.arrive(ctx, fmt.Sprint(i), s.priority)
	case "ok", "fail":
		if m.running != nil {
			c.results <- map[string]error{"ok": nil, "fail": errBroken}[s.kind]
		}
	case "cancel":
		if cancel := c.cancels[fmt.Sprint(s.caller)]; cancel != nil {
			cancel()
		}
	case "sleep":
		time.Sleep(time.Duration(s.seconds) * time.Second)
	}
}

func (m *model) step(i int, s step) {
	switch s.kind {
	case "arrive":
		m.arrive(fmt.Sprint(i), s.priority)
	case "ok", "fail":
		if m.running != nil {
			m.finish(map[string]string{"ok": "ok", "fail": "failed"}[s.kind])
		}
	case "cancel":
		m.cancel(fmt.Sprint(s.caller))
	case "sleep":
		m.sleep(time.Duration(s.seconds) * time.Second)
	}
}
