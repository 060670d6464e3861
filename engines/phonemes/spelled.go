package phonemes

import "strings"

// SpelledA writes a hyphen behind each capital A between single capitals, as in "A I" or "F A Q", where espeak-ng would
// read the article. With the hyphen it reads the letter; the number of words stays the same.
func SpelledA(text string) string {
	if !strings.Contains(text, "A ") {
		return text
	}
	words := strings.Split(text, " ")
	for i := range len(words) - 1 {
		after := strings.TrimRight(words[i+1], `.,:;!?)]"'”’`)
		behind := i > 0 && (initial(words[i-1]) || words[i-1] == "I" && i > 1 && initial(words[i-2]))
		if strings.TrimLeft(words[i], `("'“‘[`) == "A" && (behind || after == "I" || initial(after)) {
			words[i] += "-"
		}
	}
	return strings.Join(words, " ")
}
