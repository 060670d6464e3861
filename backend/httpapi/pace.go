package httpapi

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// The time limits of a request body. They grow with the received bytes, so that a large upload over a slow connection completes
// and a stalled one does not hold its connection.
const (
	bodyGrace   = 20 * time.Second // without a byte
	bodyMinRate = 16 << 10         // bytes a second beyond the grace
	refusedBody = 2 * time.Second  // for the remainder of a body that is not used
)

// hasBody reports whether a request has a body, or may have one.
func hasBody(r *http.Request) bool { return r.ContentLength != 0 }

// expectBody sets the deadline of a body before access is checked, which is the only one for refused requests.
func expectBody(w http.ResponseWriter, r *http.Request) {
	if hasBody(r) {
		// Writers without deadlines (tests, the command line) work without one.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(refusedBody))
	}
}

// pacedBody reads the body of an accepted request as long as it arrives fast enough.
type pacedBody struct {
	io.ReadCloser
	conn   *http.ResponseController
	grace  time.Duration
	ended  bool
	got    int64
	waited time.Duration // for bytes, not for the handler
}

// pace wraps the body of a request in a pacedBody.
func (a *API) pace(w http.ResponseWriter, r *http.Request) {
	if !hasBody(r) {
		return
	}
	b := &pacedBody{ReadCloser: r.Body, conn: http.NewResponseController(w), grace: a.bodyGrace}
	b.wait()
	r.Body = b
}

// Read reads the next bytes, and returns an error if they arrive too slowly.
func (b *pacedBody) Read(p []byte) (int, error) {
	began := time.Now()
	b.wait()
	n, err := b.ReadCloser.Read(p)
	b.got += int64(n)
	b.waited += time.Since(began)
	if errors.Is(err, io.EOF) { // the handler may take any time from here on
		_ = b.conn.SetReadDeadline(time.Time{})
		b.ended = true
	}
	return n, err
}

// wait sets the deadline of the next bytes.
func (b *pacedBody) wait() {
	earned := time.Duration(b.got) * time.Second / bodyMinRate
	_ = b.conn.SetReadDeadline(time.Now().Add(b.grace + earned - b.waited))
}

// refuseBody responds with err immediately, while the client may still be sending, and then keeps reading for a moment: a
// client that sends its complete body first would see a broken connection instead of the response.
func (p *responder) refuseBody(w http.ResponseWriter, r *http.Request, err error) {
	unread := io.Reader(r.Body)
	b, paced := r.Body.(*pacedBody)
	if !hasBody(r) || paced && b.ended {
		p.fail(w, r, err)
		return
	}
	if paced {
		unread = b.ReadCloser // it has its own deadline, from here on
	}
	conn := http.NewResponseController(w)
	_ = conn.EnableFullDuplex() // otherwise the server reads the body before it sends the response
	_ = conn.SetReadDeadline(time.Now().Add(refusedBody))
	w.Header().Set("Connection", "close")
	p.fail(w, r, err)
	_ = conn.Flush()
	_, _ = io.CopyN(io.Discard, unread, maxDrainBytes)
}
