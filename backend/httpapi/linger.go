package httpapi

import (
	"io"
	"net/http"
	"time"
)

// lingering reads what a handler left of the body of a request that closes its connection: closed over unread bytes it would be
// reset, and the client might lose the answer. net/http does so for connections that stay open, refuseBody for refused bodies.
func (a *API) lingering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := r.Body
		next.ServeHTTP(w, r)
		if !r.Close || !hasBody(r) || w.Header().Get("Connection") == "close" {
			return
		}
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(refusedBody))
		_, _ = io.CopyN(io.Discard, body, maxDrainBytes)
	})
}
