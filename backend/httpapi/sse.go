package httpapi

import (
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"github.com/r3labs/sse/v2"

	"github.com/voicewright/voicewright/backend"
)

const (
	uiStream      = "events"               // the one stream of the UI
	coalesce      = 100 * time.Millisecond // at most 10 messages a second for a generation
	keepAlive     = 15 * time.Second       // between comments
	writeDeadline = 5 * time.Second        // for one message to a reader; a slower one is dropped
)

// Events tells open streams what changed: the UI by named events that say "look again", and readers
// of one generation by its state. States are numbered here; r3labs/sse only wakes the readers, in the
// one way that loses no end. It is safe for concurrent use.
type Events struct {
	view   func(backend.Generation) any
	server *sse.Server
	stop   chan struct{}
	loops  sync.WaitGroup // the keep-alive loop, and ends on their way
	open   sync.WaitGroup // handlers

	mu      sync.Mutex
	closed  bool
	seq     int
	gens    map[string]*stream
	readers map[*reader]struct{}
}

// stream is the state of one generation that lives or is being read.
type stream struct {
	seq      int
	now      backend.Generation
	ends     map[int]bool // numbers of states after which a stream ends
	sent     time.Time
	timer    *time.Timer // publishes the latest state when its turn comes; nil when none waits
	handlers int
}

// NewEvents starts the streams; Close ends them. view gives the JSON form of a generation, nil for
// the generation itself.
func NewEvents(view func(backend.Generation) any) *Events { return newEvents(view, keepAlive) }

func newEvents(view func(backend.Generation) any, quiet time.Duration) *Events {
	if view == nil {
		view = func(g backend.Generation) any { return g }
	}
	e := &Events{
		view: view, server: sse.New(), stop: make(chan struct{}),
		gens: map[string]*stream{}, readers: map[*reader]struct{}{},
	}
	e.server.AutoReplay, e.server.AutoStream = false, false
	// Write deadlines stay on a connection, so it is not used again after a stream.
	e.server.Headers = map[string]string{
		"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Connection": "close",
	}
	e.server.CreateStream(uiStream)
	e.loops.Go(func() { e.comment(quiet) })
	return e
}

// comment keeps quiet connections open.
func (e *Events) comment(quiet time.Duration) {
	tick := time.NewTicker(quiet)
	defer tick.Stop()
	for {
		select {
		case <-e.stop:
			return
		case <-tick.C:
			e.mu.Lock()
			names := []string{uiStream}
			for id := range e.gens {
				names = append(names, id)
			}
			e.mu.Unlock()
			for _, name := range names {
				e.server.TryPublish(name, &sse.Event{Comment: []byte("keep-alive")})
			}
		}
	}
}

// Publish sends a named event with data as JSON to every open /events stream. It never waits: readers
// that are far behind miss it. Data that is no JSON is a mistake of the caller and is not sent.
func (e *Events) Publish(name string, data any) { e.publishUI(name, data, false) }

func (e *Events) publishUI(name string, data any, wait bool) {
	body, err := json.Marshal(data)
	if err != nil {
		return
	}
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return
	}
	e.seq++
	ev := &sse.Event{ID: strconv.AppendInt(nil, int64(e.seq), 10), Event: []byte(name), Data: body}
	e.mu.Unlock()
	if wait {
		e.server.Publish(uiStream, ev)
	} else {
		e.server.TryPublish(uiStream, ev)
	}
}

// generationEvent is what the UI needs to know which row to look at again.
type generationEvent struct {
	ID       string         `json:"id"`
	Status   backend.Status `json:"status"`
	Progress float64        `json:"progress"`
}

// Generation tells that a generation has a new state. Call it after the state is stored, at
// acceptance and at every change; it never waits. Changes are sent at most 10 times a second, the latest
// wins; an end is always sent, and a stuck reader that holds it up is dropped after 5 s.
func (e *Events) Generation(g backend.Generation) {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return
	}
	s := e.stream(g.ID)
	s.seq++
	s.now = g
	if !g.Status.Ended() {
		now := s.timer == nil && time.Since(s.sent) >= coalesce
		switch {
		case now:
			s.sent = time.Now()
		case s.timer == nil:
			s.timer = time.AfterFunc(coalesce-time.Since(s.sent), func() { e.due(g.ID, s) })
		}
		e.mu.Unlock()
		if now {
			e.send(g.ID, s)
		}
		return
	}
	s.ends[s.seq] = true
	e.loops.Go(func() {
		e.send(g.ID, s)
		e.mu.Lock()
		defer e.mu.Unlock()
		e.drop(g.ID, s)
	})
	e.mu.Unlock()
}

// due sends the state whose turn has come.
func (e *Events) due(id string, s *stream) {
	e.mu.Lock()
	ended := s.now.Status.Ended() || e.closed
	s.timer = nil
	e.mu.Unlock()
	if !ended {
		e.send(id, s)
	}
}

// send publishes the latest state of s. Two calls at once may publish in either order: readers pass
// over the older number.
func (e *Events) send(id string, s *stream) {
	e.mu.Lock()
	g, seq, watched := s.now, s.seq, s.handlers > 0
	s.sent = time.Now()
	e.mu.Unlock()
	end := g.Status.Ended()
	e.publishUI("generation", generationEvent{ID: id, Status: g.Status, Progress: g.Progress}, end)
	if !watched {
		return
	}
	body, err := json.Marshal(e.view(g))
	if err != nil {
		return
	}
	ev := &sse.Event{ID: strconv.AppendInt(nil, int64(seq), 10), Data: body}
	if end {
		e.server.Publish(id, ev)
	} else {
		e.server.TryPublish(id, ev)
	}
}

// stream gives the state of a generation, made when there is none. The caller holds mu.
func (e *Events) stream(id string) *stream {
	s, ok := e.gens[id]
	if !ok {
		s = &stream{ends: map[int]bool{}}
		e.gens[id] = s
		e.server.CreateStream(id)
	}
	return s
}

// drop forgets a stream that nobody reads and nothing more will happen to. The caller holds mu.
func (e *Events) drop(id string, s *stream) {
	if s.handlers > 0 || e.gens[id] != s || (s.seq > 0 && !s.now.Status.Ended()) {
		return
	}
	if s.timer != nil {
		s.timer.Stop()
	}
	delete(e.gens, id)
	e.server.RemoveStream(id)
}

// Close ends all streams and waits for their handlers, at most as long as one write may take. It may
// be called more than once.
func (e *Events) Close() {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return
	}
	e.closed = true
	for rd := range e.readers {
		rd.end()
	}
	for _, s := range e.gens {
		if s.timer != nil {
			s.timer.Stop()
		}
	}
	e.mu.Unlock()
	close(e.stop)
	e.loops.Wait()
	e.open.Wait()
	e.server.Close()
}
