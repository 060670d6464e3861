package phonemes

import "regexp"

var (
	block = regexp.MustCompile(`\[\[(.*?)\]\]`)
	word  = regexp.MustCompile(`(?:\[\[.*?\]\]|\S)+`)
)

// Part is a piece of text, or phonemes that are in the text as [[...]].
type Part struct {
	Text  string // of phonemes without the brackets
	Block bool   // Text is phonemes
}

// Cut returns the text between blocks of phonemes, and those, as piper-tts does (voice.py). Empty text between blocks is left
// out.
func Cut(s string) []Part {
	var out []Part
	start := 0
	for _, at := range block.FindAllStringSubmatchIndex(s, -1) {
		if start < at[0] {
			out = append(out, Part{Text: s[start:at[0]]})
		}
		out = append(out, Part{Text: s[at[2]:at[3]], Block: true})
		start = at[1]
	}
	if start < len(s) {
		out = append(out, Part{Text: s[start:]})
	}
	return out
}

// Words returns the words of a text as they are written, with their punctuation: all between white space, where a block of
// phonemes with what touches it is one word.
func Words(s string) []string { return word.FindAllString(s, -1) }
