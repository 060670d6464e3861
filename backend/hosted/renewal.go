package hosted

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend/hosted/client"
)

// How often the plan is checked, and how long before its end the user is told.
const (
	renewalInterval = 24 * time.Hour
	expiresSoon     = 3 * 24 * time.Hour
)

// renewDaily checks the plan now and once a day while the user is signed in. It does nothing offline, nor with an API key alone:
// with a key, nobody is contacted before the user asks for something.
func (s *account) renewDaily(ctx context.Context) {
	for {
		if at, err := s.o.Credentials.service(); err == nil && s.o.Credentials.signedIn(at) {
			if err := s.renew(ctx); err != nil && ctx.Err() == nil {
				s.o.Log.Info("the plan of the hosted service was not checked", "error", client.AsError(err))
			}
		}
		if err := s.o.Sleep(ctx, renewalInterval); err != nil {
			return
		}
	}
}

// ended reports whether a plan has ended by this machine's clock, while the service still shows it.
func (s *account) ended(b Balance) bool { return b.ExpiresAt != nil && !b.ExpiresAt.After(s.o.Now()) }

// renew makes the service end a plan that has expired, and reads the balance.
func (s *account) renew(ctx context.Context) error {
	before, err := s.readBalance(ctx, balanceAge)
	if err != nil {
		return err
	}
	renewal, err := s.o.Client.CheckRenewal(ctx)
	if err != nil {
		return err
	}
	if renewal.Action != client.ActionReset {
		return nil
	}
	_, err = s.readBalance(ctx, 0)
	s.mu.Lock()
	s.balance.expired = before.ExpiresAt
	if s.balance.expired == nil {
		now := s.now()
		s.balance.expired = &now
	}
	s.mu.Unlock()
	s.o.Changed()
	return err
}

// The kinds of a notice.
const (
	planExpired = "plan_expired"
	planExpires = "plan_expires"
)

// Notice is what the user should know about the plan.
type Notice struct {
	Kind      string    `json:"kind" enum:"plan_expired,plan_expires"`
	ExpiresAt time.Time `json:"expires_at" doc:"when the plan ended, or will end"`
}

// notice returns what the user should know about the plan; mu is held.
func (s *account) notice() *Notice {
	st := s.balance
	switch {
	case st.expired != nil:
		return &Notice{planExpired, *st.expired}
	case st.balance == nil || st.balance.ExpiresAt == nil:
		return nil
	}
	if at := *st.balance.ExpiresAt; at.Sub(s.o.Now()) <= expiresSoon { // not yet, as far as the service knows
		return &Notice{planExpires, at}
	}
	return nil
}
