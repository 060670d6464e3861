package hosted

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/backend/text"
)

// audioTag is an audio tag such as [laughs] (decisions.md section 6, audio tags).
var audioTag = regexp.MustCompile(`^\[\pL[\pL '’-]{0,57}\]`)

// glyph is a character of a text, white space and audio tags not counted.
type glyph struct {
	r          rune
	start, end int  // bytes
	apart      bool // white space or a tag is before it
}

// glyphsOf returns the characters of a text, and its tags.
func glyphsOf(s string) (all []glyph, tags []string) {
	all = make([]glyph, 0, len(s))
	apart := true
	for at := 0; at < len(s); {
		if tag := audioTag.FindString(s[at:min(len(s), at+256)]); tag != "" {
			tags = append(tags, tag)
			at, apart = at+len(tag), true
			continue
		}
		r, size := utf8.DecodeRuneInString(s[at:])
		if unicode.IsSpace(r) {
			apart = true
		} else {
			all = append(all, glyph{r, at, at + size, apart})
			apart = false
		}
		at += size
	}
	return all, tags
}

// sameWords reports whether enhanced is original with further audio tags: the same characters with the same limits of words, and
// the tags of the original in their order. White space and the forms of Unicode do not matter.
func sameWords(original, enhanced string) bool {
	o, had := glyphsOf(norm.NFC.String(original))
	e, has := glyphsOf(norm.NFC.String(enhanced))
	if len(o) != len(e) || !contains(has, had) {
		return false
	}
	for i := range o {
		within := i > 0 && inWord(o[i-1].r) && inWord(o[i].r)
		if o[i].r != e[i].r || within && o[i].apart != e[i].apart {
			return false
		}
	}
	return true
}

// inWord reports whether a character is part of words, so that a gap beside it matters.
func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// contains reports whether all has the wanted entries in their order.
func contains(all, wanted []string) bool {
	for _, s := range all {
		if len(wanted) > 0 && s == wanted[0] {
			wanted = wanted[1:]
		}
	}
	return len(wanted) == 0
}

// putBack returns the enhanced text with the marks that were taken out of plain. Both have the same words and are in NFC.
func putBack(plain, enhanced string, marks []text.Mark) string {
	if len(marks) == 0 {
		return enhanced
	}
	p, _ := glyphsOf(plain)
	e, _ := glyphsOf(enhanced)
	var out strings.Builder
	done, next := 0, 0
	for _, m := range marks {
		for next < len(p) && p[next].start < m.At {
			next++
		}
		from, to, source := place(plain, enhanced, p, e, next, m)
		from = max(from, done)
		out.WriteString(enhanced[done:from])
		out.WriteString(source)
		done = max(to, from)
	}
	out.WriteString(enhanced[done:])
	return out.String()
}

// place returns which bytes of the enhanced text a mark before character next of the plain text replaces, and by what.
func place(plain, enhanced string, p, e []glyph, next int, m text.Mark) (from, to int, source string) {
	last := next
	for last < len(p) && p[last].start < m.At+m.Size {
		last++
	}
	if last > next { // a word with a respelling
		return e[next].start, e[last-1].end, m.Source
	}
	plainEnd := 0
	if next > 0 {
		plainEnd, from = p[next-1].end, e[next-1].end
	}
	between := plain[plainEnd:m.At]
	if strings.HasPrefix(enhanced[from:], between) {
		from += len(between)
		return from, from, m.Source
	}
	return from, from, " " + strings.TrimRightFunc(m.Source, unicode.IsSpace)
}
