package backend

import (
	"strings"
	"unicode"
)

// Speakable reports whether s has a letter or a digit of any script (Unicode categories L and N), so that an engine
// has something to say.
func Speakable(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}
