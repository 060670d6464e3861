package whisper

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
)

// otherTags are tags that people and systems use for languages of the models.
var otherTags = map[string]string{"nb": "no", "fil": "tl", "cmn": "zh", "iw": "he", "in": "id", "jw": "jv"}

// The code of Javanese in the models differs from its tag.
const javaneseTag, javaneseCode = "jv", "jw"

// tag returns the BCP 47 tag of a code of the models.
func tag(code string) string {
	if code == javaneseCode {
		return javaneseTag
	}
	return code
}

// code returns the code of a language that is one of the known tags, empty for an empty one. Error:
// backend.CodeLanguageNotSupported.
func code(language string, known []string) (string, error) {
	if language == "" {
		return "", nil
	}
	base := backend.BaseLanguage(language)
	base = cmp.Or(otherTags[base], base)
	switch {
	case !slices.Contains(known, base) && len(known) == 1:
		return "", backend.E(backend.CodeLanguageNotSupported, "This model knows English only, not the language "+language+".",
			"Choose a model for all languages.").With("language", language)
	case !slices.Contains(known, base):
		return "", backend.E(backend.CodeLanguageNotSupported, "The model does not know the language "+language+".",
			"Choose another language, or let it be detected.").With("language", language)
	case base == javaneseTag:
		return javaneseCode, nil
	}
	return base, nil
}

// maxPrompt is the length of a prompt in bytes that always suffices: the library uses its last 223 tokens. It reads the prompt
// with a regular expression that recurses for each character, so a long one would overflow the stack.
const maxPrompt = 2000

// shortened returns the end of a prompt, as much as the library can use.
func shortened(prompt string) string {
	if len(prompt) <= maxPrompt {
		return prompt
	}
	prompt = prompt[len(prompt)-maxPrompt:]
	for len(prompt) > 0 && !utf8.RuneStart(prompt[0]) {
		prompt = prompt[1:]
	}
	return prompt
}
