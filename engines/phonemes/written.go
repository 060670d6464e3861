package phonemes

import "regexp"

var (
	rawBlock = regexp.MustCompile(`\[\[(.*?)\]\]`)
	written  = regexp.MustCompile(`(?:\[\[.*?\]\]|\S)+`)
)

// Part is a piece of text, or phonemes that stand in the text as [[...]].
type Part struct {
	Text  string // of phonemes without the brackets
	Block bool   // Text is phonemes
}

// Cut cuts a text at its blocks of phonemes (piper-tts, voice.py). Empty text between blocks is left out.
func Cut(s string) []Part {
	var out []Part
	start := 0
	for _, at := range rawBlock.FindAllStringSubmatchIndex(s, -1) {
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

// Written gives the words of a text as they are written, punctuation included: what stands between white space, or phonemes in
// double brackets with what touches them.
func Written(s string) []string { return written.FindAllString(s, -1) }
