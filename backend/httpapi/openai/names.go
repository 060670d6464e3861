// Package openai has the names of models, voices and choices in requests of OpenAI's shape.
package openai

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
)

// SpeechModels and TranscriptionModels are OpenAI's names of models, which mean the defaults.
var (
	SpeechModels        = []string{"tts-1", "tts-1-hd", "gpt-4o-mini-tts"}
	TranscriptionModels = []string{"whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe", "gpt-4o-transcribe-diarize"}
)

// otherModelNames are the names under which programs ask for transcription models that are in the registry under another one.
var otherModelNames = map[string]string{
	"whisper-large-v3-turbo": "whisper-large", "whisper-large-turbo": "whisper-large", "whisper-turbo": "whisper-large",
	"turbo": "whisper-large",
}

// modelDate matches what OpenAI puts behind the names of dated models: 2025-12-15, or month and day as in tts-1-1106.
var modelDate = regexp.MustCompile(`-(\d{4}-\d{2}-\d{2}|\d{4})$`)

// ModelNamed returns the name of a model of ours, empty where name is one of OpenAI's names of the defaults, with a date or
// without. Case does not matter, nor the owner in the names of a model hub, as in openai/whisper-small.
func ModelNamed(name string, defaults []string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	name = strings.TrimPrefix(name, "openai/")
	if slices.Contains(defaults, name) || slices.Contains(defaults, modelDate.ReplaceAllString(name, "")) {
		return ""
	}
	return name
}

// TranscriptionModelNamed is ModelNamed for transcription, which knows otherModelNames; a model of the user's has its name first.
func TranscriptionModelNamed(name string, known func(name string) bool) string {
	name = ModelNamed(name, TranscriptionModels)
	if ours, ok := otherModelNames[name]; ok && !known(name) {
		return ours
	}
	return name
}

// Voices are OpenAI's names of voices, which mean the default voice.
var Voices = []string{
	"alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage", "shimmer", "verse",
}

// VoiceName is the name of a voice: a string, or an object with an id, as OpenAI's clients send custom voices.
type VoiceName string

const maxVoiceName = 200

// Schema implements huma.SchemaProvider.
func (VoiceName) Schema(huma.Registry) *huma.Schema {
	limit := maxVoiceName
	name := &huma.Schema{Type: huma.TypeString, MaxLength: &limit}
	object := &huma.Schema{
		Type: huma.TypeObject, Properties: map[string]*huma.Schema{"id": name}, Required: []string{"id"}, AdditionalProperties: true,
	}
	object.PrecomputeMessages()
	return &huma.Schema{AnyOf: []*huma.Schema{name, object}}
}

// UnmarshalJSON reads both forms.
func (v *VoiceName) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, (*string)(v)) == nil {
		return nil
	}
	var object struct {
		ID string `json:"id"`
	}
	err := json.Unmarshal(data, &object)
	*v = VoiceName(object.ID)
	return err
}

// ChoiceOf returns the value of a field in lower case, or otherwise for an empty one. Error: a ValidationError for a value that is
// none of those allowed.
func ChoiceOf(field, value, otherwise string, allowed ...string) (string, error) {
	value = strings.ToLower(strings.TrimSpace(value))
	switch {
	case value == "":
		return otherwise, nil
	case !slices.Contains(allowed, value):
		return "", backend.Invalid("enum", "Input should be one of: "+strings.Join(allowed, ", "), "body", field)
	}
	return value, nil
}
