package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// sentence is what people read about an answer: what happened, and what to do.
type sentence struct{ detail, remedy string }

// NothingCharged ends the remedy of an answer that refuses a paid call.
const NothingCharged = "Nothing was charged."

// sentences are the answers of the contract, by code and else by status.
var (
	byCode = map[string]sentence{
		"TEXT_TOO_LONG":        {"The text is longer than the hosted model or your plan allows.", "Shorten the text, or split it."},
		"INSUFFICIENT_CREDITS": byStatus[http.StatusPaymentRequired],
		"PAID_ACCESS_REQUIRED": {
			"This needs a Pro or Max plan, or pay-as-you-go credits.",
			"Choose a voice that every plan includes, or upgrade your plan at the hosted service.",
		},
		"DUPLICATE_REQUEST": byStatus[http.StatusConflict],
		"KEY_LIMIT_REACHED": {
			"You already have the most API keys that the hosted service allows.",
			"Revoke a key that you no longer use on the Account screen, then try again.",
		},
		"RATE_LIMITED": byStatus[http.StatusTooManyRequests],
		"SERVER_BUSY":  {"The hosted service is busy.", "Wait a moment and try again. " + NothingCharged},
		"PROVIDER_BUSY": {
			"The provider of this voice is busy.",
			"Wait a moment and try again, or choose a voice of another provider. " + NothingCharged,
		},
	}
	byStatus = map[int]sentence{
		http.StatusBadRequest: {
			"The hosted service didn't accept this request.",
			"Check the text and the voice, and try again. " + NothingCharged,
		},
		http.StatusPaymentRequired: {
			"You don't have enough credits for this.",
			"Buy credits at the hosted service, shorten the text, or choose a local voice. " + NothingCharged,
		},
		http.StatusForbidden: {
			"The hosted service doesn't allow this for your account.",
			"Check your plan on the Account screen, use another API key, or ask the operator of the service to let you in.",
		},
		http.StatusNotFound: {
			"The hosted service doesn't have this.",
			"Check the address of the hosted service, then refresh the list and try again.",
		},
		http.StatusRequestTimeout: {
			"The hosted service didn't receive the complete request.",
			"Check the network connection and try again. " + NothingCharged,
		},
		http.StatusConflict: {
			"The hosted service is still working on another request of your account.",
			"Wait until it has finished, then try again. " + NothingCharged,
		},
		http.StatusRequestEntityTooLarge: {"The request is too large for the hosted service.", "Shorten the text, or split it."},
		http.StatusTooManyRequests: {
			"Too many requests were sent to the hosted service within a minute.",
			"Wait a minute and try again. " + NothingCharged,
		},
		http.StatusServiceUnavailable: {"The hosted service is busy.", "Wait a moment and try again. " + NothingCharged},
	}
)

const (
	remedyNetwork = "Check the network connection and the address of the hosted service, then try again."
	remedyLost    = "It may have been charged: check your credits before you try again. Voicewright does not repeat it by itself."
)

// AsError returns err in words for people. An *Error gets its code, with the params status and retry_after where they are known;
// other errors are those of backend.AsError. nil stays nil.
func AsError(err error) *backend.Error {
	var e *Error
	if !errors.As(err, &e) {
		return backend.AsError(err)
	}
	w := e.worded().WithCause(e)
	if e.Status != 0 {
		w = w.With("status", e.Status)
	}
	if e.RetryAfter != nil {
		w = w.With("retry_after", int(math.Ceil(e.RetryAfter.Seconds())))
	}
	return w
}

func (e *Error) worded() *backend.Error {
	switch {
	case e.reason == cancelled:
		return backend.ErrCancelled
	case e.reason == expiredLink:
		return backend.E(backend.CodeHostedLinkExpired, "The audio is no longer at the hosted service, which keeps it for 24 hours.",
			"Try again to generate it once more. This is charged again.")
	case e.reason == redirected:
		return backend.E(backend.CodeHostedBadAnswer, fmt.Sprintf("The hosted service at %s didn't answer itself: %v.", e.host, e.Err),
			"Check the address of the hosted service. Your credentials were not sent to the other address.")
	case e.reason == unsafeTLS:
		return errUnsafeConnection(e)
	case e.Outcome == Lost && !e.call.repeatable() && e.Status == 0:
		return e.answerLost()
	case e.reason == slow:
		return backend.E(backend.CodeHostedUnreachable, "The hosted service didn't answer in time.", remedyNetwork).With("host", e.host)
	case e.reason == unreachable:
		return backend.E(backend.CodeHostedUnreachable, fmt.Sprintf("The hosted service at %s can't be reached.", e.host), remedyNetwork).
			With("host", e.host)
	case e.reason == badAnswer:
		return e.errNotUnderstood()
	case e.Status == http.StatusUnauthorized:
		return e.notSignedIn()
	default:
		return e.errAnswered()
	}
}

// answerLost words a call that may have had its effect.
func (e *Error) answerLost() *backend.Error {
	remedy := remedyLost
	if !e.call.speech {
		remedy = "Check whether it took effect before you try again."
	}
	return backend.E(backend.CodeHostedAnswerLost, "The connection to the hosted service broke before its answer arrived.", remedy)
}

// errNotUnderstood words a success that is not what the contract says.
func (e *Error) errNotUnderstood() *backend.Error {
	remedy := "Check the address of the hosted service, and try again later."
	if e.call.speech {
		remedy = remedyLost
	}
	return backend.E(backend.CodeHostedBadAnswer,
		fmt.Sprintf("The hosted service answered something that Voicewright doesn't understand: %v.", e.Err), remedy)
}

// notSignedIn words a credential that the service refuses, for a token after its refresh.
func (e *Error) notSignedIn() *backend.Error {
	if e.key {
		return backend.E(backend.CodeHostedNotSignedIn, "The hosted service doesn't accept the API key: it was revoked or is wrong.",
			"Store another API key on the Account screen, or run `voicewright hosted login --key-stdin`.").With("reason", "key")
	}
	return backend.E(backend.CodeHostedNotSignedIn, "The sign-in to the hosted service has ended.",
		"Sign in again on the Account screen, or run `voicewright hosted login`.").With("reason", "session")
}

// errAnswered words an answer by its code, else by its status.
func (e *Error) errAnswered() *backend.Error {
	s, known := byCode[e.ServiceCode]
	if !known {
		s, known = byStatus[e.Status]
	}
	switch {
	case known:
	case e.Outcome == Lost && e.call.speech:
		s = sentence{fmt.Sprintf("The hosted service failed with status %d.", e.Status), remedyLost}
	case e.Status >= http.StatusInternalServerError:
		s = sentence{fmt.Sprintf("The hosted service failed with status %d.", e.Status), "Try again later."}
	default:
		s = sentence{fmt.Sprintf("The hosted service refused this with status %d.", e.Status), "Check the request, and try again later."}
	}
	return backend.E(backend.HostedCode(e.ServiceCode, e.Status), s.detail, s.remedy)
}

// unsafeHandshake reports whether err means that there is no safe connection to the host, and trying again is useless.
func unsafeHandshake(err error) bool {
	var certificate *tls.CertificateVerificationError
	return errors.As(err, &certificate) || errors.Is(err, http.ErrSchemeMismatch)
}

// errUnsafeConnection words a failed TLS handshake.
func errUnsafeConnection(e *Error) *backend.Error {
	unreachable := func(detail, remedy string) *backend.Error {
		return backend.E(backend.CodeHostedUnreachable, detail, remedy).With("host", e.host).With("reason", "certificate")
	}
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	switch {
	case errors.As(e.Err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert != nil && time.Now().Before(invalid.Cert.NotBefore):
		return unreachable(fmt.Sprintf("The certificate of %s is not valid yet.", e.host), "Check the clock of this computer.")
	case errors.As(e.Err, &invalid) && invalid.Reason == x509.Expired:
		return unreachable(fmt.Sprintf("The certificate of %s has expired.", e.host), "Check the clock of this computer.")
	case errors.As(e.Err, &name):
		return unreachable(fmt.Sprintf("The certificate of %s is for another name.", e.host), "Check the address of the hosted service.")
	case errors.Is(e.Err, http.ErrSchemeMismatch):
		return unreachable(fmt.Sprintf("%s doesn't answer with https.", e.host), "Check the address of the hosted service.")
	default:
		return unreachable(fmt.Sprintf("The certificate of %s is not trusted by this computer.", e.host),
			"Check the address of the hosted service, and the proxy of this computer.")
	}
}
