package engines

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// Pace returns the requested speed, 1 if there is none. Error: backend.CodeEngineMismatch naming the range, for a speed
// outside the engine's range.
func (i Info) Pace(speed float64) (float64, error) {
	if speed == 0 {
		speed = 1
	}
	if math.IsNaN(speed) || speed < i.MinSpeed || speed > i.MaxSpeed {
		return 0, backend.E(backend.CodeEngineMismatch,
			fmt.Sprintf("The engine %s cannot speak at the speed %.3g.", i.Engine, speed),
			fmt.Sprintf("Choose a speed from %.3g to %.3g.", i.MinSpeed, i.MaxSpeed)).With("speed", fmt.Sprintf("%.3g", speed))
	}
	return speed, nil
}

// namedVoices is the number of voices that a message lists.
const namedVoices = 8

// NoVoice returns the error about an unknown voice id; model is the shown name of the model. Code: backend.CodeNotFound.
func NoVoice(model, id string, voices []Voice) *backend.Error {
	var ids []string
	for _, v := range voices[:min(len(voices), namedVoices)] {
		ids = append(ids, v.ID)
	}
	if len(voices) > namedVoices {
		ids = append(ids, "...")
	}
	remedy := "Choose another model."
	if len(ids) > 0 {
		remedy = "Choose one of its voices: " + strings.Join(ids, ", ") + "."
	}
	return backend.E(backend.CodeNotFound, fmt.Sprintf("The model %s has no voice %q.", model, id), remedy).With("voice", id)
}

// CannotSpeak returns the error about a model of another family that is to speak. Code: backend.CodeEngineMismatch.
func CannotSpeak(name, shown string, able Abilities) *backend.Error {
	return backend.E(backend.CodeEngineMismatch, cmp.Or(shown, name)+" does not speak; "+able.purpose(),
		"Choose a speech model.").With("model_name", name)
}

// CannotTranscribe returns the error about a model of another family that is to transcribe. Code: backend.CodeEngineMismatch.
func CannotTranscribe(name, shown string, able Abilities) *backend.Error {
	return backend.E(backend.CodeEngineMismatch, cmp.Or(shown, name)+" does not transcribe; "+able.purpose(),
		"Choose a transcription model, such as whisper-base.").With("model_name", name)
}

// CannotDiarize returns the error about a model of another family that is to find speakers. Code: backend.CodeEngineMismatch.
func CannotDiarize(name, shown string, able Abilities) *backend.Error {
	return backend.E(backend.CodeEngineMismatch, cmp.Or(shown, name)+" does not find speakers; "+able.purpose(),
		"Use the model Speakers.").With("model_name", name)
}

// purpose returns what models are for.
func (a Abilities) purpose() string {
	switch {
	case a.Transcribes:
		return "it turns audio into text."
	case a.Diarizes:
		return "it finds who said what."
	}
	return "it turns text into speech."
}

// NothingToSpeak returns the error about a text without anything that a voice can speak. Code: backend.CodeNothingToSpeak.
func NothingToSpeak(remedy string) *backend.Error {
	return backend.E(backend.CodeNothingToSpeak, "The text has nothing that this voice can speak.", remedy)
}

// SameLanguage reports whether two BCP 47 tags name the same language, whatever the country. Norwegian Bokmål (nb) is
// Norwegian (no), as models are often marked with the wider code.
func SameLanguage(a, b string) bool { return primary(a) == primary(b) }

func primary(tag string) string {
	base := backend.BaseLanguage(tag)
	if base == "nb" {
		return "no"
	}
	return base
}
