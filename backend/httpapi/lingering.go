package httpapi

import (
	"io"
	"net/http"
	"time"
)

// lingering reads the unread body of a request that closes its connection: closing with unread bytes resets the connection,
// and the client might lose the response. net/http does so for connections that stay open, refuseBody for refused bodies. A
// client that expects 100-continue sends its body only after the first read, so without one there is nothing to read.
func (a *API) lingering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := &askedBody{ReadCloser: r.Body, asked: r.Header.Get("Expect") == ""}
		inner := r.WithContext(r.Context()) // net/http uses the body of r itself
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

// askedBody records whether its client has been asked to send it.
type askedBody struct {
	io.ReadCloser
	asked bool
}

func (b *askedBody) Read(p []byte) (int, error) {
	b.asked = true
	return b.ReadCloser.Read(p)
}
