package httpapi_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestResponseToUnreadBody sends headers and body in packets of their own to a route that needs no body, which
// responds when the body has arrived and closes the connection: each client reads the complete response.
func TestResponseToUnreadBody(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	began, arrived := make(chan struct{}), make(chan struct{})
	r.held = func() {
		began <- struct{}{}
		<-arrived
	}
	address := r.srv.Listener.Addr().String()
	for range 100 {
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		_, err = fmt.Fprintf(conn, "POST /nobody/0190c1d2-0000-7000-8000-000000000001 HTTP/1.1\r\nHost: %s\r\n"+
			"Authorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n",
			address, token)
		require.NoError(t, err)
		<-began
		_, err = conn.Write([]byte("{}"))
		require.NoError(t, err)
		arrived <- struct{}{}
		answer, err := io.ReadAll(conn)
		require.NoError(t, err, "the connection was reset")
		require.True(t, strings.HasPrefix(string(answer), "HTTP/1.1 204"), "%s", answer)
		require.NoError(t, conn.Close())
	}
}

// TestResponseToLargeUnreadBody sends more than the sockets hold to a route that needs no body.
func TestResponseToLargeUnreadBody(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	body := strings.Repeat("x", 8<<20)
	for range 20 {
		conn := r.raw("DELETE", "/fail/invalid", fmt.Sprint(len(body)), "", bearer, "Connection: close")
		_, err := io.WriteString(conn, body)
		require.NoError(t, err)
		closes(t, conn, http.StatusUnprocessableEntity)
	}
}

// heldBack is a body that its client sends only after 100-continue.
type heldBack struct{ t *testing.T }

func (b heldBack) Read([]byte) (int, error) {
	b.t.Error("the answer waits for a body that does not come")
	return 0, io.EOF
}

func (heldBack) Close() error { return nil }

// TestResponseBeforeHeldBackBody: a client that expects 100-continue and gets a response first sends no body.
func TestResponseBeforeHeldBackBody(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	request := httptest.NewRequestWithContext(t.Context(), http.MethodDelete, r.srv.URL+"/fail/invalid", heldBack{t})
	request.ContentLength, request.Close = 2, true
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Expect", "100-continue")
	answer := httptest.NewRecorder()
	r.api.Handler().ServeHTTP(answer, request)
	require.Equal(t, http.StatusUnprocessableEntity, answer.Code, answer.Body.String())
}
