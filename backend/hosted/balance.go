package hosted

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

// balanceAge is how old a balance may be for the rules before a call.
const balanceAge = time.Minute

// The plans that include the voices of every provider.
const (
	planPro = "pro"
	planMax = "max"
)

// Balance is what an account has.
type Balance struct {
	Credits   int64
	Payg      int64 // of Credits: bought as packs
	Plan      string
	ExpiresAt *time.Time // of the plan; nil on the free one
	ReadAt    time.Time
}

// paid reports whether the account may use the voices of every provider.
func (b Balance) paid() bool { return b.Plan == planPro || b.Plan == planMax || b.Payg > 0 }

func (b Balance) equal(other Balance) bool {
	a, o := b.ExpiresAt, other.ExpiresAt
	sameEnd := a == o || a != nil && o != nil && a.Equal(*o)
	return b.Credits == other.Credits && b.Payg == other.Payg && b.Plan == other.Plan && sameEnd
}

// balanceState is what is known of the balance of one account.
type balanceState struct {
	account  string // whose it is
	balance  *Balance
	outdated bool       // it is read again whatever its age
	err      error      // why it could not be read last; balance is then the one before
	expired  *time.Time // when the plan ended that check-renewal has ended

	request *balanceRequest // under way; nil = none
	number  int             // of the last request
}

// balanceRequest is a request of the balance, which all callers of the time share.
type balanceRequest struct {
	number  int
	account string
	done    chan struct{}
	balance Balance // after done
	err     error
}

// Balance returns the balance, read again where fresh is true or the last one is older than a minute.
func (s *account) Balance(ctx context.Context, fresh bool) (Balance, error) {
	if fresh {
		return s.readBalance(ctx, 0)
	}
	return s.readBalance(ctx, balanceAge)
}

// lastBalance returns the balance of the present account as it was read last.
func (s *account) lastBalance() (Balance, bool) {
	held := s.held()
	return held.Balance, held.known
}

// holding is what an account had before a call. The account may be another one after it.
type holding struct {
	Balance
	account string
	known   bool
}

// held returns what the present account had when that was read last.
func (s *account) held() holding {
	account, err := s.o.Credentials.account()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || s.balance.balance == nil || s.balance.account != account {
		return holding{account: account}
	}
	return holding{*s.balance.balance, account, true}
}

// readBalance returns a balance that was read less than age ago, else asks the service. A request goes on when its callers do
// not wait any more. Errors: hosted_not_configured, offline, hosted_not_signed_in, those of the service.
func (s *account) readBalance(ctx context.Context, age time.Duration) (Balance, error) {
	account, err := s.o.Credentials.ready()
	if err != nil {
		return Balance{}, err
	}
	s.mu.Lock()
	known := s.balance.number
	s.mu.Unlock()
	for {
		s.mu.Lock()
		if b := s.balance.balance; b != nil && !s.balance.outdated && s.balance.account == account && within(s.o.Now().Sub(b.ReadAt), age) {
			s.mu.Unlock()
			return *b, nil
		}
		r := s.startRequest(account)
		s.mu.Unlock()
		select {
		case <-r.done:
		case <-ctx.Done():
			return Balance{}, ctx.Err()
		}
		if r.account == account && (r.number > known || age > 0) {
			return r.balance, r.err
		}
	}
}

// within reports whether an age is below a limit; an age below 0 is that of a clock that was set back.
func within(age, limit time.Duration) bool { return age >= 0 && age < limit }

// startRequest returns the request of the balance that is under way, or starts one for the account; mu is held.
func (s *account) startRequest(account string) *balanceRequest {
	st := &s.balance
	if st.request != nil {
		return st.request
	}
	st.number++
	r := &balanceRequest{number: st.number, account: account, done: make(chan struct{}), err: backend.ErrCancelled}
	st.request = r
	run := func(ctx context.Context) {
		defer func() {
			s.mu.Lock()
			st.request = nil
			s.mu.Unlock()
			close(r.done)
		}()
		r.balance, r.err = s.requestBalance(ctx, account)
	}
	if !s.goRun("hosted balance", run) {
		st.request = nil
		close(r.done)
	}
	return r
}

// requestBalance reads the balance from the service and records the result.
func (s *account) requestBalance(ctx context.Context, account string) (Balance, error) {
	credits, err := s.o.Client.Credits(ctx)
	if err != nil {
		e := client.AsError(err)
		if e.Code != backend.CodeCancelled {
			s.storeBalanceError(account, e)
		}
		return Balance{}, e
	}
	if now, err := s.o.Credentials.account(); err != nil || now != account { // it may be that of the other one
		return Balance{}, backend.ErrCancelled.WithCause(err)
	}
	b := Balance{Credits: credits.Credits, Payg: credits.Payg, Plan: credits.Plan, ExpiresAt: credits.ExpiresAt, ReadAt: s.now()}
	s.storeBalance(account, b)
	return b, nil
}

// storeBalance records a balance, and announces one that differs.
func (s *account) storeBalance(account string, b Balance) {
	s.mu.Lock()
	st := &s.balance
	if st.account != account || b.Plan == planPro || b.Plan == planMax {
		st.expired = nil
	}
	changed := st.balance == nil || st.account != account || st.err != nil || !b.equal(*st.balance)
	st.account, st.balance, st.err, st.outdated = account, &b, nil, false
	s.mu.Unlock()
	if changed {
		s.o.Changed()
	}
}

// storeBalanceError records why the balance could not be read, and announces a new cause.
func (s *account) storeBalanceError(account string, err *backend.Error) {
	s.mu.Lock()
	st := &s.balance
	if st.account != account {
		st.balance, st.expired = nil, nil
	}
	changed := st.account != account || backend.CodeOf(st.err) != err.Code
	st.account, st.err = account, err
	s.mu.Unlock()
	if changed {
		s.o.Changed()
	}
}

// spent records the credits that a call has left the account that held these. Those of the plan are spent first, so the packs
// are what is left at most.
func (s *account) spent(before holding, left int64) {
	now := s.held()
	if !now.known || now.account != before.account {
		return
	}
	b := now.Balance
	b.Credits, b.Payg, b.ReadAt = left, min(b.Payg, left), s.now()
	s.storeBalance(now.account, b)
}

// Outdate has the balance read again before the next call, because another program has spent credits.
func (s *account) Outdate() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.balance.outdated = true
}
