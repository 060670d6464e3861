package signin

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/voicewright/voicewright/backend"
)

// signInRemedy says how to sign in.
const signInRemedy = "Sign in again on the Account screen, or run `voicewright hosted login`."

// The reasons of hosted_sign_in_failed, in its params.
const (
	reasonDenied  = "denied"  // by the user or the issuer
	reasonTimeout = "timeout" // two minutes
	reasonClock   = "clock"   // of this computer
	reasonToken   = "token"   // the ID token is not for this sign-in
	reasonRefused = "refused" // the issuer refused the code or the request
	reasonNoID    = "no_id_token"
)

func errFailed(reason, detail, remedy string) *backend.Error {
	return backend.E(backend.CodeHostedSignInFailed, detail, remedy).With("reason", reason)
}

func errOffline() *backend.Error {
	return backend.E(backend.CodeOffline, "Offline mode is on, so the sign-in server can't be reached.",
		"Turn off offline mode and try again.")
}

func errNoPlace() error {
	return backend.E(backend.CodeSecretsUnavailable, "There is no keychain in which the sign-in could be stored.",
		"Unlock or start the keychain, or allow an encrypted file with the setting secrets.allow_file = true.").With("reason", "absent")
}

func errNotSignedIn() *backend.Error {
	return backend.E(backend.CodeHostedNotSignedIn, "You are not signed in to the hosted service.", signInRemedy)
}

func errUnsafeIssuer(address string) *backend.Error {
	return backend.E(backend.CodeHostedNotConfigured,
		"The address of the sign-in server must begin with https://, unless the server is on this computer.",
		"Correct the setting hosted.issuer, or ask the operator of the hosted service.").With("issuer", address)
}

// errUnusable is about a member of what the service or the settings say about signing in.
func errUnusable(member, should string) *backend.Error {
	return backend.E(backend.CodeHostedBadAnswer, "The sign-in is set up in an unusable way: "+member+" "+should+".",
		"Tell the operator of the hosted service, or correct the settings under Advanced on the Account screen.").
		With("reason", "login").With("member", member)
}

func errNoIDToken() *backend.Error {
	return errFailed(reasonNoID, "The sign-in server sent no ID token, but the hosted service needs one.",
		"Tell the operator of the hosted service: its scopes must contain openid.")
}

// errNotRenewed is the end of a session whose issuer sends no new ID token.
func errNotRenewed() *backend.Error {
	return backend.E(backend.CodeHostedNotSignedIn,
		"Your sign-in has ended: the sign-in server doesn't renew the ID token, which the hosted service needs.",
		signInRemedy).With("reason", "not_renewed")
}

func errTimeout() *backend.Error {
	return errFailed(reasonTimeout, "The sign-in was not completed within 2 minutes.", "Sign in again.")
}

func errWrongToken(err error) *backend.Error {
	return errFailed(reasonToken, "The sign-in server returned a token that is not for this sign-in, so it was not used.",
		"Sign in again. If it happens again, tell the operator of the hosted service.").WithCause(err)
}

// errClock is about a difference between this computer's clock and the issuer's: positive when ours is behind.
func errClock(behind time.Duration) *backend.Error {
	way := "behind"
	if behind < 0 {
		way = "ahead of"
	}
	return errFailed(reasonClock,
		fmt.Sprintf("This computer's clock is about %s %s the clock of the sign-in server.", roughly(behind.Abs()), way),
		"Set the date and time of this computer, then sign in again.").With("seconds", int(behind.Seconds()))
}

func errRefused(host, code string, err error) *backend.Error {
	return errFailed(reasonRefused, "The sign-in server at "+host+" refused the sign-in.",
		"Sign in again. If it happens again, tell the operator of the hosted service.").With("error", printable(code)).WithCause(err)
}

// roughly returns a length of time as people say it.
func roughly(d time.Duration) string {
	n, unit := int(d.Round(time.Minute).Minutes()), "minute"
	if d >= 90*time.Minute {
		n, unit = int(d.Round(time.Hour).Hours()), "hour"
	}
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

// errEnded is the end of a session that the issuer does not renew. repeated: the same refresh token was sent twice, because
// the first answer was lost.
func errEnded(repeated bool, cause error) *backend.Error {
	detail := "Your sign-in has ended."
	if repeated {
		detail = "Your sign-in has ended: an answer of the sign-in server was lost, and it does not accept the same request twice."
	}
	return backend.E(backend.CodeHostedNotSignedIn, detail, signInRemedy).WithCause(cause)
}

func errLost(cause error) *backend.Error {
	return backend.E(backend.CodeHostedNotSignedIn, "The connection to the sign-in server broke twice while your sign-in was being renewed.",
		signInRemedy).WithCause(cause)
}

// issuerError returns the error for people of a failed request to the issuer at host.
func issuerError(host string, err error) error {
	var known *backend.Error
	var answer *answerError
	var mismatch *oidc.IssuerMismatchError
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.Canceled):
		return backend.ErrCancelled.WithCause(err)
	case errors.As(err, &mismatch):
		return errBadAnswer(host, "The sign-in server at "+host+" calls itself by another address.", err)
	case errors.As(err, &answer) && (answer.status >= 500 || answer.status == 429):
		return errUnreachable(host, fmt.Sprintf("The sign-in server at %s isn't working at the moment (status %d).", host, answer.status), err)
	case errors.As(err, &refused) && refused.Response != nil && refused.Response.StatusCode >= 500:
		return errUnreachable(host,
			fmt.Sprintf("The sign-in server at %s isn't working at the moment (status %d).", host, refused.Response.StatusCode), err)
	case errors.As(err, &answer):
		return errBadAnswer(host, "The sign-in server at "+host+" sent an unexpected answer.", err)
	case errors.As(err, &refused):
		return errRefused(host, refused.ErrorCode, err)
	case errors.Is(err, context.DeadlineExceeded):
		return errUnreachable(host, "The sign-in server at "+host+" did not answer in time.", err)
	case isCertificate(err):
		return errUnreachable(host, "The certificate of the sign-in server at "+host+" isn't valid, so nothing was sent to it.", err)
	default:
		return errUnreachable(host, "The sign-in server at "+host+" can't be reached.", err)
	}
}

func errUnreachable(host, detail string, err error) error {
	return backend.E(backend.CodeHostedUnreachable, detail, "Check the network connection and this computer's clock, and try again.").
		With("reason", "sign_in").With("host", host).WithCause(err)
}

func errBadAnswer(host, detail string, err error) error {
	return backend.E(backend.CodeHostedBadAnswer, detail, "Check the setting hosted.issuer, or ask the operator of the hosted service.").
		With("reason", "sign_in").With("host", host).WithCause(err)
}

func isCertificate(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var hostname x509.HostnameError
	return errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &invalid) || errors.As(err, &hostname)
}

// printable returns an error code of OAuth, empty when it is none.
func printable(code string) string {
	for _, r := range code {
		if len(code) > 64 || r != '_' && (r < 'a' || r > 'z') {
			return ""
		}
	}
	return code
}
