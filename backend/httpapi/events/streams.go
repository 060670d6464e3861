package events

import (
	"context"
	"net/http"

	"github.com/voicewright/voicewright/backend"
)

var errStreamsClosed = backend.E(backend.CodeInterrupted, "The server is stopping.", "Try again after it has started.")

// ServeGeneration sends the states of a generation: the current one first; the last is complete, failed or cancelled, after
// which the stream ends. snapshot reads the stored state; its error is returned before anything is written.
func (e *Streams) ServeGeneration(w http.ResponseWriter, r *http.Request, id string,
	snapshot func(context.Context) (backend.Generation, error),
) error {
	return e.serveStored(w, r, id, func(ctx context.Context) (func() any, bool, error) {
		g, err := snapshot(ctx)
		return func() any { return e.views.Generation(g) }, generationEnded(g), err
	})
}

// ServeTranscript is ServeGeneration for transcripts.
func (e *Streams) ServeTranscript(w http.ResponseWriter, r *http.Request, id string,
	snapshot func(context.Context) (backend.Transcript, error),
) error {
	return e.serveStored(w, r, id, func(ctx context.Context) (func() any, bool, error) {
		t, err := snapshot(ctx)
		return func() any { return e.views.Transcript(t) }, transcriptEnded(t), err
	})
}

// ServeRecording is ServeGeneration for recordings, with their level.
func (e *Streams) ServeRecording(w http.ResponseWriter, r *http.Request, id string,
	snapshot func(context.Context) (backend.Recording, error),
) error {
	return e.serveStored(w, r, recordingKey(id), func(ctx context.Context) (func() any, bool, error) {
		stored, err := snapshot(ctx)
		return func() any { return e.views.Recording(stored) }, stored.Status.Ended(), err
	})
}

// serveStored sends the states of a stored object; snapshot returns the stored one and whether it is final.
func (e *Streams) serveStored(w http.ResponseWriter, r *http.Request, id string,
	snapshot func(context.Context) (state func() any, ended bool, err error),
) error {
	// The reader is added first: a later end reaches its stream, an earlier one is in the snapshot.
	rd, s, err := e.addReader(w, r, id)
	if err != nil {
		return err
	}
	defer e.removeReader(rd, id, s)
	stored, ended, err := snapshot(rd.req.Context())
	if err != nil {
		return err
	}
	e.follow(rd, id, s, func() (int, any, bool) {
		e.mu.Lock()
		defer e.mu.Unlock()
		if s.seq == 0 {
			return 0, stored(), ended
		}
		return s.seq, s.state(), s.ended
	})
	return nil
}

// ServeModel sends the progress records of a model: the current one first; the last is complete or error, after which the
// stream ends. Until then it stays open, also while nothing is downloaded. current returns the current record.
func (e *Streams) ServeModel(w http.ResponseWriter, r *http.Request, name string, current func() backend.ModelProgress) error {
	key := modelKey(name)
	rd, s, err := e.addReader(w, r, key)
	if err != nil {
		return err
	}
	defer e.removeReader(rd, key, s)
	e.follow(rd, key, s, func() (int, any, bool) {
		e.mu.Lock()
		before := s.seq
		e.mu.Unlock()
		now := current() // without the lock: it may publish
		e.mu.Lock()
		defer e.mu.Unlock()
		// A state published since is newer. During a download the last published state comes before the next record.
		if s.seq != before || s.seq > 0 && !s.ended {
			return s.seq, s.state(), s.ended
		}
		return s.seq, e.views.Model(now), now.Ended()
	})
	return nil
}

// follow serves a stream whose first message is the state from present, with its number and whether it is an end.
func (e *Streams) follow(rd *reader, key string, s *stream, present func() (int, any, bool)) {
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

// ServeUI sends all named events until the reader disconnects or Close.
func (e *Streams) ServeUI(w http.ResponseWriter, r *http.Request) error {
	rd, _, err := e.addReader(w, r, "")
	if err != nil {
		return err
	}
	defer e.removeReader(rd, "", nil)
	rd.all = true
	rd.first = func() (int, []byte, bool) { return 0, nil, false }
	rd.ended = func(int, int) (int, []byte, bool) { return 0, nil, false }
	rd.serve(e.server, uiStream)
	return nil
}

// addReader adds a handler to its stream, which exists until the last one is removed.
func (e *Streams) addReader(w http.ResponseWriter, r *http.Request, key string) (*reader, *stream, error) {
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

func (e *Streams) removeReader(rd *reader, key string, s *stream) {
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
