package samples

import (
	"fmt"
	"math"

	"github.com/voicewright/voicewright/backend"
)

// errRejected returns the error about a recording that cannot be used, of which so many seconds were found.
func errRejected(issue backend.SampleIssue, seconds float64, detail, remedy string) *backend.Error {
	return backend.E(backend.CodeSampleRejected, detail, remedy).
		With("reason", string(issue)).With("seconds", tenths(seconds))
}

func errSilent(length float64) *backend.Error {
	return errRejected(backend.SampleSilent, length, "The recording is silent.",
		"Check that the right microphone is selected and not muted, then record again.")
}

func errNoSpeech(length float64) *backend.Error {
	return errRejected(backend.SampleNoSpeech, length, "No speech was found in the recording.",
		"Use a recording of one person speaking, without music.")
}

func errTooShort(speech float64) *backend.Error {
	return errRejected(backend.SampleTooShort, speech,
		fmt.Sprintf("Only %s of speech was found; a sample needs at least %g seconds.", inWords(speech), Shortest),
		"Record 10 to 20 seconds: two or three sentences in your normal voice.")
}

func errTooLong(length float64) *backend.Error {
	return errRejected(backend.SampleTooLong, length,
		fmt.Sprintf("The recording is %s long; a sample may have up to %g seconds.", inWords(length), Longest),
		"Choose a part of it with from and to: 10 to 20 seconds of clear speech are best.")
}

// quieter is the remedy of recordings that are cut off at full scale.
const quieter = "Lower the input level of the microphone, or move away from it, and record again."

func errTooLoud(length, share float64) *backend.Error {
	return errRejected(backend.SampleClipped, length,
		"Most of the recording is distorted, because it was too loud for the microphone.", quieter).With("percent", percent(share))
}

func distorted(share float64) backend.SampleWarning {
	return warning(backend.SampleClipped, "Parts of the recording are distorted, because it was too loud for the microphone.",
		quieter, "percent", percent(share))
}

func quiet(lufs float64) backend.SampleWarning {
	return warning(backend.SampleQuiet, fmt.Sprintf("The recording is very quiet (%.0f LUFS).", lufs),
		"Move closer to the microphone, or raise its input level.", "level_lufs", tenths(lufs))
}

func noisy(snr, noise float64) backend.SampleWarning {
	return warning(backend.SampleNoisy, fmt.Sprintf("There is background noise: the voice is only %.0f dB louder.", max(0, snr)),
		"Record in a quiet room, close to the microphone, with fans and music switched off.",
		"snr_db", tenths(snr), "noise_db", tenths(noise))
}

func narrowBand(rate int) backend.SampleWarning {
	detail := "The recording sounds like a telephone call: it contains nothing above 4 kHz."
	if rate < lowestFull {
		detail = fmt.Sprintf("The recording sounds like a telephone call: its sample rate is only %d Hz.", rate)
	}
	return warning(backend.SampleNarrowBand, detail,
		"Record with a microphone instead of a telephone or a Bluetooth headset.", "sample_rate", rate)
}

func twoSpeakers(low, high float64) backend.SampleWarning {
	return warning(backend.SampleTwoSpeakers,
		fmt.Sprintf("Two people may be speaking: one voice is at about %.0f Hz, the other at about %.0f Hz.", low, high),
		"Use a part in which one person speaks. If it is one person, you can keep this sample.",
		"low_hz", math.Round(low), "high_hz", math.Round(high))
}

func deadChannel(dead, channels int) backend.SampleWarning {
	detail := "One of the two channels is silent and was left out."
	if channels > 2 {
		detail = fmt.Sprintf("%d of the %d channels are silent or nearly silent and were left out.", dead, channels)
	}
	return warning(backend.SampleDeadChannel, detail,
		"You can keep this sample. If it should be stereo, check the cable and the microphone.", "dead", dead, "channels", channels)
}

// warning returns a warning; params are names and values in turn.
func warning(code backend.SampleIssue, detail, remedy string, params ...any) backend.SampleWarning {
	w := backend.SampleWarning{Code: code, Detail: detail, Remedy: remedy, Params: map[string]any{}}
	for i := 0; i+1 < len(params); i += 2 {
		w.Params[params[i].(string)] = params[i+1]
	}
	return w
}

// percent returns a share in whole percent, 1 at least.
func percent(share float64) int { return max(1, int(math.Round(100*share))) }

// tenths returns x with one decimal.
func tenths(x float64) float64 { return math.Round(x*10) / 10 }

// inWords returns a length in seconds or minutes.
func inWords(x float64) string {
	switch t := tenths(x); {
	case t == 1:
		return "1 second"
	case t >= 180:
		return fmt.Sprintf("%.0f minutes", t/60)
	default:
		return fmt.Sprintf("%g seconds", t)
	}
}
