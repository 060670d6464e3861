package service

import (
	"errors"
	"net/http"
	"strings"
	"time"
)

// Code is the `code` of an error of the hosted API.
type Code string

// The codes of the contract and of decisions.md section 6.
const (
	CodeTextTooLong     Code = "TEXT_TOO_LONG"
	CodePaidAccess      Code = "PAID_ACCESS_REQUIRED"
	CodeDuplicate       Code = "DUPLICATE_REQUEST"
	CodeServerBusy      Code = "SERVER_BUSY"
	CodeProviderBusy    Code = "PROVIDER_BUSY"
	CodeNoCredits       Code = "INSUFFICIENT_CREDITS"
	CodeRateLimited     Code = "RATE_LIMITED"
	CodeKeyLimitReached Code = "KEY_LIMIT_REACHED"
)

// Error is an answer to a request that could not be served. Errors of another type are internal: they are logged, and the
// caller gets 500 with the id of the request.
type Error struct {
	Status     int           // of HTTP
	Code       Code          // empty where the contract promises none
	Sentence   string        // what happened and what to do, for people
	RetryAfter time.Duration // zero where the answer says none
	Cause      error         // for the log only
}

// Error returns the sentence.
func (e *Error) Error() string { return e.Sentence }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// StatusOf returns the HTTP status of err: 200 for nil, 500 for an error without one.
func StatusOf(err error) int {
	var e *Error
	switch {
	case err == nil:
		return http.StatusOK
	case errors.As(err, &e):
		return e.Status
	default:
		return http.StatusInternalServerError
	}
}

// CodeOf returns the code of err, empty where it has none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Errors of the stores, which the use cases turn into answers.
var (
	ErrNotFound    = errors.New("not found")
	ErrNotAdmitted = errors.New("the user may have no account")
	ErrEmailTaken  = errors.New("an account has this e-mail address already")
	ErrRateLimited = errors.New("rate limit exceeded") // as a *RateError
	ErrDuplicate   = errors.New("another synthesis is in progress")
	ErrNoCredits   = errors.New("insufficient credits")
	ErrFreePlan    = errors.New("the free plan has no end")
	ErrNoRenewal   = errors.New("no period of the plan begins before that time")
	ErrKeyLimit    = errors.New("too many active keys")
	ErrKeyUsed     = errors.New("a call has this idempotency key")
	ErrCharged     = errors.New("the call was charged")
	ErrReleased    = errors.New("the reservation was released") // by repair, after its process was taken for dead
	ErrExpired     = errors.New("the file has expired")
	ErrStoreBusy   = errors.New("the store is locked, full or cannot be reached") // temporary: the request may be repeated
	ErrStopping    = errors.New("the service is stopping")                        // as Ready says
	ErrFilesDown   = errors.New("the store of files can't be reached")            // temporary, too
)

// ErrTokenExpired is the cause of the 401 for a token that the issuer signed and that has expired. Nobody guessed it.
var ErrTokenExpired = errors.New("the token has expired")

// LedgerError is the error of Ledger.Check: what is wrong, each in a sentence without a full stop.
type LedgerError struct{ Flaws []string }

// Error returns the sentences.
func (e *LedgerError) Error() string { return "the ledger is wrong: " + strings.Join(e.Flaws, "; ") }

// RateError is ErrRateLimited with the time after which the next call is allowed.
type RateError struct{ RetryAfter time.Duration }

// Error returns the text of ErrRateLimited.
func (e *RateError) Error() string { return ErrRateLimited.Error() }

// Is makes a RateError match ErrRateLimited.
func (e *RateError) Is(target error) bool { return target == ErrRateLimited }
