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

// checkWords validates the pronunciations of a request like those of the dictionary. Two that match the same text are an error.
func checkWords(words map[string]string) error {
	if len(words) > maxWords {
		return backend.Invalid("too_long", "Dictionary should have at most "+strconv.Itoa(maxWords)+" items", "body", "pronunciations")
	}
	var fields []backend.FieldError
	seen := map[string]string{}
	for _, word := range slices.Sorted(maps.Keys(words)) {
		loc := []string{"body", "pronunciations", word}
		p := backend.Pronunciation{Word: word, Respelling: words[word]}
		var invalid *backend.ValidationError
		if errors.As(p.Check(), &invalid) {
			for _, f := range invalid.Fields {
				f.Loc = loc
				fields = append(fields, f)
			}
		}
		if other, twice := seen[text.PronunciationKey(word)]; twice {
			fields = append(fields, backend.FieldError{
				Loc: loc, Type: "value_error", Msg: "Value error, it is the same word as " + strconv.Quote(other),
			})
		}
		seen[text.PronunciationKey(word)] = word
	}
	if len(fields) > 0 {
		return &backend.ValidationError{Fields: fields}
	}
	return nil
}
