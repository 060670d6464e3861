package supertonic

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend"
)

// anyLanguage is the tag of text whose language is not given.
const anyLanguage = "na"

// frontend turns text into the ids that the graphs take.
type frontend struct {
	table   []int32 // the model's number of each code point, -1 for none
	edition edition
}

// language returns the tag for a BCP 47 language, of which the country does not matter: anyLanguage for an empty one and for
// English that has letters, but none of them Latin; nothing in an edition without tags.
// Error: backend.CodeLanguageNotSupported.
func (f *frontend) language(requested, text string) (string, error) {
	word, _, _ := strings.Cut(strings.ToLower(requested), "-")
	switch {
	case requested == "" || word == anyLanguage || slices.Contains(f.edition.languages, word):
	default:
		return "", backend.E(backend.CodeLanguageNotSupported,
			fmt.Sprintf("The model %s does not speak %s.", f.edition.name, requested),
			"Choose one of its languages: "+strings.Join(f.edition.languages, ", ")+".").With("language", requested)
	}
	switch {
	case !f.edition.tagged:
		return "", nil
	case requested == "" || word == "en" && foreign(text):
		return anyLanguage, nil
	}
	return word, nil
}

// foreign reports whether a text has letters, but no Latin one.
func foreign(text string) bool {
	letters := false
	for _, r := range text {
		if unicode.Is(unicode.Latin, r) {
			return false
		}
		letters = letters || unicode.IsLetter(r)
	}
	return letters
}

// pieces returns the ids of each piece of text that can be spoken; pieces without a letter or digit are left out.
func (f *frontend) pieces(s, language string) [][]int64 {
	longest := longestPiece
	if language == "ko" {
		longest = longestKorean
	}
	var out [][]int64
	for _, piece := range split(s, longest) {
		for _, part := range bounded(piece) {
			if ids, speakable := f.ids(clean(part), language); speakable {
				out = append(out, ids)
			}
		}
	}
	return out
}

// ids returns the id of each character of cleaned text, between the tags of its language. Characters that the model
// does not know are left out. speakable is false when what is left of the text has no letter or digit.
func (f *frontend) ids(text, language string) (ids []int64, speakable bool) {
	ids = make([]int64, 0, len(text)+len("<>")+len("</>")+2*len(language))
	if language == "" {
		return f.add(ids, text)
	}
	ids, _ = f.add(ids, "<"+language+">")
	ids, speakable = f.add(ids, text)
	ids, _ = f.add(ids, "</"+language+">")
	return ids, speakable
}

func (f *frontend) add(ids []int64, text string) (_ []int64, speakable bool) {
	for _, r := range text {
		if int(r) >= len(f.table) || f.table[r] < 0 {
			continue
		}
		ids = append(ids, int64(f.table[r]))
		speakable = speakable || unicode.IsLetter(r) || unicode.IsNumber(r)
	}
	return ids, speakable
}
