package hosted

import (
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/voicewright/voicewright/backend"
)

var (
	errNotSignedIn = backend.E(backend.CodeHostedNotSignedIn, "You are not signed in to the hosted service.",
		signInAgain)
	errNoKey = backend.E(backend.CodeHostedNotSignedIn, "No API key is stored.",
		"Store one on the Account screen, or run `voicewright hosted login --key-stdin`.").With("reason", "key")
	errKeyRejected = backend.E(backend.CodeHostedNotSignedIn, "The hosted service does not accept the stored API key.",
		"It may have been revoked. Store another key on the Account screen, or run `voicewright hosted login --key-stdin`.").With("reason", "key")
)

const signInAgain = "Sign in on the Account screen, or run `voicewright hosted login`."

// errOtherService is the error of a credential that belongs to another service than the configured one.
func errOtherService(stored, configured string) error {
	return backend.E(backend.CodeHostedNotSignedIn,
		fmt.Sprintf("The stored sign-in or API key is for %s and is not sent to %s.", stored, configured),
		"Change the address of the service back, or sign in to the new one on the Account screen.").
		With("reason", "address").With("service", stored)
}

// errRefusal is an error that the service would answer a call with, found before the call.
func errRefusal(code string, status int, detail, remedy string) *backend.Error {
	return backend.E(backend.HostedCode(code, status), detail, remedy).With("status", status)
}

func errTooLong(chars, limit int) error {
	return errRefusal("TEXT_TOO_LONG", http.StatusBadRequest,
		fmt.Sprintf("A part of the text has %d characters; this model takes at most %d at a time.", chars, limit),
		"Split the text.").With("characters", chars).With("limit", limit)
}

func errPaidOnly(voice string) error {
	return errRefusal("PAID_ACCESS_REQUIRED", http.StatusForbidden,
		voice+" needs a Pro or Max plan, or pay-as-you-go credits.",
		"Choose a voice that the Free plan includes, or upgrade at the hosted service.").With("voice", voice)
}

func errTooFewCredits(price, left int64) error {
	return errRefusal("INSUFFICIENT_CREDITS", http.StatusPaymentRequired,
		fmt.Sprintf("This costs %d credits, and you have %d.", price, left),
		"Shorten the text, or buy credits at the hosted service.").With("credits", price).With("credits_left", left)
}

func errRateLimited(wait time.Duration) error {
	seconds := int(math.Ceil(wait.Seconds()))
	return errRefusal("RATE_LIMITED", http.StatusTooManyRequests,
		fmt.Sprintf("The hosted service accepts %d requests a minute, and the next ones may be sent in %d seconds.", ratePerWindow, seconds),
		"Wait a minute, then try again. Nothing was charged.").With("retry_after", seconds)
}

func confirm(price, accepted *int64) error {
	detail := "The price of this call is unknown."
	if price != nil {
		detail = fmt.Sprintf("This costs %d credits.", *price)
	}
	return backend.E(backend.CodeHostedConfirm, detail+" The setting hosted.ask_credits asks for your consent first.",
		"Send it again with the accepted price (accept_credits), or change hosted.ask_credits.").
		With("credits", price).With("accepted", accepted)
}

func errVoiceNotFound(id string) error {
	return backend.E(backend.CodeHostedVoiceNotFound, "The hosted service has no such voice.",
		"Choose another voice; refresh the list if this one is new.").With("voice", id)
}

func errModelUnknown(model string, v backend.HostedVoice) error {
	if model == "" {
		return backend.E(backend.CodeModelUnknown, "The hosted service lists no model for the voices of "+v.Provider+".",
			"Choose a voice of another provider; refresh the list if this one is new.").With("provider", v.Provider)
	}
	return backend.E(backend.CodeModelUnknown, fmt.Sprintf("The hosted service has no model %q for the voices of %s.", model, v.Provider),
		"Choose one of the voice's provider, or leave the model out.").With("model", model).With("provider", v.Provider)
}
