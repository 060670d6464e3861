package app

import (
	"net"
	"net/http"
	"slices"
	"sync"
)

// maxIdle is how many connections may wait for a request, far more than a page or a program opens.
const maxIdle = 64

// idleConns closes the connections that have been idle for longest when there are more than maxIdle, so that clients without
// a token cannot use up the file descriptors.
type idleConns struct {
	mu    sync.Mutex
	conns []net.Conn // oldest first
}

// changed is the ConnState of a server.
func (c *idleConns) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conns = slices.DeleteFunc(c.conns, func(other net.Conn) bool { return other == conn })
	if state != http.StateNew && state != http.StateIdle {
		return
	}
	c.conns = append(c.conns, conn)
	if len(c.conns) > maxIdle {
		_ = c.conns[0].Close() // which ends its goroutine in the server
		c.conns = c.conns[1:]
	}
}
