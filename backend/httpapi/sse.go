package httpapi

import (
	"encoding/json"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/r3labs/sse/v2"

	"github.com/voicewright/voicewright/backend"
)

const (
	uiStream      = "events"               // the one stream of the UI
	coalesce      = 125 * time.Millisecond // with the first and the last one at most 10 messages a second for one stream
	keepAlive     = 15 * time.Second       // between comments
	writeDeadline = 5 * time.Second        // for one message to a reader; a slower one is dropped
)

// Events tells open streams what changed: the UI by named events that say "look again", and readers
// of one generation or one model by its state. States are numbered here; r3labs/sse only wakes the readers,
// in the one way that loses no end. It is safe for concurrent use.
type Events struct {
	view   func(backend.Generation) any
	log    *slog.Logger
	server *sse.Server
	stop   chan struct{}
	loops  sync.WaitGroup // the keep-alive loop, and ends on their way
	open   sync.WaitGroup // handlers

	mu      sync.Mutex
	closed  bool
	seq     int
	streams map[string]*stream // by key
	readers map[*reader]struct{}
}

// change is a new state of something that readers follow.
type change struct {
	key   string     // of its stream
	event string     // name on /events
	brief any        // data on /events
	state func() any // its JSON form is the message of the stream
	ended bool
}

// stream is the state of one thing that lives or is being read.
type stream struct {
	change   // the latest
	seq      int
	ends     map[int]func() any // states after which a stream ends, by their numbers
	sent     time.Time
	timer    *time.Timer // publishes the latest state when its turn comes; nil when none waits
	handlers int
}

// NewEvents starts the streams; Close ends them. view returns the JSON form of a generation, nil for
// the generation itself; what panics is logged.
func NewEvents(view func(backend.Generation) any, log *slog.Logger) *Events {
	return newEvents(view, log, keepAlive)
}

func newEvents(view func(backend.Generation) any, log *slog.Logger, quiet time.Duration) *Events {
	if view == nil {
		view = func(g backend.Generation) any { return g }
	}
	e := &Events{
		view: view, log: log, server: sse.New(), stop: make(chan struct{}),
		streams: map[string]*stream{}, readers: map[*reader]struct{}{},
	}
	e.server.AutoReplay, e.server.AutoStream = false, false
	// Write deadlines stay on a connection, so it is not used again after a stream.
	e.server.Headers = map[string]string{
		"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Connection": "close",
	}
	e.server.CreateStream(uiStream)
	e.loops.Go(func() { e.protect(func() { e.comment(quiet) }) })
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
			for key := range e.streams {
				names = append(names, key)
			}
			e.mu.Unlock()
			for _, name := range names {
				e.server.TryPublish(name, &sse.Event{Comment: []byte("keep-alive")})
			}
		}
	}
}

// History tells that n generations were changed by hand or are gone.
func (e *Events) History(n int) { e.Publish("history", historyChange{n}) }

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
// acceptance and at every change, as tell says.
func (e *Events) Generation(g backend.Generation) {
	e.tell(change{
		key: g.ID, event: "generation", brief: generationEvent{ID: g.ID, Status: g.Status, Progress: g.Progress},
		state: func() any { return e.view(g) }, ended: g.Status.Ended(),
	})
}

// modelEvent is what the UI needs to know which model to look at again.
type modelEvent struct {
	ModelName string                 `json:"model_name"`
	Status    backend.DownloadStatus `json:"status"`
	Current   int64                  `json:"current"`
	Total     int64                  `json:"total"`
	Retry     *backend.ModelRetry    `json:"retry,omitempty"`
}

// Model tells that the download of a model went on. Call it for every record, in their order, as tell says.
func (e *Events) Model(p backend.ModelProgress) {
	e.tell(change{
		key: modelKey(p.ModelName), event: "model", brief: modelEvent{p.ModelName, p.Status, p.Current, p.Total, p.Retry},
		state: func() any { return p }, ended: p.Ended(),
	})
}

// modelKey is no key of a generation, which is a UUID.
func modelKey(name string) string { return "model." + name }

// tell takes a new state; it never waits. Changes are sent at most 8 times a second, the latest wins; an end
// is always sent, and a stuck reader that holds it up is dropped after 5 s.
func (e *Events) tell(c change) {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return
	}
	s := e.stream(c.key)
	s.seq++
	s.change = c
	if !c.ended {
		now := s.timer == nil && time.Since(s.sent) >= coalesce
		switch {
		case now:
			s.sent = time.Now()
		case s.timer == nil:
			s.timer = time.AfterFunc(coalesce-time.Since(s.sent), func() { e.protect(func() { e.due(s) }) })
		}
		e.mu.Unlock()
		if now {
			e.sendLatest(s)
		}
		return
	}
	seq := s.seq
	s.ends[seq] = c.state
	e.loops.Go(func() {
		e.protect(func() { e.send(s, c, seq) })
		e.mu.Lock()
		defer e.mu.Unlock()
		e.drop(c.key, s)
	})
	e.mu.Unlock()
}

// due sends the state whose turn has come.
func (e *Events) due(s *stream) {
	e.mu.Lock()
	ended := s.ended || e.closed
	s.timer = nil
	s.sent = time.Now() // so that nobody sends at once beside this one
	e.mu.Unlock()
	if !ended {
		e.sendLatest(s)
	}
}

func (e *Events) sendLatest(s *stream) {
	e.mu.Lock()
	c, seq := s.change, s.seq
	e.mu.Unlock()
	e.send(s, c, seq)
}

// send publishes a state of s. Two calls at once may publish in either order: readers pass over the older number, and
// end with an end that they would pass over.
func (e *Events) send(s *stream, c change, seq int) {
	e.mu.Lock()
	watched := s.handlers > 0
	s.sent = time.Now()
	e.mu.Unlock()
	e.publishUI(c.event, c.brief, c.ended)
	if !watched {
		return
	}
	body, ok := e.marshal(c.state)
	if !ok && !c.ended {
		return
	}
	ev := &sse.Event{ID: strconv.AppendInt(nil, int64(seq), 10), Data: body}
	if !ok { // readers end without a last state
		ev.Data = []byte("null")
	}
	if c.ended {
		e.server.Publish(c.key, ev)
	} else {
		e.server.TryPublish(c.key, ev)
	}
}

// marshal returns the JSON form of a state. A view that panics costs its readers the message, and nobody else anything.
func (e *Events) marshal(state func() any) (body []byte, ok bool) {
	err := backend.Contain(func() (err error) {
		body, err = json.Marshal(state())
		return err
	})
	if err != nil {
		e.log.Error("no message of a stream", "error", err)
		return nil, false
	}
	return body, true
}

func (e *Events) protect(f func()) { backend.Protect(e.log, "event streams", f) }

// stream returns the state of a key, made when there is none. The caller holds mu.
func (e *Events) stream(key string) *stream {
	s, ok := e.streams[key]
	if !ok {
		s = &stream{ends: map[int]func() any{}}
		e.streams[key] = s
		e.server.CreateStream(key)
	}
	return s
}

// drop forgets a stream that nobody reads and nothing more will happen to. The caller holds mu.
func (e *Events) drop(key string, s *stream) {
	if s.handlers > 0 || e.streams[key] != s || (s.seq > 0 && !s.ended) {
		return
	}
	if s.timer != nil {
		s.timer.Stop()
	}
	delete(e.streams, key)
	e.server.RemoveStream(key)
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
	for _, s := range e.streams {
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
