package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// handlerClient returns a client of a handler in this process.
func handlerClient(t *testing.T, h http.HandlerFunc) *http.Client {
	t.Helper()
	transport := &memoryTransport{handler: h}
	t.Cleanup(transport.wait)
	return &http.Client{Transport: transport}
}

func post(ctx context.Context, c *http.Client, body string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, memoryURL+"/path?q=1", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	return c.Do(req)
}

func TestMemoryTransport(t *testing.T) {
	c := handlerClient(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Host != "127.0.0.1:1" || r.RequestURI != "/path?q=1" {
			w.WriteHeader(http.StatusTeapot)
		}
		w.Header().Set("X-Test", "yes")
		w.WriteHeader(http.StatusNotFound)
		w.Header().Set("X-Late", "no")
		_, _ = w.Write(body)
	})
	resp, err := post(t.Context(), c, "sent")
	require.NoError(t, err)
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "sent", string(raw))
	require.Equal(t, http.StatusNotFound, resp.StatusCode)
	require.Equal(t, "404 Not Found", resp.Status)
	require.Equal(t, "yes", resp.Header.Get("X-Test"))
	require.Empty(t, resp.Header.Get("X-Late"), "headers end with the status")
}

// TestMemoryTransportStreams reads each part of a body before the next one is written.
func TestMemoryTransportStreams(t *testing.T) {
	read := make(chan struct{})
	c := handlerClient(t, func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		<-read
		_, _ = io.WriteString(w, "one")
		<-read
		_, _ = io.WriteString(w, "two")
	})
	resp, err := post(t.Context(), c, "")
	require.NoError(t, err)
	part := make([]byte, 3)
	for _, want := range []string{"one", "two"} {
		read <- struct{}{}
		_, err = io.ReadFull(resp.Body, part)
		require.NoError(t, err)
		require.Equal(t, want, string(part))
	}
	_, err = resp.Body.Read(part)
	require.ErrorIs(t, err, io.EOF)
	require.NoError(t, resp.Body.Close())
}

// TestMemoryTransportClosedBody ends a handler whose reader has closed the body.
func TestMemoryTransportClosedBody(t *testing.T) {
	ended := make(chan error, 1)
	c := handlerClient(t, func(w http.ResponseWriter, _ *http.Request) {
		var err error
		for err == nil {
			_, err = io.WriteString(w, "more")
		}
		ended <- err
	})
	resp, err := post(t.Context(), c, "")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.ErrorIs(t, <-ended, io.ErrClosedPipe)
}

func TestMemoryTransportCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := handlerClient(t, func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	resp, err := post(ctx, c, "")
	require.NoError(t, err)
	cancel()
	_, err = io.ReadAll(resp.Body)
	require.True(t, err == nil || errors.Is(err, context.Canceled), "%v", err)
	require.NoError(t, resp.Body.Close())
}

// TestMemoryTransportAbort returns an error for an aborted response, before and after its header.
func TestMemoryTransportAbort(t *testing.T) {
	for _, started := range []bool{false, true} {
		c := handlerClient(t, func(w http.ResponseWriter, _ *http.Request) {
			if started {
				_, _ = io.WriteString(w, "one")
			}
			panic(http.ErrAbortHandler)
		})
		resp, err := post(t.Context(), c, "")
		require.NoError(t, err)
		_, err = io.ReadAll(resp.Body)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.NoError(t, resp.Body.Close())
	}
}
