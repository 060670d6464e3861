package api_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/api"
)

// connection is a raw connection to a server.
type connection struct {
	net.Conn
	reader *bufio.Reader
}

// listen serves f on a loopback port until the test ends, and returns a function that connects to it.
func listen(t *testing.T, f *fixture) func() connection {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := f.Server()
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-ended, http.ErrServerClosed)
	})
	return func() connection {
		conn, err := net.Dial("tcp", listener.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute))) // a test that hangs fails
		return connection{conn, bufio.NewReader(conn)}
	}
}

func (c connection) write(t *testing.T, text string) {
	t.Helper()
	_, err := io.WriteString(c, text)
	require.NoError(t, err)
}

// answer is a response that was read.
type answer struct {
	status int
	body   string
	close  bool // the server announced that it closes the connection
}

// response reads one response with its body.
func (c connection) response(t *testing.T) answer {
	t.Helper()
	r, err := http.ReadResponse(c.reader, nil)
	require.NoError(t, err)
	body, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.NoError(t, r.Body.Close())
	return answer{r.StatusCode, string(body), r.Close}
}

// requireClosed waits until the server closes the connection without another response.
func (c connection) requireClosed(t *testing.T) {
	t.Helper()
	unexpected, err := io.ReadAll(c.reader)
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() { //nolint:errorlint // net returns it bare
		t.Fatal("the connection is still open")
	}
	require.Empty(t, string(unexpected))
}

const synthesizeLine = "POST /api/v1/tts/synthesize HTTP/1.1\r\nHost: x\r\nX-API-Key: " + key + "\r\n"

// Requests that a proxy and the service could read in two ways are refused, or end their connection.
func TestHeaderSmuggling(t *testing.T) {
	t.Parallel()
	connect := listen(t, newFixture())
	const line = "GET /api/v1/user/credits HTTP/1.1\r\nHost: x\r\n"
	for name, request := range map[string]string{
		"two lengths":                synthesizeLine + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
		"two lengths in one":         synthesizeLine + "Content-Length: 2, 3\r\n\r\n{} ",
		"signed length":              synthesizeLine + "Content-Length: +2\r\n\r\n{}",
		"negative length":            synthesizeLine + "Content-Length: -1\r\n\r\n{}",
		"unknown coding":             synthesizeLine + "Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"two codings":                synthesizeLine + "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"coding twice":               synthesizeLine + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"coding with a blank before": synthesizeLine + "Transfer-Encoding : chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"no host":                    "GET /health HTTP/1.1\r\n\r\n",
		"two hosts":                  "GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
		"blank in a name":            line + "X-API-Key : " + key + "\r\n\r\n",
		"NUL in a value":             line + "X-API-Key: " + key + "\x00\r\n\r\n",
		"headers too large":          line + "X-Filler: " + strings.Repeat("a", 64<<10) + "\r\n\r\n",
		"absurd version":             "GET /health HTTP/9.9\r\nHost: x\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connect()
			c.write(t, request)
			r := c.response(t)
			require.GreaterOrEqual(t, r.status, 400)
			c.requireClosed(t)
		})
	}
	t.Run("length and coding", func(t *testing.T) {
		t.Parallel()
		c := connect()
		smuggled := "GET /api/v1/user/credits HTTP/1.1\r\nHost: x\r\nX-API-Key: " + key + "\r\n\r\n"
		c.write(t, synthesizeLine+"Content-Length: 13\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"+smuggled)
		r := c.response(t)
		require.Equal(t, 200, r.status)
		require.True(t, r.close)
		c.requireClosed(t)
	})
	t.Run("key in a trailer", func(t *testing.T) {
		t.Parallel()
		c := connect()
		c.write(t, "POST /api/v1/tts/synthesize HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTrailer: X-API-Key\r\n\r\n"+
			"2\r\n{}\r\n0\r\nX-API-Key: "+key+"\r\n\r\n")
		r := c.response(t)
		require.Equal(t, 401, r.status)
	})
	t.Run("key on a folded line", func(t *testing.T) {
		t.Parallel()
		c := connect()
		c.write(t, line+"X-API-Key:\r\n "+key+"\r\nX-API-Key: "+key+"x\r\n\r\n")
		r := c.response(t)
		require.Contains(t, []int{400, 401}, r.status)
	})
	t.Run("line break in a value", func(t *testing.T) {
		t.Parallel()
		c := connect()
		c.write(t, line+"X-Request-Id: a\nX-API-Key: "+key+"y\r\nX-API-Key: "+key+"\r\n\r\n")
		r := c.response(t)
		require.Contains(t, []int{400, 401}, r.status)
	})
}

// A body over 256 KiB is refused before it has arrived, with a length or in chunks; so is any body without a credential.
func TestLargeBodiesAreRefusedUnread(t *testing.T) {
	t.Parallel()
	connect := listen(t, newFixture())
	t.Run("length", func(t *testing.T) {
		t.Parallel()
		c := connect()
		c.write(t, synthesizeLine+"Content-Length: 10000000000\r\n\r\n{")
		r := c.response(t)
		require.Equal(t, 413, r.status)
		require.NotContains(t, r.body, "code")
		c.requireClosed(t)
	})
	t.Run("length on a route without a body", func(t *testing.T) {
		t.Parallel()
		c := connect()
		c.write(t, "GET /api/v1/user/credits HTTP/1.1\r\nHost: x\r\nX-API-Key: "+key+"\r\nContent-Length: 300000\r\n\r\n{")
		r := c.response(t)
		require.Equal(t, 413, r.status)
		c.requireClosed(t)
	})
	t.Run("chunks", func(t *testing.T) {
		t.Parallel()
		c := connect()
		chunk := fmt.Sprintf("10000\r\n%s\r\n", bytes.Repeat([]byte("a"), 1<<16))
		c.write(t, synthesizeLine+"Transfer-Encoding: chunked\r\n\r\n"+strings.Repeat(chunk, 4)+"1\r\na\r\n")
		r := c.response(t)
		require.Equal(t, 413, r.status)
		c.requireClosed(t)
	})
	t.Run("without a credential", func(t *testing.T) {
		t.Parallel()
		c := connect()
		c.write(t, "POST /api/v1/tts/synthesize HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
		r := c.response(t)
		require.Equal(t, 401, r.status)
		c.requireClosed(t)
	})
	t.Run("not asked for", func(t *testing.T) {
		t.Parallel()
		c := connect()
		c.write(t, synthesizeLine+"Expect: 100-continue\r\nContent-Length: 300000\r\n\r\n")
		r := c.response(t)
		require.Equal(t, 413, r.status)
		c.requireClosed(t)
	})
}

// A client that stops in the middle of a body gets 408 and loses its connection; others are served meanwhile.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	connect := listen(t, newFixture(func(o *api.Options) { o.BodyTimeout = 200 * time.Millisecond }))
	slow := connect()
	slow.write(t, synthesizeLine+"Content-Length: 100\r\n\r\n{")
	other := connect()
	other.write(t, synthesizeLine+"Content-Length: 2\r\n\r\n{}")
	r := other.response(t)
	require.Equal(t, 200, r.status)
	r = slow.response(t)
	require.Equal(t, 408, r.status)
	require.Contains(t, r.body, "did not arrive in time")
	slow.requireClosed(t)

	other.write(t, synthesizeLine+"Content-Length: 2\r\n\r\n{}") // the limit of one body is not that of the connection
	r = other.response(t)
	require.Equal(t, 200, r.status)
}

// A client that does not read what it downloads loses its connection.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	f := newFixture(func(o *api.Options) { o.AnswerTimeout = 200 * time.Millisecond })
	f.stub.audio = bytes.NewReader(make([]byte, 64<<20)) // more than the buffers of a connection
	c := listen(t, f)()
	c.write(t, "GET /files/"+audioName+" HTTP/1.1\r\nHost: x\r\n\r\n")
	require.Eventually(t, func() bool { return strings.Contains(f.log.String(), "GET /files/{name}") }, time.Minute, 10*time.Millisecond)
	r, err := http.ReadResponse(c.reader, nil)
	require.NoError(t, err)
	defer r.Body.Close()
	n, err := io.Copy(io.Discard, r.Body)
	require.Error(t, err)
	require.Less(t, n, int64(64<<20))
}

// A connection serves one request after another, also after refused ones.
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	connect := listen(t, newFixture())
	c := connect()
	for _, want := range []int{200, 401, 400, 200} {
		request := synthesizeLine + "Content-Length: 2\r\n\r\n{}"
		switch want {
		case 401:
			request = "GET /api/v1/user/credits HTTP/1.1\r\nHost: x\r\n\r\n"
		case 400:
			request = strings.Replace(request, "{}", "{[", 1)
		}
		c.write(t, request)
		r := c.response(t)
		require.Equal(t, want, r.status)
		require.False(t, r.close)
	}
}

// Headers, idle connections and sizes have limits.
func TestServerLimits(t *testing.T) {
	t.Parallel()
	server := newFixture().Server()
	require.NotZero(t, server.ReadHeaderTimeout)
	require.NotZero(t, server.IdleTimeout)
	require.NotZero(t, server.MaxHeaderBytes)
}
