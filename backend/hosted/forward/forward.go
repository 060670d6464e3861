// Package forward sends requests of /api/v1/ on to the hosted service with the user's credential, and its answers back as they
// arrive (decisions.md section 4). It repeats, queues and follows nothing: that is the work of the caller, or of package client.
package forward

import (
	"cmp"
	"errors"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

const (
	bufferSize = 64 << 10
	maxBody    = 16 << 20
)

// Options are the dependencies of a Forwarder. BaseURL and Credentials are required; they are those of client.Options.
type Options struct {
	BaseURL     func() string
	Credentials client.Credentials
	Enabled     func() bool
	Offline     func() bool
	Connect     time.Duration                    // limit of TCP and TLS each; 0: client.ConnectTimeout
	Proxy       func(*url.URL) (*url.URL, error) // nil: that of the environment
	Transport   func(*http.Transport)            // adapts the transport in tests; may be nil
	Paid        func()                           // called after each request that may have been charged; may be nil
	Log         *slog.Logger
}

// Forwarder forwards requests. It is safe for concurrent use.
type Forwarder struct {
	o         Options
	transport *http.Transport // a new connection for each request: on a stale one it would be uncertain, or sent again
	log       *log.Logger
}

// New returns a forwarder; nothing is contacted.
func New(o Options) *Forwarder {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Forwarder{o: o, transport: newTransport(o), log: slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug)}
}

func newTransport(o Options) *http.Transport {
	t := client.NewTransport(o.Proxy, cmp.Or(o.Connect, client.ConnectTimeout))
	t.DisableCompression = true // bodies stay as they are
	t.DisableKeepAlives = true
	t.ReadBufferSize, t.WriteBufferSize = bufferSize, bufferSize
	t.MaxResponseHeaderBytes = maxHead
	t.DialContext, t.DialTLSContext = recording(t.DialContext), recordingTLS(t, t.DialContext)
	if o.Transport != nil {
		o.Transport(t)
	}
	return t
}

// Close closes idle connections.
func (f *Forwarder) Close() { f.transport.CloseIdleConnections() }

// exchange is one request and what became of it.
type exchange struct {
	*Forwarder
	route     route
	base      *url.URL
	used      client.Credential
	body      *limitedBody
	connected bool
	recorded  *recorder // the connection; nil with HTTP/2, and with TLS through a proxy
	err       error
}

// Forward sends r to the service and its answer to w. When it returns an error, nothing was written. Errors: not_found,
// method_not_allowed, body_too_large, offline, hosted_not_configured, hosted_not_signed_in, hosted_unreachable,
// hosted_answer_lost, and a validation error for a wrong X-Voicewright-Auth. An answer that breaks off ends with a panic of
// http.ErrAbortHandler, so that w breaks off too.
func (f *Forwarder) Forward(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Security-Policy", policy)
	to, err := find(w, r)
	if err != nil {
		return err
	}
	auth, err := wanted(r, to)
	if err != nil {
		return err
	}
	if r.ContentLength > maxBody {
		return errTooLarge
	}
	x := &exchange{Forwarder: f, route: to}
	if x.base, err = client.Ready(f.o.Enabled, f.o.Offline, f.o.BaseURL); err != nil {
		return err
	}
	if x.used, err = f.o.Credentials.Credential(r.Context(), client.Origin(x.base), auth, client.Credential{}); err != nil {
		return err
	}
	if to.speech && f.o.Paid != nil {
		defer f.o.Paid()
	}
	x.send(w, r)
	return x.err
}

// send forwards the request and its answer.
func (x *exchange) send(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).EnableFullDuplex() // the answer may begin before the body has ended
	r = r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) {
			x.connected = true
			x.recorded, _ = got.Conn.(*recorder)
		},
	}))
	if r.Body != nil && r.Body != http.NoBody {
		x.body = &limitedBody{ReadCloser: r.Body, left: maxBody}
		r.Body = x.body
	}
	proxy := httputil.ReverseProxy{
		Rewrite: x.rewrite, Transport: x, FlushInterval: -1, BufferPool: buffers{}, ErrorLog: x.log,
		ModifyResponse: func(res *http.Response) error {
			res.Trailer = nil // trailers could be headers that are not for the caller
			res.Body = &withoutTrailer{res.Body, res}
			return nil
		},
		ErrorHandler: func(_ http.ResponseWriter, out *http.Request, err error) { x.err = x.failed(out, err) },
	}
	proxy.ServeHTTP(&answer{ResponseWriter: w, header: http.Header{}}, r)
}

// failed words a request that got no answer.
func (x *exchange) failed(out *http.Request, err error) error {
	switch {
	case x.body != nil && x.body.exceeded.Load():
		return errTooLarge
	case out.Context().Err() != nil:
		return backend.ErrCancelled.WithCause(err)
	default:
		return client.AsError(client.Broken(out.Context(), out, x.route.speech, x.connected, err))
	}
}

var errTooLarge = backend.E(backend.CodeBodyTooLarge, "The request body is too large.", "Split it into smaller parts.").
	With("limit_bytes", maxBody)

// limitedBody is a body that fails when it is over the limit.
type limitedBody struct {
	io.ReadCloser
	left     int64
	exceeded atomic.Bool
}

// Read reads the next bytes, at most one more than the limit allows.
func (b *limitedBody) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if int64(n) > b.left {
		b.exceeded.Store(true)
		return 0, errors.New("the body is over the limit")
	}
	b.left -= int64(n)
	return n, err
}

// buffers are shared by all exchanges.
type buffers struct{}

var pool = sync.Pool{New: func() any { return new([bufferSize]byte) }}

// Get returns a buffer of 64 kB.
func (buffers) Get() []byte { return pool.Get().(*[bufferSize]byte)[:] }

// Put takes it back.
func (buffers) Put(b []byte) { pool.Put((*[bufferSize]byte)(b)) }
