// Package text cuts a text into the chunks that are spoken one after another, by its sentences, structure and markup, and
// prepares each chunk for an engine: pronunciations, expressions, English spelled out.
package text

import (
	"unicode"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
)

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

// speaks reports whether s has something to speak besides expressions.
func speaks(s string) bool {
	for {
		at, m, ok := markup.Next(s)
		if !ok {
			return Speakable(s)
		}
		double := m.Kind == markup.Respelling || m.Kind == markup.Raw
		if Speakable(s[:at]) || double && Speakable(s[at:at+m.Size]) {
			return true
		}
		s = s[at+m.Size:]
	}
}
