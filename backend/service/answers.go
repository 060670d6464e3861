package service

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"time"
)

// ErrKeyByKey is the answer to a caller who manages API keys with one.
var ErrKeyByKey = &Error{
	Status: http.StatusForbidden, Sentence: "API keys can't manage API keys. Sign in and send the token of your session.",
}

// The answers that need no values of the request.
var (
	errUnauthorized = &Error{
		Status: http.StatusUnauthorized, Sentence: "The credential is missing, unknown or revoked. Send an active API key or a valid token.",
	}
	errDisabled = &Error{
		Status: http.StatusForbidden, Sentence: "This account is disabled. Ask the operator of the service to enable it.",
	}
	errNoAccess = &Error{
		Status: http.StatusForbidden, Sentence: "You have no access to this service; ask its operator to let you in.",
	}
	errPaidKeys = &Error{
		Status: http.StatusForbidden, Code: CodePaidAccess,
		Sentence: "API keys need an active Pro or Max plan or pay-as-you-go credits. Buy one of them and try again.",
	}
	errPaidVoice = &Error{
		Status: http.StatusForbidden, Code: CodePaidAccess,
		Sentence: "This voice needs an active Pro or Max plan or pay-as-you-go credits. Buy one of them, or use a voice of ProviderC.",
	}
	errKeyLimit = &Error{
		Status: http.StatusConflict, Code: CodeKeyLimitReached,
		Sentence: fmt.Sprintf("This account has %d active API keys already. Revoke one of them and try again.", MaxActiveKeys),
	}
	errNoKey = &Error{
		Status: http.StatusNotFound, Sentence: "This account has no API key with this id. Check the list of keys.",
	}
	errNoAccount = &Error{
		Status: http.StatusUnauthorized, Sentence: "This account no longer exists. Sign in again.",
	}
	errDuplicate = &Error{
		Status: http.StatusConflict, Code: CodeDuplicate,
		Sentence: "Another synthesis of this account is in progress. Wait until it has finished and try again.",
	}
	errStillRuns = &Error{
		Status: http.StatusConflict, Code: CodeDuplicate, RetryAfter: repeatAfter,
		Sentence: "The call with this Idempotency-Key is in progress. Repeat it in a few seconds to get its answer.",
	}
	errAnswerGone = &Error{
		Status: http.StatusGone,
		Sentence: "The audio of the call with this Idempotency-Key was deleted; files are stored for 24 hours. " +
			"Send it with another key to generate the audio again, which is charged.",
	}
	errAnswerDamaged = &Error{
		Status: http.StatusGone,
		Sentence: "The audio of the call with this Idempotency-Key was damaged and can't be played. " +
			"Send it with another key to generate the audio again, which is charged.",
	}
	errOtherRequest = errInvalid("Another request was sent with this Idempotency-Key. " +
		"Send a new key with each request, and a key again with the same request only.")
	errNoVoiceFound = &Error{
		Status: http.StatusNotFound, Sentence: "There is no active voice with this id. Use an id from the list of voices.",
	}
	errNoFile = &Error{
		Status: http.StatusNotFound, Sentence: "There is no such file. Check the link.",
	}
	errFileGone = &Error{
		Status: http.StatusGone, Sentence: "This file was deleted; files are stored for 24 hours. Generate the audio again.",
	}
	errFileDamaged = &Error{
		Status: http.StatusGone, Sentence: "This file was damaged and can't be played. Generate the audio again.",
	}
	errStopping = &Error{
		Status: http.StatusServiceUnavailable, RetryAfter: StoreRetryAfter,
		Sentence: "The service is stopping. Nothing was charged. Try again in a few seconds.",
	}
	errDraining = &Error{
		Status: http.StatusServiceUnavailable, RetryAfter: StoreRetryAfter, Cause: ErrStopping,
		Sentence: "The service is stopping. Send requests elsewhere.",
	}
	errReleased = &Error{
		Status: http.StatusServiceUnavailable, RetryAfter: StoreRetryAfter, Cause: ErrReleased,
		Sentence: "The service was interrupted during this call. Nothing was charged. Try again.",
	}
	errMayBeCharged = &Error{
		Status: http.StatusServiceUnavailable, RetryAfter: StoreRetryAfter,
		Sentence: "The database could not be reached at the end of this call, and it is not known yet whether it was charged. " +
			"Look at your usage in a few seconds; with the same Idempotency-Key the call can be sent again and is charged once.",
	}
	errProvider = &Error{
		Status:   http.StatusBadGateway,
		Sentence: "The speech provider failed. Nothing was charged. Try again, or use another voice.",
	}
	errFilesFull = &Error{
		Status: http.StatusServiceUnavailable, RetryAfter: time.Minute,
		Sentence: "The service has no space left for audio. Nothing was charged. Try again later.",
	}
	errFilesDown = &Error{
		Status: http.StatusServiceUnavailable, RetryAfter: StoreRetryAfter,
		Sentence: "The service's store of audio can't be reached. Nothing was charged. Try again in a few seconds.",
	}
	errPreviewsBusy = &Error{
		Status: http.StatusServiceUnavailable, Code: CodeProviderBusy, RetryAfter: BusyRetryAfter,
		Sentence: "Too many previews are being made. Try again in a few seconds.",
	}
	errVoicesBusy = &Error{
		Status: http.StatusServiceUnavailable, Code: CodeProviderBusy, RetryAfter: BusyRetryAfter,
		Sentence: "A speech provider can't list its voices. Try again in a few seconds.",
	}
)

// errFilesNotReady returns the answer to a folder or a store of audio that cannot be written.
func errFilesNotReady(cause error) *Error {
	if errors.Is(cause, ErrFilesDown) {
		return &Error{
			Status: http.StatusServiceUnavailable, RetryAfter: StoreRetryAfter, Cause: cause,
			Sentence: "The service's store of audio can't be reached, or refuses to take files. The log of the service says why.",
		}
	}
	sentence := "The service's folder for audio can't be written. Check its permissions and its disk."
	switch {
	case diskFull(cause):
		return errFilesFull.withCause(cause)
	case errors.Is(cause, fs.ErrNotExist):
		sentence = "The service's folder for audio is missing. Restart the service, or mount the disk of the folder again."
	}
	return &Error{Status: http.StatusServiceUnavailable, RetryAfter: time.Minute, Sentence: sentence, Cause: cause}
}

// errInvalid returns the answer to a request with a wrong value.
func errInvalid(format string, args ...any) *Error {
	return &Error{Status: http.StatusBadRequest, Sentence: fmt.Sprintf(format, args...)}
}

// errUnknownVoice returns the answer to a voice that is not active, in a field of the request.
func errUnknownVoice(field string) *Error {
	return errInvalid("The field %q names no active voice. Use an id from the list of voices.", field)
}

// errTooLong returns the answer to a text over a limit.
func errTooLong(characters, limit int) *Error {
	return &Error{
		Status: http.StatusBadRequest, Code: CodeTextTooLong,
		Sentence: fmt.Sprintf("The text has %d characters; at most %d are allowed. Split it into several requests.", characters, limit),
	}
}

// withCause returns the same answer with a cause for the log.
func (e *Error) withCause(cause error) *Error {
	with := *e
	with.Cause = cause
	return &with
}

// answer returns the answer to an error of the store, or err itself where there is none.
func answer(err error) error {
	var limited *RateError
	switch {
	case errors.As(err, &limited):
		return &Error{
			Status: http.StatusTooManyRequests, Code: CodeRateLimited, RetryAfter: limited.RetryAfter,
			Sentence: fmt.Sprintf("This account has sent %d requests in a minute. Wait and try again.", CallsPerMinute),
		}
	case errors.Is(err, ErrDuplicate):
		return errDuplicate
	default:
		return err
	}
}

// errCredits returns the answer to a balance that is too small.
func errCredits(price, balance int64) *Error {
	return &Error{
		Status: http.StatusPaymentRequired, Code: CodeNoCredits,
		Sentence: fmt.Sprintf("The account has too few credits: the call needs %d, and %d are left. "+
			"Buy credits, or shorten the text.", price, balance),
	}
}
