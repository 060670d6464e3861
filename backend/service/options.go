package service

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The defaults and ranges of the contract.
const (
	defaultStability  = 0.5
	defaultSimilarity = 0.75
	minSpeed          = 0.25
	maxSpeed          = 4
	maxTitle          = 1000 // characters; a page of the usage list has 100 titles
)

// formats returns the values of response_format, the default first.
func formats() []Format { return []Format{MP3, PCM8000, PCM16000, PCM22050, PCM24000} }

// format returns the format of an answer.
func (o Options) format() (Format, error) {
	if o.ResponseFormat == nil {
		return MP3, nil
	}
	if !slices.Contains(formats(), *o.ResponseFormat) {
		names := make([]string, 0, len(formats()))
		for _, f := range formats() {
			names = append(names, string(f))
		}
		return "", errInvalid("The field \"response_format\" must be one of %s.", strings.Join(names, ", "))
	}
	return *o.ResponseFormat, nil
}

// title returns the title of the project, empty without one.
func (o Options) title() (string, error) {
	if o.Title == nil {
		return "", nil
	}
	if n := length(*o.Title); n > maxTitle {
		return "", errInvalid("The field \"title\" has %d characters; at most %d are allowed. Send a shorter title.", n, maxTitle)
	}
	return *o.Title, nil
}

// expressive returns the settings of v3.
func (o Options) expressive() (VoiceSettings, error) {
	stability, err := inRange("stability", o.Stability, defaultStability, 0, 1)
	if err != nil {
		return VoiceSettings{}, err
	}
	similarity, err := inRange("similarity_boost", o.SimilarityBoost, defaultSimilarity, 0, 1)
	if err != nil {
		return VoiceSettings{}, err
	}
	return VoiceSettings{
		Speed: 1, Stability: stability, SimilarityBoost: similarity,
		SpeakerBoost:     o.SpeakerBoost == nil || *o.SpeakerBoost,
		LanguageOverride: o.LanguageOverride != nil && *o.LanguageOverride,
	}, nil
}

// inRange returns the value of an optional field.
func inRange(field string, value *float64, absent, low, high float64) (float64, error) {
	if value == nil {
		return absent, nil
	}
	if *value >= low && *value <= high { // false for NaN too
		return *value, nil
	}
	return 0, errInvalid("The field %q must be a number from %g to %g.", field, low, high)
}

// namedModel returns the model that a request names.
func namedModel(id string) (Model, error) {
	if m, ok := model(id); ok {
		return m, nil
	}
	if id == "" {
		return Model{}, errInvalid("The field \"ttsModel\" is missing. Send the id of a model from the list of models.")
	}
	return Model{}, errInvalid("The field \"ttsModel\" names no model. Use an id from the list of models.")
}

// blank reports whether a text has nothing but spaces.
func blank(text string) bool { return strings.TrimSpace(text) == "" }

// length returns the number of characters of a text: Unicode code points.
func length(text string) int { return utf8.RuneCountInString(text) }
