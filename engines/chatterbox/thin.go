package chatterbox

import "strings"

// turboText returns a text as Turbo reads it.
func turboText(s string) string { return strings.TrimSpace(s) }

// multilingualText returns a text as Multilingual reads it.
func multilingualText(language, s string) string {
	return "[" + language + "]" + strings.ToLower(strings.TrimSpace(s))
}
