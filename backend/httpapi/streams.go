package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
)

var errStreamsClosed = backend.E(backend.CodeInterrupted, "The server is stopping.", "Try again when it runs.")

// ServeGeneration answers with the states of one generation: the present one first, the last is
// complete, failed or cancelled, after which the stream ends. snapshot reads the stored state; its
// error is returned before anything is written.
func (e *Events) ServeGeneration(w http.ResponseWriter, r *http.Request, id string,
	snapshot func(context.Context) (backend.Generation, error),
) error {
	// Entering comes first: an end that is stored later is then seen here, an earlier one in the snapshot.
	rd, s, err := e.enter(w, r, id)
	if err != nil {
		return err
	}
	defer e.leave(rd, id, s)
	stored, err := snapshot(rd.req.Context())
	if err != nil {
		return err
	}
	e.follow(rd, id, s, func() (int, any, bool) {
		e.mu.Lock()
		defer e.mu.Unlock()
		if s.seq == 0 {
			return 0, e.view(stored), stored.Status.Ended()
		}
		return s.seq, s.state(), s.ended
	})
	return nil
}

// ServeModel answers with the progress records of one model: the present one first, the last is complete or
// error, after which the stream ends; until then it stays open, also while nothing is downloaded. look gives the
// present record.
func (e *Events) ServeModel(w http.ResponseWriter, r *http.Request, name string, look func() backend.ModelProgress) error {
	key := modelKey(name)
	rd, s, err := e.enter(w, r, key)
	if err != nil {
		return err
	}
	defer e.leave(rd, key, s)
	e.follow(rd, key, s, func() (int, any, bool) {
		e.mu.Lock()
		before := s.seq
		e.mu.Unlock()
		now := look() // without the lock: it may tell something itself
		e.mu.Lock()
		defer e.mu.Unlock()
		// What was told since is newer. While a download goes on, what was told last is what the next record follows.
		if s.seq != before || s.seq > 0 && !s.ended {
			return s.seq, s.state(), s.ended
		}
		return s.seq, now, now.Ended()
	})
	return nil
}

// follow serves a stream whose first message is the state that present gives, with its number and whether it is an end.
func (e *Events) follow(rd *reader, key string, s *stream, present func() (int, any, bool)) {
	rd.first = func() (seq int, body []byte, ended bool) {
		body, ok := e.marshal(func() (now any) {
			seq, now, ended = present()
			return now
		})
		return seq, body, ended || !ok
	}
	rd.ended = func(last, seq int) (int, []byte, bool) {
		e.mu.Lock()
		defer e.mu.Unlock()
		for end := last + 1; end <= min(seq, s.seq); end++ {
			if state, ok := s.ends[end]; ok {
				body, _ := e.marshal(state)
				return end, body, true
			}
		}
		return 0, nil, false
	}
	rd.serve(e.server, key)
}

// ServeUI answers with the named events of everything, until the reader leaves or Close.
func (e *Events) ServeUI(w http.ResponseWriter, r *http.Request) error {
	rd, _, err := e.enter(w, r, "")
	if err != nil {
		return err
	}
	defer e.leave(rd, "", nil)
	rd.all = true
	rd.first = func() (int, []byte, bool) { return 0, nil, false }
	rd.ended = func(int, int) (int, []byte, bool) { return 0, nil, false }
	rd.serve(e.server, uiStream)
	return nil
}

// enter counts a handler in, so that its stream stays until it has left.
func (e *Events) enter(w http.ResponseWriter, r *http.Request, key string) (*reader, *stream, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, nil, errStreamsClosed
	}
	rd := newReader(w, r)
	e.readers[rd] = struct{}{}
	e.open.Add(1)
	if key == "" {
		return rd, nil, nil
	}
	s := e.stream(key)
	s.handlers++
	return rd, s, nil
}

func (e *Events) leave(rd *reader, key string, s *stream) {
	rd.end()
	e.mu.Lock()
	delete(e.readers, rd)
	if s != nil {
		s.handlers--
		e.drop(key, s)
	}
	e.mu.Unlock()
	e.open.Done()
}

func (a *API) events(w http.ResponseWriter, r *http.Request) {
	if err := a.opts.Events.ServeUI(w, r); err != nil {
		a.fail(w, r, err)
	}
}

// eventStream documents the answer of a stream.
func eventStream(op *huma.Operation) {
	op.Responses["200"] = &huma.Response{
		Description: "A stream of events",
		Content:     map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}},
	}
}
