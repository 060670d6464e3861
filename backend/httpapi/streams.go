package httpapi

import (
	"context"
	"encoding/json"
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
	rd.first = func() (int, []byte, bool) {
		e.mu.Lock()
		seq, g := s.seq, s.now
		e.mu.Unlock()
		if seq == 0 {
			g = stored
		}
		body, err := json.Marshal(e.view(g))
		return seq, body, err != nil || g.Status.Ended()
	}
	rd.isEnd = func(seq int) bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return s.ends[seq]
	}
	rd.serve(e.server, id)
	return nil
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
	rd.isEnd = func(int) bool { return false }
	rd.serve(e.server, uiStream)
	return nil
}

// enter counts a handler in, so that its stream stays until it has left.
func (e *Events) enter(w http.ResponseWriter, r *http.Request, id string) (*reader, *stream, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, nil, errStreamsClosed
	}
	rd := newReader(w, r)
	e.readers[rd] = struct{}{}
	e.open.Add(1)
	if id == "" {
		return rd, nil, nil
	}
	s := e.stream(id)
	s.handlers++
	return rd, s, nil
}

func (e *Events) leave(rd *reader, id string, s *stream) {
	rd.end()
	e.mu.Lock()
	delete(e.readers, rd)
	if s != nil {
		s.handlers--
		e.drop(id, s)
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
