package pocket

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

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

// dividers cut a text into smaller and smaller parts. Between those of the first one there may be no white space.
var dividers = [...]func(string) []string{text.Sentences, clauses, python.Fields}

// units cuts text into sentences, and those that are too long into smaller parts. White space at the ends is left out.
func (f *frontend) units(s string, longest int) []unit {
	parts := []unit{{text: s}}
	for i, cut := range dividers {
		var next []unit
		for _, part := range parts {
			if len(parts) == 1 || !f.fits(part.text, longest) {
				next = appendParts(next, part.glued, cut(part.text), i > 0)
			} else {
				next = append(next, part)
			}
		}
		parts = next
	}
	var out []unit
	for _, part := range parts {
		all := f.letters(part.text, longest)
		all[0].glued = part.glued
		out = append(out, all...)
	}
	return out
}

// appendParts appends the parts of a unit without white space around them. glued is whether the unit belongs to the word before it,
// spaced whether there is white space between all parts.
func appendParts(units []unit, glued bool, parts []string, spaced bool) []unit {
	for _, part := range parts {
		trimmed := python.TrimSpace(part)
		if trimmed == "" {
			glued = false
			continue
		}
		units = append(units, unit{text: trimmed, glued: glued && strings.HasPrefix(part, trimmed)})
		glued = !spaced && strings.HasSuffix(part, trimmed)
	}
	return units
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

// letters cuts a word that is too long into parts that fit: between characters that are displayed as one only where a single one
// is too long.
func (f *frontend) letters(word string, longest int) []unit {
	if f.fits(word, longest) {
		return []unit{{text: word}}
	}
	var clusters []string
	for all := graphemes.FromString(word); all.Next(); {
		if cluster := all.Value(); f.fits(cluster, longest) {
			clusters = append(clusters, cluster)
		} else {
			clusters = append(clusters, strings.Split(cluster, "")...)
		}
	}
	var out []unit
	for len(clusters) > 0 {
		// The longest beginning that fits, found by halving: more characters never have fewer tokens in practice, and where
		// they do the part still fits.
		low, high := 1, min(len(clusters), longest*maxRunesPerToken)
		for low < high {
			if mid := (low + high + 1) / 2; f.fits(strings.Join(clusters[:mid], ""), longest) {
				low = mid
			} else {
				high = mid - 1
			}
		}
		out = append(out, unit{text: strings.Join(clusters[:low], ""), glued: len(out) > 0})
		clusters = clusters[low:]
	}
	return out
}

// maxRunesPerToken bounds the search in letters: pieces of words are shorter.
const maxRunesPerToken = 16
