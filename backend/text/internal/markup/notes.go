package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/pattern"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

var (
	// numberNote is the number of a note, or several: [3], [1, 2], [4–6].
	numberNote = pattern.New(`^\[[1-9][0-9]{0,2}(?:\s?[,;–-]\s?[1-9][0-9]{0,2})*\]`)
	letterNote = pattern.New(`^\[[a-z]\]`)
	// wordNote is a note as encyclopedias write it.
	wordNote = pattern.New(`(?i)^\[(?:(?:note|notes|nb|n|anm\.?|fn\.?|nota|uwaga|прим\.?|noot|footnote)\s?[0-9]{1,3}|citation ` +
		`needed|clarification needed|better source needed|when\?|who\?)\]`)
)

// sentenceMarks are marks behind which the number of a note stands.
const sentenceMarks = `.,;:!?…”’"'»“)。，！？」』`

// note returns the length of a reference to a note in square brackets at r.at, 0 if there is none: it touches the word or the
// mark before it.
func (r *signReader) note(remaining string) int {
	before := r.before()
	marked, word := strings.ContainsRune(sentenceMarks, before) || r.afterNote(), r.wordBefore()
	letters := utf8.RuneCountInString(strings.TrimLeft(word, "0123456789"))
	if !marked && letters < 2 && (word == "" || letters > 0) && !prose.IsSpaceless(before) {
		return 0
	}
	size := noteSize(remaining, marked)
	after := prose.FirstOrSpace(remaining[size:])
	if size == 0 || after == '(' || after == '=' || prose.IsWordRune(after) && !prose.IsSpaceless(after) {
		return 0
	}
	return size
}

// noteSize returns the length of what looks like a reference to a note, 0 if there is none; marked is whether it is behind a mark.
func noteSize(remaining string, marked bool) int {
	if m := letterNote.FindString(remaining); m != "" && (marked || m[1] <= 'c') {
		return len(m)
	}
	if size := len(numberNote.FindString(remaining)); size > 0 {
		return size
	}
	return len(wordNote.FindString(remaining))
}

// afterNote reports whether a reference to a note ends at r.at.
func (r *signReader) afterNote() bool {
	if len(r.signs) == 0 || r.at == 0 || r.s[r.at-1] != ']' {
		return false
	}
	last := r.signs[len(r.signs)-1]
	return last.At+last.Size == r.at && r.s[last.At] == '['
}

// wordBefore returns the letters and digits before r.at.
func (r *signReader) wordBefore() string {
	low := max(0, r.at-prose.LongestWord)
	part := r.s[low:r.at]
	return part[len(strings.TrimRightFunc(part, prose.IsWordRune)):]
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// superscript reads the number of a note. Powers, units and ions are none.
func (r *signReader) superscript(remaining string) int {
	size := 0
	for size < len(remaining) {
		c, n := utf8.DecodeRuneInString(remaining[size:])
		next, _ := utf8.DecodeRuneInString(remaining[size+n:])
		if !strings.ContainsRune(superscripts, c) && (size == 0 || !strings.ContainsRune(",˒⁻", c) || !strings.ContainsRune(superscripts, next)) {
			break
		}
		size += n
	}
	if size == 0 {
		return 0
	}
	after := prose.FirstOrSpace(remaining[size:])
	if !r.notable() || strings.ContainsRune("⁺⁻", after) || prose.IsWordRune(after) && !prose.IsSpaceless(after) {
		return size
	}
	return r.whole(size, "")
}

// powered are units and functions before a power, and other words of formulas.
var powered = map[string]bool{
	"sin": true, "cos": true, "tan": true, "cot": true, "log": true, "sec": true, "exp": true, "min": true, "max": true, "mol": true,
	"rad": true, "kpc": true, "mpc": true, "yds": true, "mile": true, "miles": true, "inch": true, "inches": true, "feet": true,
	"foot": true, "yard": true, "yards": true, "metre": true, "metres": true, "meter": true, "meters": true,
}

// notable reports whether a superscript at r.at is behind a word or a mark to which a note belongs.
func (r *signReader) notable() bool {
	before := r.before()
	if before == ')' { // (as said)¹, but (a + b)²
		last, size := utf8.DecodeLastRuneInString(r.s[:r.at-1])
		earlier, _ := utf8.DecodeLastRuneInString(r.s[:r.at-1-size])
		return unicode.IsLetter(last) && unicode.IsLetter(earlier)
	}
	if strings.ContainsRune(sentenceMarks, before) {
		return true
	}
	word := r.wordBefore()
	if !unicode.IsLetter(before) || strings.ContainsAny(word, "0123456789_"+superscripts) {
		return prose.IsSpaceless(before)
	}
	letters := utf8.RuneCountInString(word)
	short := letters < 3 || letters == 3 && prose.AllCapitals(word)
	return prose.IsSpaceless(before) || !short && !powered[strings.ToLower(word)]
}
