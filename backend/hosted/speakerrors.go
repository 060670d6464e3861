package hosted

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

var (
	errSpeaking = backend.E(backend.CodeNotInProgress, "This generation is already being spoken.", "Wait for it to finish.")
	errUnsent   = backend.E(backend.CodeInterrupted, "The program ended before all of the text was spoken.",
		"Retry it to speak the rest. What is paid is not charged again.")
)

const (
	remedyUnknown   = "It may have been charged: check your credits before you retry it. A retry sends this part again."
	remedyCharged   = "Retry it to speak this part again, which is charged again."
	remedyRepeat    = "Retry it within 24 hours: the hosted service keeps the answer, and this part is not charged twice."
	remedyUncharged = "Retry it to speak this part again."
)

// lostEarlier is the error of a call whose answer was lost when the program ended.
func lostEarlier() error {
	return backend.E(backend.CodeHostedAnswerLost, "The program ended before the answer of the hosted service arrived.", remedyUnknown).
		With("credits_before", nil).With("credits_after", nil)
}

// errAnswerLost words a lost answer of which the balance is not known; kept says that the service keeps it.
func errAnswerLost(cause error, kept bool) *backend.Error {
	err := client.AsError(cause)
	status, _ := err.Params["status"].(int)
	switch {
	case err.Code == backend.CodeCancelled:
		err = backend.E(backend.CodeHostedAnswerLost, "The call was cancelled before the answer of the hosted service arrived.", "").
			WithCause(cause)
	case err.Code == backend.CodeHostedAnswerLost, err.Code == backend.CodeHostedBadAnswer:
	case kept:
		err = backend.E(backend.CodeHostedAnswerLost, "The answer was lost, and the hosted service could not repeat it: "+err.Detail, "").
			WithCause(cause)
	case status >= http.StatusInternalServerError:
		err = backend.E(backend.CodeHostedAnswerLost,
			fmt.Sprintf("A gateway answered in place of the hosted service, with status %d.", status), "").WithCause(cause)
	}
	err = err.With("credits_before", nil).With("credits_after", nil)
	err.Remedy = remedyUnknown
	if kept {
		err = err.With("reason", backend.HostedRepeat)
		err.Remedy = remedyRepeat
	}
	return err
}

// withBalance adds to err whether the credits went down; kept says that the service keeps the answer.
func withBalance(err *backend.Error, before, after int64, kept bool) *backend.Error {
	err = err.With("credits_before", before).With("credits_after", after)
	if after < before {
		err.Detail += fmt.Sprintf(" Your credits went down from %d to %d, so it was charged.", before, after)
		err.Remedy = remedyCharged
	} else {
		err.Detail += fmt.Sprintf(" Your credits did not go down: they are %d.", after)
		err.Remedy = remedyUncharged
	}
	if kept {
		err.Remedy = remedyRepeat
	}
	return err
}

// afterPaid words the refusal of a call after paid ones: that nothing was charged is true of this call alone.
func afterPaid(err *backend.Error) *backend.Error {
	worded := *err
	worded.Remedy = strings.ReplaceAll(err.Remedy, client.NothingCharged, "What was spoken before is paid and saved; it is not charged again.")
	return &worded
}

// errLinkExpired is the error of paid audio that the service has deleted.
func errLinkExpired() *backend.Error {
	return backend.E(backend.CodeHostedLinkExpired, "The audio is no longer at the hosted service, which keeps it for 24 hours.",
		"Try again to generate it once more. This is charged again.")
}

// reasonDownload is the param reason of errors of paid audio that is still at the service.
const reasonDownload = "download"

// errUnfetched is the error of paid audio that could not be fetched.
func errUnfetched(cause *backend.Error) error {
	return backend.E(backend.CodeHostedUnreachable, "The audio is paid, but it could not be downloaded from the hosted service.",
		"Check the network connection and retry it within 24 hours. It is not charged again.").WithCause(cause).With("reason", reasonDownload)
}

// errNotAudio is the error of a download that is something else.
func errNotAudio(cause error) error {
	return backend.E(backend.CodeHostedBadAnswer, "What was downloaded in place of the audio is not audio.",
		"Check the network connection, such as a proxy or a sign-in page, and retry it within 24 hours. It is not charged again.").
		WithCause(cause).With("reason", reasonDownload)
}
