package httpapi

import (
	"io"
	"net/http"
	"time"
)

// lingering reads what a handler left of the body of a request that closes its connection: closed over unread bytes it would be
// reset, and the client might lose the answer. net/http does so for connections that stay open, refuseBody for refused bodies.
// A client that expects 100-continue is asked for its body by the first read: without one it holds it back, and nothing comes.
func (a *API) lingering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := &askedBody{ReadCloser: r.Body, asked: r.Header.Get("Expect") == ""}
		inner := r.WithContext(r.Context()) // net/http looks at the body of r itself
		if hasBody(r) {
			inner.Body = body
		}
		next.ServeHTTP(w, inner)
		if !r.Close || !hasBody(r) || !body.asked || w.Header().Get("Connection") == "close" {
			return
		}
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(refusedBody))
		_, _ = io.CopyN(io.Discard, body, maxDrainBytes)
	})
}

// askedBody knows whether its client sends it.
type askedBody struct {
	io.ReadCloser
	asked bool
}

func (b *askedBody) Read(p []byte) (int, error) {
	b.asked = true
	return b.ReadCloser.Read(p)
}
