package pocket

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines/python"
)

// unit is a part of a text that is not divided.
type unit struct {
	text  string
	glued bool // belongs to the word of the unit before it
}

// split cuts text into parts of at most longest tokens each: as many sentences as fit together. A longer sentence is cut
// into clauses, a longer clause into words, and a longer word anywhere. A number such as 2.5 stays whole.
func (f *frontend) split(s string, longest int) []string {
	units := f.units(s, longest)
	parts := f.pack(units, longest, false)
	for _, part := range parts {
		if !f.fits(part, longest) {
			return f.pack(units, longest, true)
		}
	}
	return parts
}

// pack joins units to parts. The tokens of a part are nearly those of its units together, so they are counted again only
// where that is more than longest; exact says to count them each time, which takes several times as long.
func (f *frontend) pack(units []unit, longest int, exact bool) (out []string) {
	current, tokens := "", 0
	for _, u := range units {
		joined, size := u.text, f.size(u.text)
		if current == "" {
			current, tokens = joined, size
			continue
		}
		if !u.glued {
			joined = " " + joined
		}
		joined = current + joined
		if tokens += size; exact || tokens > longest {
			tokens = f.size(joined)
		}
		if tokens > longest {
			out, joined, tokens = append(out, current), u.text, size
		}
		current = joined
	}
	if current != "" {
		out = append(out, current)
	}
	return out
}

// fits reports whether a part has at most longest tokens.
func (f *frontend) fits(s string, longest int) bool { return f.size(s) <= longest }

// size returns the number of tokens of a part.
func (f *frontend) size(s string) int {
	prepared, _ := f.prepare(s)
	return len(f.tokens.Encode(prepared))
}

// units cuts text into sentences, and those that are too long into smaller parts. White space at the ends is left out.
func (f *frontend) units(s string, longest int) []unit {
	divide := []func(string) []string{text.Sentences, clauses, python.Fields}
	parts := []string{s}
	for _, cut := range divide {
		var next []string
		for _, part := range parts {
			if len(next) == 0 && len(parts) == 1 || !f.fits(part, longest) {
				next = append(next, cut(part)...)
			} else {
				next = append(next, part)
			}
		}
		parts = next
	}
	var out []unit
	for _, part := range parts {
		if part = python.TrimSpace(part); part != "" {
			out = append(out, f.letters(part, longest)...)
		}
	}
	return out
}

// clauses cuts a sentence at the white space after commas and their like.
func clauses(sentence string) []string {
	var out []string
	for _, word := range python.Fields(sentence) {
		last := len(out) - 1
		if last < 0 || endsClause(out[last]) {
			out = append(out, word)
		} else {
			out[last] += " " + word
		}
	}
	return out
}

// endsClause reports whether a clause ends with s, which may also end with quotes or brackets.
func endsClause(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, `"'”’»)]}`))
	return slices.Contains([]rune{',', ';', ':', '.', '!', '?', '…', '–', '—', '、', '，', '；', '：', '。'}, r)
}

// letters cuts a word that is too long into parts that fit.
func (f *frontend) letters(word string, longest int) []unit {
	var out []unit
	for runes := []rune(word); len(runes) > 0; {
		n := len(runes)
		if !f.fits(string(runes), longest) {
			// The longest beginning that fits, found by halving: more runes never have fewer tokens in practice, and where
			// they do the part still fits.
			low, high := 1, min(n, longest*maxRunesPerToken)
			for low < high {
				if mid := (low + high + 1) / 2; f.fits(string(runes[:mid]), longest) {
					low = mid
				} else {
					high = mid - 1
				}
			}
			n = low
		}
		out = append(out, unit{text: string(runes[:n]), glued: len(out) > 0})
		runes = runes[n:]
	}
	return out
}

// maxRunesPerToken bounds the search in letters: pieces of words are shorter.
const maxRunesPerToken = 16
