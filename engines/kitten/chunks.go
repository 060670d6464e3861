package kitten

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines/phonemes"
)

// longest is the most characters of a chunk, without the comma that ends it (KittenTTS, onnx_model.py).
const longest = 400

// chunks cuts a text into the inputs of the model: sentences, the long ones at words. White space is folded and blocks
// stay whole. The reference drops the marks . ! ? and cuts at each of them, also inside numbers; here they stay, so
// that a question sounds like one.
func chunks(s string) []string {
	masked := hide(s)
	var out []string
	at := 0
	for _, sentence := range text.Sentences(masked) {
		next := at + len(sentence)
		out = append(out, fill(words(s[at:next], sentence))...)
		at = next
	}
	return out
}

// closed returns a chunk with a comma at its end where it has no mark there.
func closed(chunk string) string {
	if chunk == "" || strings.ContainsAny(chunk[len(chunk)-1:], ".!?,;:") {
		return chunk
	}
	return chunk + ","
}

// hide returns s with letters in place of all blocks, as long in bytes.
func hide(s string) string {
	var b strings.Builder
	for _, p := range phonemes.Cut(s) {
		if p.Block {
			p.Text = strings.Repeat("x", len("[[]]")+len(p.Text))
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

// words returns the words of s; masked is s with its blocks hidden.
func words(s, masked string) []string {
	var out []string
	start := -1
	for i, r := range masked {
		switch {
		case unicode.IsSpace(r) && start >= 0:
			out, start = append(out, s[start:i]), -1
		case !unicode.IsSpace(r) && start < 0:
			start = i
		}
	}
	if start >= 0 {
		out = append(out, s[start:])
	}
	return out
}

// fill joins words into chunks of as many words as fit. A word without a block that is longer than a chunk is cut.
func fill(words []string) []string {
	var out []string
	var chunk []string
	count := 0
	flush := func() {
		if len(chunk) > 0 {
			out, chunk, count = append(out, strings.Join(chunk, " ")), nil, 0
		}
	}
	for _, word := range words {
		size := utf8.RuneCountInString(word)
		if count+size > longest {
			flush()
		}
		for size > longest && !hasBlock(word) {
			cut := 0
			for range longest {
				_, width := utf8.DecodeRuneInString(word[cut:])
				cut += width
			}
			out, word, size = append(out, word[:cut]), word[cut:], size-longest
		}
		chunk, count = append(chunk, word), count+size+1
	}
	flush()
	return out
}

func hasBlock(word string) bool {
	return slices.ContainsFunc(phonemes.Cut(word), func(p phonemes.Part) bool { return p.Block })
}

// characters counts the characters of a chunk; of a block its phonemes count.
func characters(chunk string) int {
	n := 0
	for _, p := range phonemes.Cut(chunk) {
		n += utf8.RuneCountInString(p.Text)
	}
	return n
}
