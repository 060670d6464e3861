package s3

import (
	"context"
	"net"
	"time"
)

// PartSize is how many bytes of a file are in memory.
const PartSize = partSize

// SetTimes makes a store wait for d at most.
func (s *Store) SetTimes(d time.Duration) { s.times = times{request: d, stall: d, probe: d} }

// ForgetReady lets the next Ready ask the store, as some seconds later.
func (s *Store) ForgetReady() { s.ready.until = time.Time{} }

// SetPage makes a store list n objects at once.
func (s *Store) SetPage(n int) { s.page = n }

// SetDial replaces what opens connections.
func (s *Store) SetDial(dial func(ctx context.Context, network, addr string) (net.Conn, error)) {
	s.transport.DialContext = dial
}
