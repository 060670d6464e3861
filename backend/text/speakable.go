// Package text cuts text into sentences and into the pieces that are spoken one after another.
package text

import "unicode"

// Speakable reports whether s has a letter or a digit of any script (Unicode categories L and N), so that an engine
// has something to say.
func Speakable(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return true
		}
	}
	return false
}
