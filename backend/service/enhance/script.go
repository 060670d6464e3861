package enhance

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// script is a text without what is in brackets: the same before and after tags were inserted.
type script struct {
	text  string
	words []word
	cuts  []cut         // where something was left out, ascending
	tags  []existingTag // what was left out
	end   int           // offset after which nothing is inserted: an open bracket begins there
}

// word is a run of letters, marks and digits, with apostrophes and hyphens inside.
type word struct {
	start, end int
	lower      string
	position   int // half words before it; characters of scripts without spaces count half a word each
}

// cut says that from offset at of the script on, the original text is shift bytes further.
type cut struct{ at, shift int }

// existingTag is a text in brackets that the original has before a word.
type existingTag struct {
	word int
	tag  tag
}

// readScript takes the brackets out of text, each with one space after it.
func readScript(text string) script {
	var p script
	var b strings.Builder
	type mark struct {
		at  int
		tag tag
	}
	var marks []mark
	done := 0
	for _, s := range brackets(text) {
		b.WriteString(text[done:s.start])
		marks = append(marks, mark{b.Len(), parseTag(strings.Trim(text[s.start:s.end], "[] "))})
		done = s.end
		if strings.HasPrefix(text[done:], " ") {
			done++
		}
		p.cuts = append(p.cuts, cut{b.Len(), done - b.Len()})
	}
	b.WriteString(text[done:])
	p.text, p.end = b.String(), b.Len()
	if i := strings.IndexByte(p.text, '['); i >= 0 {
		p.end = i
	}
	p.words = readWords(p.text)
	w := 0
	for _, m := range marks {
		for w < len(p.words) && p.words[w].start < m.at {
			w++
		}
		p.tags = append(p.tags, existingTag{w, m.tag})
	}
	return p
}

// span is a part of a text, from start to before end.
type span struct{ start, end int }

// brackets returns the outermost texts in square brackets, with the round ones of a pronunciation right after them. The first
// bracket that is not closed ends the search.
func brackets(text string) []span {
	var all []span
	for at := 0; ; {
		open := strings.IndexByte(text[at:], '[')
		if open < 0 {
			return all
		}
		start := at + open
		length := closing(text[start:])
		if length == 0 {
			return all
		}
		at = start + length
		if near := text[at:min(len(text), at+maxPronunciation)]; strings.HasPrefix(near, "(/") {
			if end := strings.Index(near, "/)"); end > 0 {
				at += end + len("/)")
			}
		}
		all = append(all, span{start, at})
	}
}

// maxPronunciation is the length in bytes in which the end of a pronunciation is looked for.
const maxPronunciation = 200

// closing returns the length of the brackets with which s begins, 0 when they are not closed.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// readWords returns the words of s in order.
func readWords(s string) []word {
	var all []word
	position, start := 0, -1
	for i, r := range s + " " {
		switch {
		case start < 0 && isWordRune(r):
			start = i
		case start >= 0 && !isWordRune(r) && !joins(r, s[i:]):
			all = append(all, word{start: start, end: i, lower: strings.ToLower(strings.ReplaceAll(s[start:i], "’", "'")), position: position})
			position += halfWords(s[start:i])
			start = -1
		}
	}
	return all
}

func isWordRune(r rune) bool {
	return unicode.In(r, unicode.Letter, unicode.Mark, unicode.Number) || r == '\u200d' || r == '\u200c'
}

// joins reports whether r, with which s begins, is within a word.
func joins(r rune, s string) bool {
	if r != '\'' && r != '’' && r != '-' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(s[utf8.RuneLen(r):])
	return unicode.IsLetter(next)
}

// halfWords returns 2, and for scripts without spaces between words the number of characters.
func halfWords(s string) int {
	n := 0
	for _, r := range s {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			n++
		}
	}
	return max(2, n)
}

// distance returns the half words between the words of two indices; len(p.words) is the end of the script.
func (p script) distance(a, b int) int {
	at := func(i int) int {
		if i < len(p.words) {
			return p.words[i].position
		}
		if i == 0 {
			return 0
		}
		last := p.words[i-1]
		return last.position + halfWords(p.text[last.start:last.end])
	}
	return max(at(a)-at(b), at(b)-at(a))
}

// insertionPoint returns the offset in the original before which a tag of the word goes, in front of marks that open a sentence.
// ok is false where a tag would split what belongs together.
func (p script) insertionPoint(i int) (at int, ok bool) {
	start := p.words[i].start
	before := strings.TrimRight(p.text[:start], "¿¡*_")
	start = len(before)
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(p.text[start:])
	if start >= p.end || unicode.IsMark(first) || first == '\u200d' || before != "" && !opens(last) {
		return 0, false
	}
	shift := 0
	for low, high := 0, len(p.cuts); low < high; { // the last cut at or before start
		if middle := (low + high) / 2; p.cuts[middle].at <= start {
			shift, low = p.cuts[middle].shift, middle+1
		} else {
			high = middle
		}
	}
	return start + shift, true
}

// opens reports whether a word may begin after r: white space, a dash, an opening quotation mark or bracket, or the end of a
// sentence in scripts that put no space there.
func opens(r rune) bool {
	return unicode.IsSpace(r) || unicode.In(r, unicode.Pd, unicode.Ps, unicode.Pi) || strings.ContainsRune("\"'“„‚»。！？…；，、", r)
}
