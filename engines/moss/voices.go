package moss

import (
	"cmp"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/engines"
)

// languages are those that the makers list (README of MOSS-TTS-Nano; it says 20), BCP 47. An array, so that nothing can
// change them.
var languages = [...]string{
	"zh", "en", "de", "es", "fr", "ja", "it", "hu", "ko", "ru", "fa", "ar", "pl", "pt", "cs", "da", "sv", "el", "tr",
}

// groups are the words of the manifest's groups of voices that name a language.
var groups = map[string]string{
	"chinese": "zh", "english": "en", "german": "de", "spanish": "es", "french": "fr", "japanese": "ja", "jp": "ja", "italian": "it",
	"hungarian": "hu", "korean": "ko", "russian": "ru", "persian": "fa", "arabic": "ar", "polish": "pl", "portuguese": "pt",
	"czech": "cs", "danish": "da", "swedish": "sv", "greek": "el", "turkish": "tr",
}

// voices returns the built-in voices.
func (m manifest) voices() []engines.Voice {
	var out []engines.Voice
	for _, v := range m.Voices {
		language, gender := v.kind()
		out = append(out, engines.Voice{ID: v.ID, Name: cmp.Or(v.Name, v.ID), Language: language, Gender: gender})
	}
	return out
}

// kind returns the language of a voice, English if the manifest does not say, and its gender if it does.
func (b builtin) kind() (language, gender string) {
	language = "en"
	for _, word := range strings.Fields(strings.ToLower(b.Group)) {
		word = cmp.Or(groups[word], word)
		switch {
		case slices.Contains(languages[:], word):
			language = word
		case word == "male" || word == "female":
			gender = word
		}
	}
	return language, gender
}

// codes returns the codes of a voice, frame after frame.
func (b builtin) codes() []int32 { return slices.Concat(b.Codes...) }
