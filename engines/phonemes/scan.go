// Package phonemes holds what stands between text and the phonemes that a model is fed with: the clauses of a text as
// espeak-ng reads them, and the sentences that Piper builds from their phonemes.
package phonemes

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clause is a part of a text that espeak-ng pronounces as one.
type Clause struct {
	Text        string // with its punctuation, as it stands in the source
	Terminator  string // the mark that Piper gives the model for its end: one of . , : ; ! ? or empty
	SentenceEnd bool
}

// The bytes after which a clause ends: at the next character that is no letter or digit, and in any case.
const (
	softLimit = 725
	hardLimit = 796
)

// end marks the places before the first and after the last character.
const end rune = -1

// Scan cuts text into clauses, which the espeak-ng command does not show. voice is the espeak-ng voice, such as en-us;
// some rules go by its language. Only white space between clauses is left out; invalid UTF-8 becomes U+FFFD.
// The rules were measured on the library that Piper calls: a clause ends at a mark of the table followed by white space,
// a bracket or the end, at a blank line, or when it gets too long.
func Scan(text, voice string) []Clause {
	language, _, _ := strings.Cut(voice, "-")
	s := scanner{text: []rune(text), language: language}
	var clauses []Clause
	for s.at < len(s.text) {
		clauses = append(clauses, s.clause())
	}
	return clauses
}

type scanner struct {
	text     []rune
	at       int
	language string
	spoken   bool // the clause has a letter or digit
	size     int  // bytes of the clause so far, white space runs counted as one
}

func (s *scanner) rune(i int) rune {
	if i < 0 || i >= len(s.text) {
		return end
	}
	return s.text[i]
}

// skip gives the index after the white space at i and the number of its newlines.
func (s *scanner) skip(i int) (next, newlines int) {
	for i < len(s.text) && space(s.text[i]) {
		if s.text[i] == '\n' {
			newlines++
		}
		i++
	}
	return i, newlines
}

// clause reads the next clause and leaves s at the start of the one after it.
func (s *scanner) clause() Clause {
	start := s.at
	s.spoken, s.size = false, 0
	for s.at < len(s.text) {
		r := s.text[s.at]
		s.spoken = s.spoken || alphanumeric(r)
		if r == '\n' {
			next, newlines := s.skip(s.at)
			if newlines > 1 {
				c := Clause{Text: string(s.text[start:s.at]), SentenceEnd: true}
				s.at = next
				return c
			}
			s.at = next
			s.size++
			continue
		}
		if c, ended, punctuation := s.punctuation(start); ended {
			return c
		} else if punctuation {
			continue
		}
		s.size += utf8.RuneLen(r)
		s.at++
		if s.size > softLimit && !unicode.IsLetter(r) && !unicode.IsDigit(r) || s.size >= hardLimit {
			return Clause{Text: string(s.text[start:s.at])}
		}
	}
	return Clause{Text: string(s.text[start:]), SentenceEnd: true}
}

// punctuation reads the marks at s.at, of which only the first counts, and the white space after them. found is false
// when there is none; then nothing moves.
func (s *scanner) punctuation(start int) (c Clause, ended, found bool) {
	first := s.at
	m, found := markOf(s.text[first])
	after := first + 1
	dots := s.text[first] == '.' && s.rune(first+1) == '.' && s.rune(first+2) == '.'
	if dots {
		m, found = ellipsis, true
	}
	if !found {
		return Clause{}, false, false
	}
	for after < len(s.text) {
		if _, more := markOf(s.text[after]); !more {
			break
		}
		after++
	}
	next, newlines := s.skip(after)
	f := s.rune(after)
	ended = f == end || space(f) || m.glued || bracket(f) || f == '?'
	if newlines == 0 && (!s.spoken || s.goesOn(first, next, dots)) {
		ended = false
	}
	if ended {
		c = Clause{Text: string(s.text[start:after]), Terminator: m.terminator, SentenceEnd: m.sentence}
		if newlines > 1 {
			c.Terminator, c.SentenceEnd = "", true
		}
	}
	s.size += utf8.RuneLen(s.text[first]) + min(next-after, 1)
	s.at = next
	return c, ended, true
}

// goesOn reports whether the dot or comma at i does not end the clause, by what stands before it and at next.
func (s *scanner) goesOn(i, next int, dots bool) bool {
	following := s.rune(next)
	before, earlier := s.rune(i-1), s.rune(i-2)
	switch {
	case s.text[i] == '.' && !dots:
		if following == '\'' && s.rune(next+1) == 's' || lower(following) && s.language != "ka" {
			return true
		}
		if !ordinals(s.language) {
			return false
		}
		return roman(before) && (roman(earlier) || space(earlier)) ||
			unicode.IsDigit(before) && (lower(following) || following == '-')
	case s.text[i] == ',' && s.language == "hu":
		return before == '.' && unicode.IsDigit(earlier) && (unicode.IsDigit(following) || lower(following))
	}
	return false
}

// roman is one of the Roman digits that espeak-ng looks for.
func roman(r rune) bool { return r == 'I' || r == 'V' || r == 'X' || r == 'L' }
