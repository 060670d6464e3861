package pdf

import (
	"slices"
	"strings"
	"unicode"
)

// directions returns how many letters of a text are written from right to left, and from left to right.
func directions(s string) (rightToLeft, leftToRight int) {
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko):
			rightToLeft++
		case unicode.IsLetter(r):
			leftToRight++
		}
	}
	return rightToLeft, leftToRight
}

func isRightToLeft(s string) bool {
	rightToLeft, leftToRight := directions(s)
	return rightToLeft > leftToRight
}

// mirror returns words with their places mirrored, so that a line from right to left is one from left to right.
func mirror(words []word) []word {
	out := slices.Clone(words)
	for i, w := range words {
		out[i].x0, out[i].x1 = -w.x1, -w.x0
	}
	return out
}

// mirrorPages mirrors the places of the lines where most text is written from right to left.
func mirrorPages(pages []*page) {
	rightToLeft, all := 0, 0
	for _, p := range pages {
		for _, l := range p.lines {
			all += len(l.text)
			if isRightToLeft(l.text) {
				rightToLeft += len(l.text)
			}
		}
	}
	if 2*rightToLeft <= all {
		return
	}
	for _, p := range pages {
		for _, l := range p.lines {
			l.x0, l.x1 = -l.x1, -l.x0
		}
	}
}

// logical puts the words of a line, and their characters, in the order in which they are read: pdftotext -bbox-layout has them
// from left to right. In a line of the other direction the words are mirrored already.
func logical(words []word, rightToLeft bool) {
	for i, w := range words {
		if isRightToLeft(w.text) {
			words[i].text = reversed(w.text)
		}
	}
	for from := 0; from < len(words); from++ { // words of the other direction, side by side, are in their own order
		to := from
		for to < len(words) && otherDirection(words[to].text, rightToLeft) {
			to++
		}
		for a, b := from, to-1; a < b; a, b = a+1, b-1 {
			words[a].text, words[b].text = words[b].text, words[a].text
		}
		from = max(from, to)
	}
}

// otherDirection reports whether a word is written against the direction of its line.
func otherDirection(s string, rightToLeft bool) bool {
	back, forth := directions(s)
	if rightToLeft {
		return back == 0 && (forth > 0 || strings.ContainsFunc(s, unicode.IsDigit))
	}
	return back > forth
}

// reversed returns a word of a script from right to left in its order. Numbers in it keep theirs, and marks their letter.
func reversed(word string) string {
	var parts []string
	number := false
	from := 0
	for at, r := range word {
		digit := unicode.IsDigit(r)
		if at > 0 && (unicode.IsMark(r) || digit && number) {
			continue
		}
		parts = append(parts, word[from:at])
		from, number = at, digit
	}
	parts = append(parts, word[from:])
	slices.Reverse(parts)
	return strings.Join(parts, "")
}

// ligatures are letters that a font joins, which some files have as one character.
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")
