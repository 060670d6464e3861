package tokens

import (
	"strings"
	"unicode/utf8"
)

// space is how SentencePiece writes a space in pieces: U+2581.
const space = "▁"

// normalizer prepares a text for the pieces of a SentencePiece model.
type normalizer struct {
	charsmap     charsmap
	userDefined  *trie // pieces that are copied as they are; nil if there are none
	dummyPrefix  bool
	removeSpaces bool
	escapeSpaces bool
	asSuffix     bool
}

// normalize returns the text as its pieces spell it.
func (n *normalizer) normalize(text string) string {
	if n.removeSpaces {
		text = n.trimLeft(text)
	}
	if text == "" {
		return ""
	}
	separator := " "
	if n.escapeSpaces {
		separator = space
	}
	var out strings.Builder
	out.Grow(len(text) + len(text)/4 + 2*len(space))
	if n.dummyPrefix && !n.asSuffix {
		out.WriteString(separator)
	}
	n.write(&out, text, separator)
	normalized := out.String()
	if n.removeSpaces {
		normalized = strings.TrimRight(normalized, separator)
	}
	if n.dummyPrefix && n.asSuffix {
		normalized += separator
	}
	return normalized
}

// write writes the replacements of a text. Spaces at its start and after other spaces are left out where the model says so.
func (n *normalizer) write(out *strings.Builder, text, separator string) {
	afterSpace := n.removeSpaces
	for text != "" {
		part, size := n.first(text)
		text = text[size:]
		if afterSpace {
			part = strings.TrimLeft(part, " ")
		}
		if part == "" {
			continue
		}
		for before, after, found := strings.Cut(part, " "); ; before, after, found = strings.Cut(after, " ") {
			out.WriteString(before)
			if !found {
				break
			}
			out.WriteString(separator)
		}
		afterSpace = n.removeSpaces && strings.HasSuffix(part, " ")
	}
}

// trimLeft cuts off what the model reads as spaces at the start of a text.
func (n *normalizer) trimLeft(text string) string {
	for text != "" {
		part, size := n.first(text)
		if part != " " {
			break
		}
		text = text[size:]
	}
	return text
}

// first returns the replacement of what a text begins with, and the size of that in the text: a user-defined piece, a
// key of the table, or else one character. A byte that is no UTF-8 is U+FFFD.
func (n *normalizer) first(text string) (replacement string, size int) {
	if n.userDefined != nil {
		if _, size := n.userDefined.longest(text); size > 0 {
			return text[:size], size
		}
	}
	if replacement, size := n.charsmap.longest(text); size > 0 {
		return replacement, size
	}
	if text[0] < utf8.RuneSelf {
		return text[:1], 1
	}
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && size == 1 {
		return "\uFFFD", 1
	}
	return text[:size], size
}
