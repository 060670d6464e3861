package providers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/voicewright/voicewright/backend/service"
)

// outcome returns the error of a call that ended with err. limited is ctx with the time limit.
func (l *Lane) outcome(ctx, limited context.Context, limit time.Duration, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("speak with %s: %w", l.options.Provider, ctx.Err())
	case limited.Err() != nil:
		return fmt.Errorf("speak with %s: no audio within %s: %w", l.options.Provider, limit, limited.Err())
	}
	return err
}

// record counts the outcome of a call. When it opens the breaker, everybody who waits is answered. An answer about the text counts
// neither as a failure nor as a success: whoever sends bad texts could else open the breaker for all, or close it while others
// fail. The call after it is the trial of a half-open one.
func (l *Lane) record(ctx context.Context, err error) {
	if err != nil && (ctx.Err() != nil || answered(err)) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	// The call counts when it ends, not when it starts: one that exceeds its time would else be forgotten too early.
	_, _ = l.breaker.Execute(func() (struct{}, error) { return struct{}{}, err })
	if l.breaker.State() != gobreaker.StateOpen {
		return
	}
	l.queue.dismiss(l.open())
}

// release ends a place: the next caller's turn comes.
func (l *Lane) release(p *place) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue.leave(p)
}

// mayStart reports whether a call may start beside those that run: an open breaker lets one through after its time.
func (l *Lane) mayStart() bool {
	_, running := l.queue.count()
	return running == 0 || l.breaker.State() == gobreaker.StateClosed
}

// full returns the answer while too many wait.
func (l *Lane) full() error {
	if l.options.Provider == service.ProviderB {
		return errBusy(service.CodeServerBusy, service.BusyRetryAfter)
	}
	return errBusy(service.CodeProviderBusy, service.BusyRetryAfter)
}

// open returns the answer while the breaker is open.
func (l *Lane) open() error {
	left := time.Until(l.closes)
	return errBusy(service.CodeProviderBusy, max(time.Second, (left+time.Second-1).Truncate(time.Second)))
}

// answered reports whether err is an answer of a provider that works: a text it refuses, or that it is busy.
func answered(err error) bool {
	var e *service.Error
	return errors.As(err, &e) && (e.Status < http.StatusInternalServerError || e.Status == http.StatusServiceUnavailable)
}

// Refused returns the answer to a text that the provider does not speak: 400 without a code. The cause is for the log.
func Refused(cause error) error {
	return &service.Error{
		Status: http.StatusBadRequest, Cause: cause,
		Sentence: "The provider of this voice does not speak this text. Nothing was charged. Change or shorten the text, or use another voice.",
	}
}

// Busy returns PROVIDER_BUSY: the provider asked to be left alone until retryAfter is over.
func Busy(retryAfter time.Duration) error { return errBusy(service.CodeProviderBusy, retryAfter) }

// errStoreBusy is the answer to whoever waits while the store of a shared queue cannot be reached.
var errStoreBusy = &service.Error{
	Status: http.StatusServiceUnavailable, RetryAfter: service.StoreRetryAfter,
	Sentence: "The service's database is busy. Nothing was charged. Try again in a few seconds.",
}

func errBusy(code service.Code, retryAfter time.Duration) error {
	sentence := "The provider of this voice is busy. Try again in %d seconds, or use a voice of another provider."
	if code == service.CodeServerBusy {
		sentence = "Too many requests are waiting for this voice. Try again in %d seconds."
	}
	return &service.Error{
		Status:     http.StatusServiceUnavailable,
		Code:       code,
		Sentence:   fmt.Sprintf(sentence, int(retryAfter.Seconds())),
		RetryAfter: retryAfter,
	}
}
