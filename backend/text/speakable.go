// Package text cuts a text into the chunks that are spoken one after another, by its sentences, structure and markup, and
// prepares each chunk for an engine: pronunciations, expressions, English spelled out.
package text

import (
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text/internal/markup"
)

// Speakable is backend.Speakable.
func Speakable(s string) bool { return backend.Speakable(s) }

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
