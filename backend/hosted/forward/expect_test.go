package forward_test

import (
	"bufio"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// TestExpect: a caller that waits for 100 Continue, as curl does with large bodies, is asked for its body once.
func TestExpect(t *testing.T) {
	t.Parallel()
	r := start(t, hostedtest.Start(t, hostedtest.Options{Key: hostedKey}).URL)
	conn, err := net.Dial("tcp", r.Listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	fmt.Fprintf(conn, "POST /api/v1/tts/enhance HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nExpect: 100-continue\r\nContent-Length: 12\r\n\r\n",
		r.Listener.Addr(), localToken)
	in := bufio.NewReader(conn)
	for _, want := range []string{"HTTP/1.1 100 Continue\r\n", "\r\n"} {
		line, err := in.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, want, line)
	}
	fmt.Fprint(conn, `{"text":"a"}`)
	line, err := in.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 200 OK\r\n", line)
}
