package english

import "strings"

// portionSize is the number of bytes after which a text is cut at the next end of a line or sentence, so that a book is not
// held as tokens at once; portionLimit is where it is cut in any case.
const (
	portionSize  = 4 << 10
	portionLimit = 16 << 10
)

// portion cuts the first part off a text.
func portion(text string) (first, remainder string) {
	if len(text) <= portionSize {
		return text, ""
	}
	for i := portionSize; i < min(len(text), portionLimit); i++ {
		if text[i] == '\n' || text[i] == ' ' && strings.IndexByte(".!?", text[i-1]) >= 0 && !inBlock(text[:i]) {
			return text[:i+1], text[i+1:]
		}
	}
	if len(text) <= portionLimit {
		return text, ""
	}
	i := strings.LastIndexByte(text[:portionLimit], ' ') + 1
	if i == 0 {
		i = portionLimit
	}
	return text[:i], text[i:]
}

// inBlock reports whether a text ends inside [[ ]].
func inBlock(text string) bool {
	const longest = 1000
	text = text[max(len(text)-longest, 0):]
	return strings.LastIndex(text, "[[") > strings.LastIndex(text, "]]")
}
