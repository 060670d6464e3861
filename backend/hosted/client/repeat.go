package client

import (
	"net/http"

	"github.com/voicewright/voicewright/backend"
)

// repeats reports whether an answer of the call was lost and the service keeps it.
func (s *sending) repeats() bool { return s.lost && s.sending.Kept }

// weigh corrects what is known about the call after an attempt: once an answer was lost, only an answer about the request itself
// says that nothing was charged, as the service looks for the key of a call before it checks anything else.
func (s *sending) weigh(failed *Error) {
	if s.repeats() && !failed.settles() {
		failed.Outcome = Lost
	}
}

// errUnanswered returns the error of a call that cannot be sent again because of err.
func (s *sending) errUnanswered(err error) error {
	if !s.repeats() {
		return err
	}
	return &Error{Outcome: Lost, Err: err, call: s.call, host: s.base.Host, key: s.used.Key != "", reason: unreachable}
}

// settles reports whether an answer says what became of a call whose earlier answer was lost: its audio is gone, or the service
// does not know it and refuses it. The page of a gateway says neither.
func (e *Error) settles() bool {
	switch e.Status {
	case http.StatusBadRequest, http.StatusPaymentRequired, http.StatusGone:
		return e.proper
	default:
		return false
	}
}

// AudioGone reports whether the service said that the audio of the call with this key was made and deleted.
func (e *Error) AudioGone() bool { return e.Status == http.StatusGone && e.proper }

// sameAccount reports whether the credential that was read last is of the account that the call was begun for.
func (s *sending) sameAccount() bool { return s.sending.SameAccount == nil || s.sending.SameAccount() }

// errOtherAccount is the error of a call that is not sent, as the service would charge another account and not know its key.
func errOtherAccount() error {
	return backend.E(backend.CodeHostedNotSignedIn, "The account was changed while this call waited, so it was not sent.",
		"Sign in with the account that began it, or generate again with this one.")
}

// again reports whether the call is sent again after this many retries.
func (s *sending) again(failed *Error, retries int) bool {
	switch {
	case !s.repeats():
		return retries < failed.retries(s.call)
	case failed.settles() || failed.hopeless(), failed.Status == http.StatusUnauthorized, failed.Status == http.StatusForbidden:
		return false
	case failed.Status == http.StatusConflict: // the attempt whose answer was lost still runs
		return s.o.Now().Before(s.end)
	default:
		return retries < maxRetries
	}
}
