package client

import "net/http"

// repeats reports whether an answer of the call was lost and the service keeps it.
func (s *sending) repeats() bool { return s.lost && s.sending.Kept }

// weigh corrects what is known about the call after an attempt: once an answer was lost, only an answer about the request itself
// says that nothing was charged, as the service looks for the key of a call before it checks anything else.
func (s *sending) weigh(failed *Error) {
	if s.repeats() && !failed.settles() {
		failed.Outcome = Lost
	}
}

// unanswered returns the error of a call that cannot be sent again because of err.
func (s *sending) unanswered(err error) error {
	if !s.repeats() {
		return err
	}
	return &Error{Outcome: Lost, Err: err, call: s.call, host: s.base.Host, key: s.used.Key != "", reason: unreachable}
}

// settles reports whether an answer says what became of a call whose earlier answer was lost: its audio is gone, or the service
// does not know it and refuses it.
func (e *Error) settles() bool {
	switch e.Status {
	case http.StatusBadRequest, http.StatusPaymentRequired, http.StatusGone:
		return true
	default:
		return false
	}
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
