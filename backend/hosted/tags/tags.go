// Package tags finds the audio tags, such as [laughs], that an enhanced text has and its original has not, and inserts them there.
package tags

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/backend/text"
)

// audioTag is an audio tag such as [laughs] (decisions.md section 6, audio tags).
var audioTag = regexp.MustCompile(`^\[\pL[\pL\pM '’-]{0,57}\]`)

// element is an audio tag, or a character with the marks that belong to it; white space is none.
type element struct {
	text       string // in NFC
	tag        bool
	start, end int  // bytes
	apart      bool // white space or a tag is before it
	spaced     bool // white space is behind it
}

// elementsOf returns the elements of a text.
func elementsOf(s string) []element {
	all := make([]element, 0, len(s))
	apart := true
	for at := 0; at < len(s); {
		if r, size := utf8.DecodeRuneInString(s[at:]); unicode.IsSpace(r) {
			if len(all) > 0 {
				all[len(all)-1].spaced = true
			}
			at, apart = at+size, true
			continue
		}
		tag := audioTag.FindString(s[at:min(len(s), at+256)])
		size := len(tag)
		if tag == "" {
			size = norm.NFC.NextBoundaryInString(s[at:], true)
		}
		all = append(all, element{norm.NFC.String(s[at : at+size]), tag != "", at, at + size, apart, false})
		at, apart = at+size, tag != ""
	}
	return all
}

// Insertion is a tag with the space that sets it apart, and where it is inserted.
type Insertion struct {
	At     int // byte of the original
	tag    string
	behind bool // what is before at; else it is before what follows
}

// Added returns the audio tags that enhanced has and original has not. ok is false where they differ in more than tags: in a
// character, a limit of a word, or a tag of the original, or where a tag is within a word, a number or a sign. White space
// and the forms of Unicode do not matter.
func Added(original, enhanced string) (all []Insertion, ok bool) {
	o, next := elementsOf(original), 0
	for _, e := range elementsOf(enhanced) {
		switch {
		case next < len(o) && o[next].tag == e.tag && o[next].text == e.text:
			within := next > 0 && inWord(o[next-1]) && inWord(o[next])
			if within && o[next].apart != e.apart {
				return nil, false
			}
			next++
		case !e.tag, !gap(o, next):
			return nil, false
		case e.spaced && next < len(o):
			all = append(all, Insertion{At: o[next].start, tag: e.text + " "})
		case next > 0: // such as one before a closing quotation mark
			all = append(all, Insertion{At: o[next-1].end, tag: " " + e.text, behind: true})
		default:
			all = append(all, Insertion{tag: e.text + " "})
		}
	}
	return all, next == len(o)
}

// gap reports whether a tag may be inserted before element n of a text: at its beginning and end, at white space and other tags, at
// marks beside these, and at marks that no word has within.
func gap(all []element, n int) bool {
	opened := n
	for opened > 0 && !apart(all, opened) && opens(all[opened-1]) {
		opened--
	}
	closed := n
	for closed < len(all) && !apart(all, closed) && closes(all[closed]) {
		closed++
	}
	return apart(all, opened) || apart(all, closed) || breaks(all[n-1]) || breaks(all[n])
}

// apart reports whether white space, a tag or a limit of the text is before element n.
func apart(all []element, n int) bool {
	return n == 0 || n == len(all) || all[n].apart || all[n].tag
}

func opens(e element) bool {
	r, _ := utf8.DecodeRuneInString(e.text)
	return unicode.In(r, unicode.Ps, unicode.Pi, unicode.Pf) || strings.ContainsRune("\"'*_¿¡", r)
}

func closes(e element) bool {
	r, _ := utf8.DecodeRuneInString(e.text)
	return unicode.IsPunct(r) && r != '%' && r != '‰'
}

// breaks reports whether an element is a mark that ends a word also without white space: dashes of sentences, and the marks of
// languages without spaces.
func breaks(e element) bool {
	return strings.Contains("—…、。，！？；：「」『』（）《》〈〉【】", e.text)
}

// inWord reports whether an element is part of words, so that a gap beside it matters.
func inWord(e element) bool {
	r, _ := utf8.DecodeRuneInString(e.text)
	return !e.tag && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// Insert returns a text with tags inserted into it. They are at bytes of what text.Extract made of it, in their order.
func Insert(s string, marks []text.Mark, all []Insertion) string {
	var out strings.Builder
	done := 0
	for _, i := range all {
		at := max(done, source(marks, i))
		out.WriteString(s[done:at])
		out.WriteString(i.tag)
		done = at
	}
	out.WriteString(s[done:])
	return out.String()
}

// source returns where an insertion is in the text with its markup: before a word with a respelling, or behind it, where it is
// within one.
func source(marks []text.Mark, i Insertion) int {
	shift := 0
	for _, m := range marks {
		end := m.At + m.Size
		switch {
		case i.At > end, i.At == end && (!i.behind || m.Size > 0):
			shift = m.To - end
		case i.At > m.At && i.behind:
			return m.To
		case i.At > m.At:
			return m.From
		default:
			return min(i.At+shift, m.From)
		}
	}
	return i.At + shift
}
