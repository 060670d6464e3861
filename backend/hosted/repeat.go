package hosted

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

const (
	keepsAge  = time.Hour       // how old the knowledge may be whether a service keeps idempotency keys
	askAgain  = 5 * time.Minute // until a service is asked again that did not say it
	keepsTime = 5 * time.Second // that a call waits to learn it
)

// keeps remembers whether a service keeps the answers of calls with their idempotency keys.
type keeps struct {
	mu    sync.Mutex
	base  string // the service
	known bool
	until time.Time
}

// keepsKeys reports whether the configured service says that it keeps the answers of calls with their keys. One that cannot be
// asked, or has no such word, counts as one that does not: it would charge a repeat.
func (s *Service) keepsKeys(ctx context.Context) bool {
	k := &s.keeps
	k.mu.Lock()
	defer k.mu.Unlock()
	base := s.o.Credentials.config.BaseURL()
	if left := k.until.Sub(s.o.Now()); k.base == base && left > 0 && left <= keepsAge {
		return k.known
	}
	limited, cancel := context.WithTimeout(ctx, keepsTime)
	defer cancel()
	kept, err := s.o.Client.KeepsKeys(limited)
	var failed *client.Error
	switch {
	case err == nil, errors.As(err, &failed) && failed.Status == http.StatusNotFound:
		k.base, k.known, k.until = base, kept, s.o.Now().Add(keepsAge)
	case ctx.Err() == nil: // each part of a text would wait for it anew
		k.base, k.known, k.until = base, false, s.o.Now().Add(askAgain)
	}
	return kept && err == nil
}

// canRepeat reports whether a call whose answer was lost can be sent again without being charged again: its service keeps its key,
// not longer than the audio, for the account that it was sent with.
func (s *Service) canRepeat(row backend.HostedPart) bool {
	if row.State != backend.HostedLost || row.Key == "" || row.Request == "" || s.isOld(row) {
		return false
	}
	return s.isOfAccount(row)
}

// isOfAccount reports whether the credentials are those of the account that a call was begun for.
func (s *Service) isOfAccount(row backend.HostedPart) bool {
	account, err := s.o.Credentials.account()
	return err == nil && account == row.Account
}

// isOld reports whether the service may have deleted the answer of a call. One of the future counts as old: a clock was wrong.
func (s *Service) isOld(row backend.HostedPart) bool {
	return s.o.Now().Sub(row.CreatedAt).Abs() >= linkLife
}

// repeatable reports whether the answer of a part's last call was lost and can be asked for again.
func (t *speechTask) repeatable(p *part) bool { return p.row != nil && t.s.canRepeat(*p.row) }

// repeat sends the last call of a part again, by its key, for its lost answer. A call that the service does not know is then made and paid
// as it would have been. Errors: hosted_answer_lost while there is no answer, hosted_link_expired, those of a refused call.
func (t *speechTask) repeat(ctx context.Context, p *part) error {
	release, err := t.s.slot(ctx, t.wait)
	if err != nil {
		return backend.AsError(err)
	}
	defer release()
	p.key, p.request = p.row.Key, p.row.Request
	p.row.State = backend.HostedSent
	if err := t.record(ctx, p); err != nil {
		return err
	}
	result, err := t.send(ctx, p, true)
	var failed *client.Error
	switch {
	case err == nil:
		p.row.Credits = p.row.Quoted
		t.s.Outdate() // the balance in the answer is that of the first time
		return t.keepAnswer(ctx, p, result)
	case errors.As(err, &failed):
		return t.fail(ctx, p, err, holding{}) // what was charged was seen when its answer was lost first
	default: // it was not sent again
		p.row.State = backend.HostedLost
		return errors.Join(backend.AsError(err), t.record(ctx, p))
	}
}
