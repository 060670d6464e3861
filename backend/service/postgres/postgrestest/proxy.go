//go:build postgres

package postgrestest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Point is where a Proxy cuts a connection.
type Point int

// The points. From AfterCommit on the server has committed.
const (
	Nowhere      Point = iota
	AtStatement        // before the next statement reaches the server
	BeforeCommit       // before COMMIT reaches the server
	AfterCommit        // before the answer to COMMIT comes back
	InAnswer           // while the answer to COMMIT comes back
	Silent             // not at all: COMMIT reaches the server, and no answer comes back
)

// Proxy is between a program and a cluster, and cuts connections.
type Proxy struct {
	listener net.Listener
	target   string
	running  sync.WaitGroup

	mu    sync.Mutex
	point Point
	count int // connections that were cut
	open  map[net.Conn]bool
	away  bool // nobody is let through
}

// Proxy starts a proxy, which ends with the test. It reads connections without TLS only.
func (c *Cluster) Proxy(t testing.TB) *Proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &Proxy{listener: listener, target: c.Address(), open: map[net.Conn]bool{}}
	p.running.Go(p.accept)
	t.Cleanup(func() {
		_ = listener.Close() // accept says so
		p.Away(true)
		p.running.Wait()
	})
	return p
}

// URL returns the address of a database through the proxy.
func (p *Proxy) URL(database string) string {
	return fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable", Superuser, p.listener.Addr(), database)
}

// Cut cuts the next connection that comes to a point.
func (p *Proxy) Cut(point Point) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.point = point
}

// Cuts returns how many connections were cut.
func (p *Proxy) Cuts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count
}

// Away ends all connections and refuses new ones, until it is called with false.
func (p *Proxy) Away(away bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.away = away
	for conn := range p.open {
		_ = conn.Close() // its copy ends with an error
	}
}

// take reports whether to cut at a point, where it was asked for one of these; it happens once.
func (p *Proxy) take(points ...Point) Point {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, point := range points {
		if p.point == point {
			p.point = Nowhere
			p.count++
			return point
		}
	}
	return Nowhere
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.running.Go(func() { p.serve(client) })
	}
}

// register keeps a connection for Away, and reports whether it may go on.
func (p *Proxy) register(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[conn] = true
	return !p.away
}

func (p *Proxy) end(conn net.Conn) {
	p.mu.Lock()
	delete(p.open, conn)
	p.mu.Unlock()
	_ = conn.Close() // the other side may have closed it
}

func (p *Proxy) serve(client net.Conn) {
	defer p.end(client)
	if !p.register(client) {
		return
	}
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer p.end(server)
	if !p.register(server) {
		return
	}
	l := &link{p: p, client: client, server: server}
	p.running.Go(func() {
		l.answers()
		_ = client.Close() // ends the loop below
	})
	_ = l.requests() // it ends with an error, in the end
}

// link is a connection through the proxy.
type link struct {
	p              *Proxy
	client, server net.Conn

	mu   sync.Mutex
	swap Point // what to do with the answer
}

var errCut = errors.New("cut")

// requests passes on what the client sends.
func (l *link) requests() error {
	if err := l.startup(); err != nil {
		return err
	}
	for {
		kind, message, err := read(l.client, 1)
		if err != nil {
			return err
		}
		if strings.IndexByte("QPB", kind) >= 0 && l.p.take(AtStatement) != Nowhere {
			return errCut
		}
		if kind == 'Q' && strings.EqualFold(strings.TrimRight(string(message[5:]), "\x00; "), "commit") {
			switch point := l.p.take(BeforeCommit, AfterCommit, InAnswer, Silent); point {
			case BeforeCommit:
				return errCut
			default:
				l.mu.Lock()
				l.swap = point
				l.mu.Unlock()
			}
		}
		if _, err := l.server.Write(message); err != nil {
			return err
		}
	}
}

// startup passes on the first message, which has no kind.
func (l *link) startup() error {
	_, message, err := read(l.client, 0)
	if err == nil {
		_, err = l.server.Write(message)
	}
	return err
}

// read reads a message: its kind, if it has one, its length, and the rest.
func read(r io.Reader, kinds int) (kind byte, message []byte, err error) {
	header := make([]byte, kinds+4)
	if _, err := io.ReadFull(r, header); err != nil {
		return 0, nil, err
	}
	length := binary.BigEndian.Uint32(header[kinds:])
	if length < 4 || length > 1<<26 {
		return 0, nil, fmt.Errorf("a message of %d bytes", length)
	}
	message = append(header, make([]byte, length-4)...)
	_, err = io.ReadFull(r, message[kinds+4:])
	return header[0], message, err
}

// answers passes on what the server sends.
func (l *link) answers() {
	buffer := make([]byte, 1<<16)
	for {
		n, err := l.server.Read(buffer)
		if err != nil {
			return
		}
		l.mu.Lock()
		swap := l.swap
		l.mu.Unlock()
		switch swap {
		case AfterCommit:
			return
		case Silent:
			continue
		case InAnswer:
			_, _ = l.client.Write(buffer[:min(n, 9)]) // it is cut in any case
			return
		}
		if _, err := l.client.Write(buffer[:n]); err != nil {
			return
		}
	}
}
