package hub

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/voicewright/voicewright/backend"
)

const (
	longestOutage = time.Hour       // how long a download waits for the network
	longestPause  = time.Minute     // between two attempts
	probeEvery    = 2 * time.Second // how often a connection is tried during a pause
	dialTimeout   = 20 * time.Second
)

// IsNetworkLost reports whether a download failed because no connection was possible: the host was not found or not reachable.
// An error response of a hub is no such error.
func IsNetworkLost(err error) bool {
	var name *net.DNSError
	var op *net.OpError
	return errors.As(err, &name) || errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect")
}

// Outage is one loss of the network.
type Outage struct {
	delays  *backoff.ExponentialBackOff
	waited  time.Duration
	attempt int
}

// NewOutage returns an outage that begins now.
func NewOutage() *Outage {
	o := &Outage{delays: newBackoff()}
	o.delays.MaxInterval = longestPause
	return o
}

// WaitForNetwork waits, with growing pauses, until a connection to the hub is possible, which it also tries during the pauses.
// waits is called with each pause, whose Of is 0, and with nil at the end. After an hour, over all calls for one outage, it
// returns cause. Other errors: cancelled.
func (c *Client) WaitForNetwork(ctx context.Context, o *Outage, cause error, waits func(*Retry)) error {
	for o.waited < longestOutage {
		pause := o.delays.NextBackOff()
		o.attempt++
		waits(&Retry{Attempt: o.attempt, Wait: pause, Err: cause})
		for end := o.waited + pause; o.waited < end; {
			back, err := c.probe(ctx, o, min(probeEvery, end-o.waited))
			if err != nil {
				return err
			}
			if back {
				waits(nil)
				return nil
			}
		}
	}
	return cause
}

// probe waits and reports whether a connection is possible then.
func (c *Client) probe(ctx context.Context, o *Outage, moment time.Duration) (bool, error) {
	began := c.o.Now()
	if err := c.o.Wait(ctx, moment); err != nil {
		return false, backend.ErrCancelled.WithCause(err)
	}
	back := c.connects(ctx)
	o.waited += max(moment, c.o.Now().Sub(began))
	return back, nil
}

// connects reports whether the hub can be reached. When that is unknown, it reports true and the download finds out.
func (c *Client) connects(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, c.o.Stall)
	defer cancel()
	_, err := c.Reach(ctx)
	return !IsNetworkLost(err)
}
