package english

import (
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// camelCase reads a word with capitals inside part by part.
func (n *words) camelCase(w string, end int) bool {
	if !ascii(w) || !capitalInside(w) || prose.AllCapitals(w) {
		return false
	}
	words := joinCamelCase(w)
	if words == w {
		return false
	}
	n.say(words, end)
	return true
}

// joinCamelCase returns the parts of a word with spaces between them, acronyms among them spelled.
func joinCamelCase(w string) string {
	parts := splitCamelCase(w)
	for i, part := range parts {
		if letters, ok := acronym(part); ok {
			parts[i] = letters
		}
	}
	return strings.Join(parts, " ")
}

// splitCamelCase cuts getUserName, HTTPServer and macOS into their parts. Names such as iPhone and YouTube stay whole.
func splitCamelCase(w string) []string {
	switch w {
	case "PhD":
		return []string{"PHD"}
	case "PhDs":
		return []string{"PHDs"}
	}
	head := 0 // letters before the first capital
	for head < len(w) && lower(w[head]) {
		head++
	}
	if head == 1 && len(w) > 2 && !prose.AllCapitals(w[1:]) {
		return []string{w}
	}
	var parts []string
	start := 0
	for i := 1; i < len(w); i++ {
		if head > 0 && lower(w[i-1]) && upper(w[i]) || i > start+1 && acronymEnds(w, i) {
			parts = append(parts, w[start:i])
			start = i
		}
	}
	return append(parts, w[start:])
}

// acronymEnds reports whether an acronym in w ends before i, where a capitalised word begins. URLs is one acronym.
func acronymEnds(w string, i int) bool {
	return i+1 < len(w) && upper(w[i-1]) && upper(w[i]) && lower(w[i+1]) && w[i+1:] != "s"
}
