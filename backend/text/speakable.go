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
	found := false
	markup.Spans(s, func(_, read string) { found = found || Speakable(read) }, func(m markup.Markup, source string) {
		double := m.Kind == markup.Respelling || m.Kind == markup.Raw
		found = found || double && Speakable(source)
	})
	return found
}
