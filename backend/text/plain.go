package text

import (
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
)

// Plain returns a text as a reader sees it, such as in subtitles: words without their respellings, and no pauses, phonemes,
// expressions or elements of SSML.
func Plain(s string) string {
	var out strings.Builder
	for {
		at, m, ok := markup.Next(s)
		if !ok {
			out.WriteString(s)
			return strings.Join(strings.Fields(out.String()), " ")
		}
		out.WriteString(s[:at])
		if m.Kind == markup.Respelling {
			out.WriteString(m.Word)
		}
		s = s[at+m.Size:]
	}
}
