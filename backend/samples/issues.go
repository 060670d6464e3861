package samples

import (
	"fmt"
	"math"

	"github.com/voicewright/voicewright/backend"
)

// rejected returns the error about a recording that cannot be used, of which so many seconds were found.
func rejected(issue backend.SampleIssue, seconds float64, detail, remedy string) *backend.Error {
	return backend.E(backend.CodeSampleRejected, detail, remedy).
		With("reason", string(issue)).With("seconds", tenths(seconds))
}

func silent(length float64) *backend.Error {
	return rejected(backend.SampleSilent, length, "The recording is silent.",
		"Check that the right microphone is selected and not muted, then record again.")
}

func noSpeech(length float64) *backend.Error {
	return rejected(backend.SampleNoSpeech, length, "No speech was found in the recording.",
		"Use a recording of one person speaking, without music.")
}

func tooShort(speech float64) *backend.Error {
	return rejected(backend.SampleTooShort, speech,
		fmt.Sprintf("Only %s of speech was found; a sample needs at least %g seconds.", inSeconds(speech), Shortest),
		"Record 10 to 20 seconds: two or three sentences in your normal voice.")
}

func tooLong(length float64) *backend.Error {
	return rejected(backend.SampleTooLong, length,
		fmt.Sprintf("The recording is %s long; a sample may have up to %g seconds.", inSeconds(length), Longest),
		"Choose a part of it with from and to: 10 to 20 seconds of clear speech are best.")
}

func deadChannel(dead, channels int) backend.SampleWarning {
	w := backend.SampleWarning{
		Code:   backend.SampleDeadChannel,
		Detail: "One of the two channels is silent and was left out.",
		Remedy: "You can keep this sample. If both channels should have sound, check the cable and the microphone.",
		Params: map[string]any{"dead": dead, "channels": channels},
	}
	if channels > 2 {
		w.Detail = fmt.Sprintf("%d of the %d channels are silent or nearly silent and were left out.", dead, channels)
	}
	return w
}

// tenths returns x with one decimal.
func tenths(x float64) float64 { return math.Round(x*10) / 10 }

// inSeconds returns a length in words.
func inSeconds(x float64) string {
	switch t := tenths(x); {
	case t == 1:
		return "1 second"
	case t >= 100:
		return fmt.Sprintf("%.0f seconds", t)
	default:
		return fmt.Sprintf("%g seconds", t)
	}
}
