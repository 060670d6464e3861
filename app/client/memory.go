package client

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// memoryAddr is the address of a handler that listens nowhere.
var memoryAddr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}

const memoryURL = "http://127.0.0.1:1"

// memoryTransport passes requests to a handler in this process, so that commands use the API without a socket.
type memoryTransport struct {
	handler http.Handler
	serving sync.WaitGroup
}

// RoundTrip returns once the handler has sent its header; the body follows as it is written.
func (t *memoryTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	body, w := io.Pipe()
	response := &memoryWriter{header: http.Header{}, body: w, ready: make(chan struct{})}
	inner := r.Clone(r.Context())
	inner.Host, inner.RequestURI, inner.RemoteAddr = r.URL.Host, r.URL.RequestURI(), memoryAddr.String()
	if inner.Body == nil {
		inner.Body = http.NoBody
	}
	t.serving.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				if err, ok := p.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
					panic(p)
				}
				response.WriteHeader(http.StatusOK)
				_ = w.CloseWithError(io.ErrUnexpectedEOF) // never fails
				return
			}
			response.WriteHeader(http.StatusOK)
			_ = w.Close() // never fails
		}()
		defer func() { _ = inner.Body.Close() }() // as a RoundTripper must; the handler has read what it needs
		t.handler.ServeHTTP(response, inner)
	})
	<-response.ready
	return &http.Response{
		Status: strconv.Itoa(response.status) + " " + http.StatusText(response.status), StatusCode: response.status, Proto: "HTTP/1.1",
		ProtoMajor: 1, ProtoMinor: 1,
		Header: response.sent, Body: body, ContentLength: -1, Request: r,
	}, nil
}

// wait returns when no handler is running.
func (t *memoryTransport) wait() { t.serving.Wait() }

// memoryWriter is the server's side of a response.
type memoryWriter struct {
	header http.Header
	sent   http.Header
	body   *io.PipeWriter
	ready  chan struct{}
	once   sync.Once
	status int
}

func (w *memoryWriter) Header() http.Header { return w.header }

func (w *memoryWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.ready)
	})
}

func (w *memoryWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// Flush sends the header; the body is not buffered.
func (w *memoryWriter) Flush() { w.WriteHeader(http.StatusOK) }

// SetWriteDeadline does nothing: the reader is in the same process.
func (w *memoryWriter) SetWriteDeadline(time.Time) error { return nil }

// MemoryAddress returns the address that a handler in this process listens on, to show to the API. Nothing listens there.
func MemoryAddress() net.Addr { return memoryAddr }
