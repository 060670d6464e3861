package text

import (
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
)

// Plain returns a text as a reader sees it, such as in subtitles: words without their respellings, and no pauses, phonemes,
// expressions, elements of SSML, signs of Markdown or references to notes.
func Plain(s string) string {
	var plain strings.Builder
	plain.Grow(len(s))
	markup.Spans(s, func(_, read string) { plain.WriteString(read) }, func(m markup.Markup, _ string) {
		if m.Kind == markup.Respelling {
			plain.WriteString(m.Word)
		}
	})
	return strings.Join(strings.Fields(plain.String()), " ")
}
