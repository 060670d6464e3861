package forward

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/textproto"
	"sync"
)

// maxHead is the size of the largest head of an answer, in bytes.
const maxHead = 1 << 20

// recorder is a connection that keeps what arrives on it until the head of the answer is complete. The HTTP client drops the
// header Connection of an answer that has "close" in it, and with it the names of the other headers that end with the connection.
type recorder struct {
	net.Conn
	mu     sync.Mutex
	read   []byte
	inLine bool // what was read does not end with a line break
	done   bool // the head is complete, or too large
}

// dialFunc makes a connection.
type dialFunc = func(ctx context.Context, network, addr string) (net.Conn, error)

// recording returns dial with connections that are recorders.
func recording(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &recorder{Conn: conn}, nil
	}
}

// recordingTLS returns dial with TLS as t has it. The recorders are above it, as what is below says nothing; connections of HTTP/2
// have none, which has no header Connection.
func recordingTLS(t *http.Transport, dial dialFunc) dialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		plain, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		config := &tls.Config{} //nolint:gosec // the lowest version is that of the standard library
		if t.TLSClientConfig != nil {
			config = t.TLSClientConfig.Clone()
		}
		config.ServerName = cmp.Or(config.ServerName, host)
		conn := tls.Client(plain, config)
		limited, cancel := context.WithTimeout(ctx, t.TLSHandshakeTimeout)
		defer cancel()
		if err := conn.HandshakeContext(limited); err != nil {
			_ = plain.Close()
			return nil, err
		}
		if conn.ConnectionState().NegotiatedProtocol == "h2" {
			return conn, nil
		}
		return &recorder{Conn: conn}, nil
	}
}

// Read reads from the connection.
func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.Conn.Read(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.record(p[:n])
	return n, err
}

// record keeps what belongs to heads, up to that of the answer: informational ones may come before it.
func (r *recorder) record(p []byte) {
	for len(p) > 0 && !r.done {
		line, next, ended := bytes.Cut(p, []byte("\n"))
		size := len(p) - len(next)
		if len(r.read)+size > maxHead {
			r.read, r.done = nil, true
			return
		}
		r.read, p = append(r.read, p[:size]...), next
		empty := !r.inLine && len(bytes.TrimSuffix(line, []byte("\r"))) == 0
		if r.inLine = !ended && !empty; !ended || !empty {
			continue
		}
		if _, status, _ := bytes.Cut(r.read, []byte(" ")); bytes.HasPrefix(status, []byte("1")) {
			r.read = nil
			continue
		}
		r.done = true
	}
}

// connection returns the values of the header Connection of the answer, whose head has arrived; known is false where the head was
// too large to be kept.
func (r *recorder) connection() (values []string, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	head := textproto.NewReader(bufio.NewReader(bytes.NewReader(r.read)))
	_, err := head.ReadLine()
	r.read, r.done = nil, true
	if err != nil {
		return nil, false
	}
	header, err := head.ReadMIMEHeader()
	return header["Connection"], err == nil
}

// errSwitched is an answer that would make the connection one of another protocol, which nobody asks for.
var errSwitched = errors.New("the service switched to another protocol")

// RoundTrip sends a request to the service. The answer has only the headers that are for the caller.
func (x *exchange) RoundTrip(out *http.Request) (*http.Response, error) {
	res, err := x.transport.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	if res.StatusCode == http.StatusSwitchingProtocols {
		_ = res.Body.Close()
		return nil, errSwitched
	}
	named, known := res.Header["Connection"], !res.Close || res.ProtoMajor != 1
	if x.recorded != nil {
		named, known = x.recorded.connection()
	}
	clean(res.Header, named, known)
	return res, nil
}
