package forward_test

import (
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConnections: a request is sent once, also where the service closes the connection of an earlier one, and headers that name
// the connection are not passed on.
func TestConnections(t *testing.T) {
	t.Parallel()
	e := startEcho(t, func(conn net.Conn, n int) {
		switch n {
		case 0:
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		case 1: // closed without an answer
		default:
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nConnection: X-Hop\r\nX-Hop: 1\r\nX-Kept: 1\r\nContent-Length: 2\r\n\r\nok")
		}
	})
	r := start(t, e.url())
	status, _, _ := r.do(t, "GET", "/api/v1/tts/voices", "")
	require.Equal(t, 200, status)
	status, _, _ = r.do(t, "GET", "/api/v1/tts/voices", "")
	require.Equal(t, 502, status)
	require.Len(t, e.requests(), 2)
	status, header, _ := r.do(t, "GET", "/api/v1/tts/voices", "")
	require.Equal(t, 200, status)
	require.Equal(t, "1", header.Get("X-Kept"))
	require.Empty(t, header.Get("X-Hop"))
}
