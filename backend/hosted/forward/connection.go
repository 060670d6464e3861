package forward

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/textproto"
	"strings"
	"sync"
)

// recorder is a connection that keeps what arrives on it until the head of the answer is complete. The HTTP client drops the
// header Connection of an answer that has "close" in it, and with it the names of the other headers that end with the connection.
type recorder struct {
	net.Conn
	mu   sync.Mutex
	read bytes.Buffer
	done bool
}

// recording returns dial with connections that are recorders.
func recording(dial func(ctx context.Context, network, addr string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &recorder{Conn: conn}, nil
	}
}

// Read reads from the connection.
func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.Conn.Read(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.done {
		r.read.Write(p[:n])
	}
	return n, err
}

// connection returns the values of the header Connection of the answer, whose head has arrived, and stops recording.
func (r *recorder) connection() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = true
	head := textproto.NewReader(bufio.NewReader(&r.read))
	for {
		line, err := head.ReadLine()
		if err != nil {
			return nil
		}
		header, err := head.ReadMIMEHeader()
		_, status, _ := strings.Cut(line, " ")
		if err != nil || !strings.HasPrefix(status, "1") { // else it was informational
			r.read = bytes.Buffer{}
			return header["Connection"]
		}
	}
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
		named, known = x.recorded.connection(), true
	}
	clean(res.Header, named, known)
	return res, nil
}
