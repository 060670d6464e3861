// Package phonemes is for engines that speak the phonemes of espeak-ng: it cuts a text into the clauses that espeak-ng reads,
// joins their phonemes to sentences as Piper does, and finds the phonemes that a text has in double brackets.
package phonemes

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clause is a part of a text that espeak-ng pronounces as one.
type Clause struct {
	Text        string // with its punctuation, as it is in the source
	Terminator  string // the mark for its end among the phonemes: one of . , : ; ! ? or none
	SentenceEnd bool
}

// The bytes after which a clause ends: at the next character that is no letter or digit, and in any case.
const (
	softLimit = 725
	hardLimit = 796
)

// end is the rune before the first character and after the last one.
const end rune = -1

// Scan returns the clauses of a text, which the espeak-ng command does not show. voice is the espeak-ng voice, such as en-us;
// some rules depend on its language. Only white space between clauses is left out; invalid UTF-8 becomes U+FFFD.
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

// skip returns the index after the white space at i and the number of its newlines.
func (s *scanner) skip(i int) (next, newlines int) {
	for i < len(s.text) && space(s.text[i]) {
		if s.text[i] == '\n' {
			newlines++
		}
		i++
	}
	return i, newlines
}

// clause returns the next clause and moves to the start of the one after it.
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

// punctuation reads the marks here, of which only the first counts, and the white space after them. found is false when there
// is none; then nothing moves.
func (s *scanner) punctuation(start int) (c Clause, ended, found bool) {
	first := s.at
	m, dots, found := s.markAt(first)
	if !found {
		return Clause{}, false, false
	}
	after := first + 1
	for after < len(s.text) && isMark(s.text[after]) {
		after++
	}
	next, newlines := s.skip(after)
	ended = s.endsClause(m, after) && (newlines > 0 || s.spoken && !s.continues(first, next, dots))
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

// markAt returns the mark at i; dots is set for three dots.
func (s *scanner) markAt(i int) (m mark, dots, found bool) {
	if s.text[i] == '.' && s.rune(i+1) == '.' && s.rune(i+2) == '.' {
		return ellipsis, true, true
	}
	m, found = marks[s.text[i]]
	return m, false, found
}

// endsClause reports whether a clause may end at a mark by the character after it.
func (s *scanner) endsClause(m mark, after int) bool {
	r := s.rune(after)
	return r == end || space(r) || m.glued || bracket(r) || r == '?'
}

// continues reports whether the clause goes on after the dot or comma at i, by what is before it and at next.
func (s *scanner) continues(i, next int, dots bool) bool {
	switch {
	case s.text[i] == '.' && !dots:
		return s.continuesAfterDot(i, next)
	case s.text[i] == ',' && s.language == "hu":
		return s.rune(i-1) == '.' && unicode.IsDigit(s.rune(i-2)) && (unicode.IsDigit(s.rune(next)) || lower(s.rune(next)))
	}
	return false
}

// continuesAfterDot reports whether the dot at i is one of an abbreviation, an initial or an ordinal number.
func (s *scanner) continuesAfterDot(i, next int) bool {
	following := s.rune(next)
	if following == '\'' && s.rune(next+1) == 's' || lower(following) && s.language != "ka" {
		return true
	}
	if !ordinals[s.language] {
		return false
	}
	before, earlier := s.rune(i-1), s.rune(i-2)
	return roman(before) && (roman(earlier) || space(earlier)) ||
		unicode.IsDigit(before) && (lower(following) || following == '-')
}

// roman reports whether r is one of the Roman digits that espeak-ng looks for.
func roman(r rune) bool { return r == 'I' || r == 'V' || r == 'X' || r == 'L' }
