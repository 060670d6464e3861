package api

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

const (
	maxBody     = 256 << 10       // bytes
	refusedBody = 2 * time.Second // for a body that is not read
)

// hasBody reports whether a request has a body, or may have one.
func hasBody(r *http.Request) bool { return r.ContentLength != 0 }

// expectBody limits the time for a body before anything is known about the request. It is the only limit of a refused one.
func expectBody(w http.ResponseWriter, r *http.Request) {
	if hasBody(r) {
		setReadDeadline(w, refusedBody)
	}
}

// setReadDeadline limits the time to read; 0 = no limit. Writers of tests have no deadlines.
func setReadDeadline(w http.ResponseWriter, limit time.Duration) {
	deadline := time.Time{}
	if limit > 0 {
		deadline = time.Now().Add(limit)
	}
	_ = http.NewResponseController(w).SetReadDeadline(deadline)
}

// bodies reads the bodies of requests.
type bodies struct{ timeout time.Duration }

// readJSON reads the body into the struct that into points to. A missing body is an error unless it is optional.
func (b bodies) readJSON(w *response, r *http.Request, into any, optional bool) error {
	data, err := b.readBody(w, r)
	if err != nil {
		return err
	}
	if len(data) == 0 && optional {
		return nil
	}
	value, err := parseJSON(data)
	if err != nil {
		return err
	}
	if value == nil && optional {
		return nil
	}
	return decode(value, into)
}

// readBody returns the body of a request, of at most maxBody bytes, which must arrive in time.
func (b bodies) readBody(w *response, r *http.Request) ([]byte, error) {
	setReadDeadline(w, b.timeout)
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, errTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, errSlowBody
	case err != nil:
		return nil, errBadRequest("The body of the request did not arrive completely. Send it again.")
	}
	setReadDeadline(w, 0)
	w.bodyRead = true
	return data, nil
}
