// Package events publishes what changes to the open event streams of the local API: named events that tell the UI what to read
// again, and the states of one generation, transcript, recording, export or model.
package events

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
	uiStream      = "events"               // the stream of all events, for the UI
	coalesce      = 125 * time.Millisecond // interval of changes; with the first and the last one at most 10 messages a second for a stream
	keepAlive     = 15 * time.Second       // between comments
	writeDeadline = 5 * time.Second        // for one message; a slower reader is disconnected
)

// Streams publishes changes to open streams: named events that tell the UI what to read again, and the states of one
// generation, transcript, recording, export or model. It is safe for concurrent use.
//
// r3labs/sse is used to fan out messages to the readers of a stream and to keep their connections, and for nothing else. It
// must not be used to replay or buffer: it drops messages for slow readers, keeps replayed events without limit, and does not
// guarantee that the last message arrives. So AutoReplay and AutoStream are off, states are numbered here, reader sends the
// current state first and skips older ones, and an end is read from stream.ends, not from the queue.
type Streams struct {
	views  Views
	log    *slog.Logger
	server *sse.Server
	stop   chan struct{}
	loops  sync.WaitGroup // the keep-alive loop, and ends that are being sent
	open   sync.WaitGroup // handlers

	mu      sync.Mutex
	closed  bool
	seq     int
	streams map[string]*stream // by key
	readers map[*reader]struct{}
}

// change is a new state of a generation, transcript or model.
type change struct {
	key   string     // of its stream
	event string     // name on /events; empty: it is not sent there
	brief any        // data on /events
	state func() any // its JSON form is the message of the stream
	ended bool
}

// stream is the state of a generation, transcript or model that is in progress or has readers.
type stream struct {
	change   // the latest
	seq      int
	ends     map[int]func() any // states that end the stream, by number
	sent     time.Time
	timer    *time.Timer // sends the latest state when the interval has passed; nil = nothing to send
	handlers int
}

// Views return the JSON forms of what streams send; nil = the object itself. A panic of one is logged.
type Views struct {
	Generation func(backend.Generation) any
	Transcript func(backend.Transcript) any
	Model      func(backend.ModelProgress) any
	Recording  func(backend.Recording) any
}

// New starts the streams; Close ends them.
func New(views Views, log *slog.Logger) *Streams {
	return newStreams(views, log, keepAlive)
}

func newStreams(views Views, log *slog.Logger, quiet time.Duration) *Streams {
	if views.Generation == nil {
		views.Generation = func(g backend.Generation) any { return g }
	}
	if views.Transcript == nil {
		views.Transcript = func(t backend.Transcript) any { return t }
	}
	if views.Model == nil {
		views.Model = func(p backend.ModelProgress) any { return p }
	}
	if views.Recording == nil {
		views.Recording = func(r backend.Recording) any { return r }
	}
	e := &Streams{
		views: views, log: log, server: sse.New(), stop: make(chan struct{}),
		streams: map[string]*stream{}, readers: map[*reader]struct{}{},
	}
	e.server.AutoReplay, e.server.AutoStream = false, false
	// Write deadlines stay set on a connection, so it is not reused after a stream.
	e.server.Headers = map[string]string{
		"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Connection": "close",
	}
	e.server.CreateStream(uiStream)
	e.loops.Go(func() { e.protect(func() { e.comment(quiet) }) })
	return e
}

// comment sends comments that keep idle connections open.
func (e *Streams) comment(quiet time.Duration) {
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

// Publish sends a named event with data as JSON to every open /events stream. It never blocks: readers
// that are far behind miss it. Data that cannot be encoded as JSON is a bug of the caller and is not sent.
func (e *Streams) Publish(name string, data any) { e.publishUI(name, data, false, nil) }

// publishUI sends data, waiting for slow readers if wait is set. Without it, it is not sent where outdated, which is called under mu
// and may be nil, says that it is behind what was sent.
func (e *Streams) publishUI(name string, data any, wait bool, outdated func() bool) {
	body, err := json.Marshal(data)
	if err != nil {
		return
	}
	e.mu.Lock()
	if e.closed || outdated != nil && outdated() {
		e.mu.Unlock()
		return
	}
	e.seq++
	ev := &sse.Event{ID: strconv.AppendInt(nil, int64(e.seq), 10), Event: []byte(name), Data: body}
	if !wait {
		e.server.TryPublish(uiStream, ev) // under mu, so that an end cannot come before it
	}
	e.mu.Unlock()
	if wait {
		e.server.Publish(uiStream, ev)
	}
}

// update records a new state and sends it, without blocking. Changes are sent at most 8 times a second, the latest wins; an end
// is always sent, and a reader that blocks it is disconnected after 5 s.
func (e *Streams) update(c change) {
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

// due sends the latest state after the interval.
func (e *Streams) due(s *stream) {
	e.mu.Lock()
	ended := s.ended || e.closed
	s.timer = nil
	s.sent = time.Now() // so that no other call sends at the same time
	e.mu.Unlock()
	if !ended {
		e.sendLatest(s)
	}
}

func (e *Streams) sendLatest(s *stream) {
	e.mu.Lock()
	c, seq := s.change, s.seq
	e.mu.Unlock()
	e.send(s, c, seq)
}

// send publishes a state of s. Concurrent calls may publish in either order: readers skip lower numbers, and end if they
// would skip an end.
func (e *Streams) send(s *stream, c change, seq int) {
	e.mu.Lock()
	watched := s.handlers > 0
	s.sent = time.Now()
	e.mu.Unlock()
	if c.event != "" {
		e.publishUI(c.event, c.brief, c.ended, func() bool { return !c.ended && s.seq > seq && s.ended })
	}
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

// marshal returns the JSON form of a state. If the view panics, only this message is lost.
func (e *Streams) marshal(state func() any) (body []byte, ok bool) {
	err := backend.Contain(func() (err error) {
		body, err = json.Marshal(state())
		return err
	})
	if err != nil {
		e.log.Error("encode a message of an event stream", "error", err)
		return nil, false
	}
	return body, true
}

func (e *Streams) protect(f func()) { backend.Protect(e.log, "event streams", f) }

// stream returns the stream of a key and creates it if needed. The caller holds mu.
func (e *Streams) stream(key string) *stream {
	s, ok := e.streams[key]
	if !ok {
		s = &stream{ends: map[int]func() any{}}
		e.streams[key] = s
		e.server.CreateStream(key)
	}
	return s
}

// drop removes a stream without readers whose state is final. The caller holds mu.
func (e *Streams) drop(key string, s *stream) {
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
func (e *Streams) Close() {
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
