package openai

import (
	"strings"

	"github.com/voicewright/voicewright/backend/service"
)

// published are the voices that OpenAI publishes for its speech models. It states neither
// gender nor accent nor category: these follow how the voices are commonly described, and nobody has checked them by listening.
// An operator who knows better lists the voices in the providers file.
var published = []struct {
	name, gender, accent, category string
	newer                          bool // not spoken by tts-1 and tts-1-hd
}{
	{"alloy", "female", "United States", "conversational", false},
	{"ash", "male", "United States", "conversational", false},
	{"ballad", "male", "United Kingdom", "narrator", true},
	{"cedar", "male", "United States", "conversational", true},
	{"coral", "female", "United States", "conversational", false},
	{"echo", "male", "United States", "narrator", false},
	{"fable", "male", "United Kingdom", "narrator", false},
	{"marin", "female", "United States", "conversational", true},
	{"nova", "female", "United States", "conversational", false},
	{"onyx", "male", "United States", "narrator", false},
	{"sage", "female", "United States", "narrator", false},
	{"shimmer", "female", "United States", "conversational", false},
	{"verse", "male", "United States", "conversational", true},
}

// publishedVoices returns OpenAI's voices that a model speaks.
func publishedVoices(model string) []service.Voice {
	old := strings.HasPrefix(model, "tts-1")
	var voices []service.Voice
	for _, v := range published {
		if v.newer && old {
			continue
		}
		voices = append(voices, service.Voice{
			Native: v.name, Name: strings.ToUpper(v.name[:1]) + v.name[1:], Gender: v.gender, Accent: v.accent, Language: "en",
			Category: v.category,
		})
	}
	return voices
}
