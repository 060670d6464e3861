package text

import (
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
)

// Plain returns a text as a reader sees it, such as in subtitles: words without their respellings, and no pauses, phonemes,
// expressions or elements of SSML.
func Plain(s string) string {
	plain := markup.Replace(s, func(m markup.Markup, _ string) string {
		if m.Kind == markup.Respelling {
			return m.Word
		}
		return ""
	})
	return strings.Join(strings.Fields(plain), " ")
}
