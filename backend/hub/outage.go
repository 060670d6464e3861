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
	longestOutage = time.Hour       // so long a download waits for the network
	longestPause  = time.Minute     // between two attempts
	lookEvery     = 2 * time.Second // during a pause, whether a connection can be made
	dialTimeout   = 20 * time.Second
)

// LostNetwork reports whether an error of a download says that no connection could be made: the name of the host was not
// found, or nobody could be reached. An answer of a hub, whatever it says, is no such error.
func LostNetwork(err error) bool {
	var name *net.DNSError
	var op *net.OpError
	return errors.As(err, &name) || errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect")
}

// Outage is one loss of the network, until bytes come again.
type Outage struct {
	delays  *backoff.ExponentialBackOff
	waited  time.Duration
	attempt int
}

// NewOutage returns an outage that has just begun.
func NewOutage() *Outage {
	o := &Outage{delays: newBackoff()}
	o.delays.MaxInterval = longestPause
	return o
}

// Outlast waits, with growing pauses, until a connection to the hub can be made again. It looks during the pauses too, and
// returns at once when one can. waits is called with each pause, of which Of is 0, and with nil at the end. After an hour,
// over all calls for one outage, it returns cause. Other errors: cancelled.
func (c *Client) Outlast(ctx context.Context, o *Outage, cause error, waits func(*Retry)) error {
	for o.waited < longestOutage {
		pause := o.delays.NextBackOff()
		o.attempt++
		waits(&Retry{Attempt: o.attempt, Wait: pause, Err: cause})
		for end := o.waited + pause; o.waited < end; {
			back, err := c.look(ctx, o, min(lookEvery, end-o.waited))
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

// look waits a moment and reports whether a connection can be made then.
func (c *Client) look(ctx context.Context, o *Outage, moment time.Duration) (bool, error) {
	began := c.o.Now()
	if err := c.o.Wait(ctx, moment); err != nil {
		return false, backend.ErrCancelled.Because(err)
	}
	back := c.connects(ctx)
	o.waited += max(moment, c.o.Now().Sub(began))
	return back, nil
}

// connects reports whether the hub can be reached, or nobody knows: then the download itself finds out.
func (c *Client) connects(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, c.o.Stall)
	defer cancel()
	_, err := c.Reach(ctx)
	return !LostNetwork(err)
}
