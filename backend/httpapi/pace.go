package httpapi

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// How long a request body may take. The limit follows what has arrived, so that a large upload over a slow line ends and one
// that stands still does not hold its connection.
const (
	bodyGrace   = 20 * time.Second // without a byte
	bodyMinRate = 16 << 10         // bytes a second beyond the grace
	refusedBody = 2 * time.Second  // for the rest of a body that nobody reads
)

// hasBody reports whether a request brings bytes, or may.
func hasBody(r *http.Request) bool { return r.ContentLength != 0 }

// expectBody lets the sender of a body wait for its answer, and no longer: who may not come in gets no more time than this.
func expectBody(w http.ResponseWriter, r *http.Request) {
	if hasBody(r) {
		// Writers without deadlines (tests, the command line) are served without one.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(refusedBody))
	}
}

// pacedBody reads the body of a request that may come in, as long as it arrives at a sensible pace.
type pacedBody struct {
	io.ReadCloser
	conn   *http.ResponseController
	grace  time.Duration
	ended  bool
	got    int64
	waited time.Duration // for bytes, not for the handler
}

// pace returns the body of a request time as long as it arrives.
func (a *API) pace(w http.ResponseWriter, r *http.Request) {
	if !hasBody(r) {
		return
	}
	b := &pacedBody{ReadCloser: r.Body, conn: http.NewResponseController(w), grace: a.bodyGrace}
	b.wait()
	r.Body = b
}

// Read waits for the next bytes, and ends with an error when they come too slowly.
func (b *pacedBody) Read(p []byte) (int, error) {
	began := time.Now()
	b.wait()
	n, err := b.ReadCloser.Read(p)
	b.got += int64(n)
	b.waited += time.Since(began)
	if errors.Is(err, io.EOF) { // what the handler does now may take any time, and the connection is watched meanwhile
		_ = b.conn.SetReadDeadline(time.Time{})
		b.ended = true
	}
	return n, err
}

// wait sets the time at which the next bytes must have come.
func (b *pacedBody) wait() {
	earned := time.Duration(b.got) * time.Second / bodyMinRate
	_ = b.conn.SetReadDeadline(time.Now().Add(b.grace + earned - b.waited))
}

// refuseBody answers with err at once, while the client may still be sending, and then reads on for a moment, as a client that
// sends everything first would see a broken connection instead of the answer.
func (a *API) refuseBody(w http.ResponseWriter, r *http.Request, err error) {
	rest := io.Reader(r.Body)
	b, paced := r.Body.(*pacedBody)
	if !hasBody(r) || paced && b.ended {
		a.fail(w, r, err)
		return
	}
	if paced {
		rest = b.ReadCloser // it has its own deadline, from here on
	}
	conn := http.NewResponseController(w)
	_ = conn.EnableFullDuplex() // else the server reads the body before it sends the answer
	_ = conn.SetReadDeadline(time.Now().Add(refusedBody))
	w.Header().Set("Connection", "close")
	a.fail(w, r, err)
	_ = conn.Flush()
	_, _ = io.CopyN(io.Discard, rest, maxDrainBytes)
}
