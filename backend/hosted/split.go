package hosted

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text"
)

// split divides a text into parts of at most limit code points, the white space around a part not counted: whole sentences,
// as many as fit; a longer sentence is cut at white space, else anywhere. Joined together the parts are the text.
func split(s string, limit int) []string {
	var parts []string
	part := ""
	for _, sentence := range text.Sentences(s) {
		if part != "" && length(part+sentence) > limit {
			parts, part = append(parts, part), ""
		}
		for part += sentence; length(part) > limit; {
			at := cutPoint(part, limit)
			parts, part = append(parts, part[:at]), part[at:]
		}
	}
	return append(parts, part)
}

// length returns the code points of a text without the white space around it.
func length(s string) int { return utf8.RuneCountInString(strings.TrimSpace(s)) }

// cutPoint returns the byte at which the first part of a text ends that is longer than limit.
func cutPoint(s string, limit int) int {
	lead := len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
	space, count := 0, 0
	for i, r := range s[lead:] {
		if unicode.IsSpace(r) {
			space = lead + i
		}
		if count == limit {
			if space > lead {
				return space
			}
			return lead + i
		}
		count++
	}
	return len(s)
}

// trimmed returns a text without the white space around it, and that before it.
func trimmed(s string) (before, core string) {
	core = strings.TrimLeftFunc(s, unicode.IsSpace)
	return s[:len(s)-len(core)], strings.TrimRightFunc(core, unicode.IsSpace)
}
