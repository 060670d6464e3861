package httpapi_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// hang is how long a test waits for what should come at once, before it says that it never comes.
const hang = 20 * time.Second

// raw opens a connection and sends the head of a request, with the start of its body.
func (r *rig) raw(method, path, length, body string, headers ...string) net.Conn {
	r.t.Helper()
	conn, err := (&net.Dialer{}).DialContext(r.t.Context(), "tcp", r.srv.Listener.Addr().String())
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = conn.Close() })
	require.NoError(r.t, conn.SetDeadline(time.Now().Add(hang)))
	head := append([]string{method + " " + path + " HTTP/1.1", "Host: " + r.srv.Listener.Addr().String(), "Content-Length: " + length}, headers...)
	_, err = io.WriteString(conn, strings.Join(head, "\r\n")+"\r\n\r\n"+body)
	require.NoError(r.t, err)
	return conn
}

// closes checks the answer on a connection, and that the server then ends it.
func closes(t *testing.T, conn net.Conn, status int) {
	t.Helper()
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	require.NoError(t, err, "no answer")
	require.Equal(t, status, resp.StatusCode)
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	_, err = in.ReadByte()
	require.ErrorIs(t, err, io.EOF, "the connection stays open")
}

const bearer = "Authorization: Bearer " + token

// TestHalfSentBodyWithoutToken hold no connection: the answer comes before the body, and the connection ends.
func TestHalfSentBodyWithoutToken(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	var all []net.Conn
	for range 50 {
		all = append(all, r.raw("POST", "/echo", "1000", `{"text":`), r.raw("PUT", "/upload", "1000", "zip", "Origin: http://evil.example"))
	}
	for i, conn := range all {
		closes(t, conn, []int{http.StatusUnauthorized, http.StatusForbidden}[i%2])
	}
	require.Zero(t, r.entered.Load())
}

// TestHugeBodyIsRejectedBeforeUpload reads none of the 10 GB, and waits for none.
func TestHugeBodyIsRejectedBeforeUpload(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	for method, path := range map[string]string{"POST": "/echo", "PUT": "/upload"} {
		closes(t, r.raw(method, path, "10000000000", "", bearer, "Content-Type: application/zip"), http.StatusRequestEntityTooLarge)
	}
}

// TestStalledBody is aborted, also with a valid token: JSON, an upload, and a body that is not read.
func TestStalledBody(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	r.api.SetBodyGrace(50 * time.Millisecond)
	closes(t, r.raw("POST", "/echo", "1000", `{"text":`, bearer), http.StatusUnprocessableEntity)
	closes(t, r.raw("PUT", "/upload", "900", "zip", bearer, "Content-Type: application/zip"), http.StatusRequestTimeout)
	closes(t, r.raw("DELETE", "/fail/invalid", "900", "{", bearer), http.StatusUnprocessableEntity)
}

// TestStalledUpload gets an error, whatever form it has.
func TestStalledUpload(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	s.api.SetBodyGrace(50 * time.Millisecond)
	table := s.raw("POST", "/pronunciations/import", "900", "word,respelling\n", bearer, "Content-Type: text/csv")
	cutOff(t, table)
	body, header := form(t, "file", "a.txt", "Hello.")
	for _, sent := range []int{10, len(body) / 2, len(body) - 5} { // in the boundary, in the file, in the end
		cutOff(t, s.raw("POST", "/text/extract", fmt.Sprint(len(body)), body[:sent], bearer, header))
	}
}

// cutOff checks the response to an incomplete upload.
func cutOff(t *testing.T, conn net.Conn) {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	answer, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusRequestTimeout, resp.StatusCode, "%s", answer)
	require.JSONEq(t, `{"detail":"The upload did not arrive completely.","code":"body_incomplete","remedy":"Send it again.","params":{}}`,
		string(answer))
}

// TestSlowBody: the limit follows what has come, and is no flat one.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	r.api.SetBodyGrace(500 * time.Millisecond)
	const pieces, piece = 20, 8 << 10
	body := `{"text":"a"}`
	conn := r.raw("POST", "/echo", fmt.Sprint(pieces*piece+len(body)), "", bearer, "Connection: close")
	for range pieces { // 80 kB a second, and four times the grace in all
		time.Sleep(100 * time.Millisecond)
		_, err := io.WriteString(conn, strings.Repeat(" ", piece))
		require.NoError(t, err)
	}
	_, err := io.WriteString(conn, body)
	require.NoError(t, err)
	closes(t, conn, http.StatusOK)
}

// TestHeadOfEventStream: the head of an answer has no body, and no end to wait for.
func TestHeadOfEventStream(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, r.srv.URL+"/events", http.NoBody)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := r.client.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	// The server ends the request itself: it takes the next one on this connection, or has closed it.
	closes(t, r.raw("HEAD", "/events", "0", "", bearer, "Connection: close"), http.StatusOK)
}
