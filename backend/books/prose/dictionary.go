package prose

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

// Dictionary is the user's dictionary, as far as books need it.
type Dictionary struct {
	Key      string // of all entries
	words    []backend.Pronunciation
	compiled map[string]*text.Pronunciations // by language
}

// NewDictionary returns a dictionary of entries.
func NewDictionary(words []backend.Pronunciation) *Dictionary {
	content, _ := json.Marshal(words) // it has nothing that cannot be encoded
	return &Dictionary{Key: backend.BookKey(content), words: words, compiled: map[string]*text.Pronunciations{}}
}

// In returns a key of the entries that are applied in the text of a chapter, empty where there are none. The voice may be of a country
// that the language of the options does not name: entries of all countries count then.
func (d *Dictionary) In(parts []string, language string, own map[string]string) string {
	if len(d.words) == 0 {
		return ""
	}
	if d.compiled[language] == nil {
		words := slices.DeleteFunc(slices.Clone(d.words), func(p backend.Pronunciation) bool {
			return language != "" && !backend.MatchesLanguage(language, p.Language) && !backend.MatchesLanguage(p.Language, language)
		})
		for i := range words {
			words[i].Language = "" // they were chosen
		}
		d.compiled[language] = text.NewPronunciations(words, language)
	}
	var mine []backend.Pronunciation
	for word, respelling := range own {
		mine = append(mine, backend.Pronunciation{Word: word, Respelling: respelling})
	}
	var said []string
	for _, p := range d.compiled[language].In(strings.Join(parts, "\n\n"), mine) {
		said = append(said, p.Word, p.Respelling)
	}
	if len(said) == 0 {
		return ""
	}
	content, _ := json.Marshal(said) // it has nothing that cannot be encoded
	return backend.BookKey(content)
}
