// Package folding compares what people type with names, without regard to case and accents.
package folding

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Key returns a text in lower case and without accents, which is the same for all its spellings. The index of the library folds more,
// see sqlite/internal/words.
func Key(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, strings.ToLower(norm.NFKD.String(s)))
}
