// Package tags checks texts with audio tags, such as [sighs].
package tags

import (
	"slices"
	"unicode"
)

// OnlyInserted reports whether enhanced is original with audio tags inserted, and with spaces beside them.
// Brackets that the original has must stay. A tag must not part two letters of a word.
func OnlyInserted(original, enhanced string) bool {
	o, e := []rune(original), []rune(enhanced)
	inserted := len(e) - len(o)
	// at[j] are the lengths of the original that the first j runes of enhanced may stand for. There are several only where
	// an inserted tag is like text of the original.
	at := make([][]int, len(e)+1)
	reach := func(j, i int) {
		if j <= len(e) && j-i <= inserted && !slices.Contains(at[j], i) {
			at[j] = append(at[j], i)
		}
	}
	reach(0, 0)
	for j := range e {
		tag := insertion(e[j:])
		for _, i := range at[j] {
			if i < len(o) && o[i] == e[j] {
				reach(j+1, i+1)
			}
			if tag > 0 && !insideWord(o, i) {
				reach(j+tag, i)
				if e[j] != ' ' && j+tag < len(e) && e[j+tag] == ' ' {
					reach(j+tag+1, i)
				}
			}
		}
		at[j] = nil
	}
	return slices.Contains(at[len(e)], len(o))
}

// insertion returns the number of runes of the tag at the start of text, with one space before it where there is one; 0 where
// there is no tag.
func insertion(text []rune) int {
	start := 0
	if len(text) > 0 && text[0] == ' ' {
		start = 1
	}
	if start >= len(text) || text[start] != '[' {
		return 0
	}
	for i, r := range text[start+1:] {
		switch {
		case r == ']' && i > 0:
			return start + 1 + i + 1
		case r == ']' || r == '[' || unicode.IsControl(r):
			return 0
		}
	}
	return 0
}

// insideWord reports whether position i is between two letters, digits or marks of text.
func insideWord(text []rune, i int) bool {
	return i > 0 && i < len(text) && partOfWord(text[i-1]) && partOfWord(text[i])
}

func partOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
