package httpapi

import (
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

// maxWords is the maximum number of pronunciations in a request.
const maxWords = 1000

// checkWords validates the pronunciations within a part of a request like the dictionary. Two that match the same text are an error.
func checkWords(words map[string]string, within ...string) error {
	at := slices.Concat([]string{"body"}, within, []string{"pronunciations"})
	if len(words) > maxWords {
		return backend.Invalid("too_long", "Dictionary should have at most "+strconv.Itoa(maxWords)+" items", at...)
	}
	var fields []backend.FieldError
	seen := map[string]string{}
	for _, word := range slices.Sorted(maps.Keys(words)) {
		loc := slices.Concat(at, []string{word})
		p := backend.Pronunciation{Word: word, Respelling: words[word]}
		var invalid *backend.ValidationError
		if errors.As(p.Check(), &invalid) {
			for _, f := range invalid.Fields {
				f.Loc = loc
				fields = append(fields, f)
			}
		}
		if other, twice := seen[text.PronunciationKey(word)]; twice {
			fields = append(fields, backend.Invalid("value_error", "Value error, it is the same word as "+strconv.Quote(other), loc...).Fields...)
		}
		seen[text.PronunciationKey(word)] = word
	}
	if len(fields) > 0 {
		return &backend.ValidationError{Fields: fields}
	}
	return nil
}
