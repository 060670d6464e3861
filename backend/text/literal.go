package text

import (
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
)

// Literal returns s as text without markup: what would be markup, such as [laughs] or <p> in a book about HTML, gets round brackets, and
// its words are spoken. Signs of Markdown and references to notes stay.
func Literal(s string) string {
	return markup.Replace(s, func(_ markup.Markup, source string) string { return round.Replace(source) })
}

// round replaces brackets by round ones.
var round = strings.NewReplacer("[", "(", "]", ")", "<", "(", ">", ")")
