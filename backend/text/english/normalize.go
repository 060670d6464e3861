// Package english spells out English text (US) as it is spoken: numbers, dates, money, units, web addresses,
// abbreviations, acronyms and signs.
package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// Normalize spells out what English text (US) does not write as words: numbers, dates, times, money, units, acronyms,
// abbreviations, addresses of the web, signs. Plain words, punctuation and white space come out byte for byte, markup
// too; emoji are left out. What it gives out it leaves alone the next time. It takes time in proportion to the length.
// Invalid UTF-8 becomes U+FFFD.
func Normalize(s string) string { return normalize(s, false) }

// NormalizeKeepingDigits is Normalize for engines that read whole numbers themselves: plain whole numbers stay digits.
func NormalizeKeepingDigits(s string) string { return normalize(s, true) }

func normalize(s string, keepDigits bool) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	for range mostPasses {
		n := normalizer{s: s, out: make([]byte, 0, len(s)+len(s)/4), keepDigits: keepDigits}
		for n.at < len(n.s) {
			n.step()
		}
		if string(n.out) == s {
			break
		}
		s = string(n.out)
	}
	return s
}

// mostPasses is how often a text is read. The second pass finds nothing in texts that people write; where things stand
// together without white space, spelling out one can bring another to light, as in WEBhttps://example.com.
const mostPasses = 8

// normalizer reads s from left to right. Every step goes ahead by at least a character.
type normalizer struct {
	s        string
	at       int
	out      []byte
	spoken   bool // the last word of out is not of s: a letter behind it needs a space
	marked   bool // a mark stands between that word and what comes
	gap      bool // something is left out here
	quoted   bool // between straight double quotes
	tokenEnd int  // end of the last run without white space that was looked at as a whole

	keepDigits bool // plain whole numbers stay digits
}

func (n *normalizer) step() {
	c := n.s[n.at]
	if c == '[' || c == '<' {
		if m, ok := markup.Read(n.s[n.at:]); ok {
			n.keep(n.at + m.Size)
			return
		}
	}
	if n.at >= n.tokenEnd && !space(c) && n.whole() {
		return
	}
	r, size := utf8.DecodeRuneInString(n.s[n.at:])
	switch {
	case digit(c):
		n.number()
	case unicode.IsLetter(r):
		n.word()
	case unicode.IsMark(r) && r != '\ufe0f' && r != '\u20e3':
		n.keep(n.at + size)
	default:
		n.sign(r, size)
	}
}

// keep copies s up to end.
func (n *normalizer) keep(end int) {
	n.write(n.s[n.at:end])
	n.at = end
}

// write adds a text of s.
func (n *normalizer) write(s string) {
	if n.gap && s != "" {
		n.out, s = prose.CloseGap(n.out, s)
		n.gap = false
	}
	if s == "" {
		return
	}
	if (n.spoken || n.marked) && prose.IsWordRune(prose.FirstOrSpace(s)) {
		n.out = append(n.out, ' ')
	}
	n.out = append(n.out, s...)
	n.marked = n.spoken && len(s) == 1 && mark(s[0])
	n.spoken = false
}

// mark reports marks that would make one thing of the words on both sides.
func mark(c byte) bool { return c == '.' || c == ':' }

// say adds words in place of s up to end, apart from the words beside them.
func (n *normalizer) say(words string, end int) {
	n.gap = n.gap && len(n.out) == 0
	last, size := utf8.DecodeLastRune(n.out)
	joins := last == '.' || last == ':'
	if before, _ := utf8.DecodeLastRune(n.out[:len(n.out)-size]); size > 0 && (prose.IsWordRune(last) || joins && prose.IsWordRune(before)) {
		n.out = append(n.out, ' ')
	}
	n.out = append(n.out, words...)
	n.spoken, n.marked = true, false
	n.at = end
}

// drop leaves s up to end out and keeps the words beside it apart.
func (n *normalizer) drop(end int) {
	n.at, n.gap = end, true
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func lower(c byte) bool { return c >= 'a' && c <= 'z' }

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

func space(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// byteAt gives a byte of s, 0 outside.
func (n *normalizer) byteAt(i int) byte {
	if i < 0 || i >= len(n.s) {
		return 0
	}
	return n.s[i]
}

// before gives the character before i, a space at the beginning.
func (n *normalizer) before(i int) rune {
	if i == 0 {
		return ' '
	}
	r, _ := utf8.DecodeLastRuneInString(n.s[:i])
	return r
}

// after gives the character at i, a space at the end.
func (n *normalizer) after(i int) rune { return prose.FirstOrSpace(n.s[min(i, len(n.s)):]) }

// ends reports whether no letter or digit goes on at i.
func (n *normalizer) ends(i int) bool {
	r := n.after(i)
	return !prose.IsWordRune(r) || r == '_'
}

// digits gives the end of the digits at i.
func (n *normalizer) digits(i int) int {
	for i < len(n.s) && digit(n.s[i]) {
		i++
	}
	return i
}

// letters gives the end of the letters at i.
func (n *normalizer) letters(i int) int {
	for i < len(n.s) {
		c := n.s[i]
		if c < utf8.RuneSelf {
			if !lower(c) && !upper(c) {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(n.s[i:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) || r == '\ufe0f' || r == '\u20e3' {
			return i
		}
		i += size
	}
	return i
}

// spaces gives the end of at most two white spaces at i that do not end the line.
func (n *normalizer) spaces(i int) int {
	for range 2 {
		r, size := utf8.DecodeRuneInString(n.s[min(i, len(n.s)):])
		if size == 0 || r != ' ' && r != '\t' && r != '\u00a0' && r != '\u202f' && r != '\u2009' {
			break
		}
		i += size
	}
	return i
}

// wordAt gives the letters at i, within the reach of a name.
func (n *normalizer) wordAt(i int) string {
	i = min(i, len(n.s))
	end := i
	for end < len(n.s) && end-i < prose.LongestWord && (lower(n.s[end]) || upper(n.s[end])) {
		end++
	}
	return n.s[i:end]
}

// wordBefore gives the letters that end before the white space before i, a dot or comma between left out.
func (n *normalizer) wordBefore(i int) (word string, start int) {
	end := i
	for end > 0 && i-end < 3 && (n.s[end-1] == ' ' || n.s[end-1] == '\n') {
		end--
	}
	if end == i && i > 0 && n.s[i-1] != '-' {
		return "", i
	}
	if end > 0 && (n.s[end-1] == '.' || n.s[end-1] == ',' || n.s[end-1] == '-') {
		end--
	}
	start = end
	for start > 0 && end-start < prose.LongestWord && (lower(n.s[start-1]) || upper(n.s[start-1])) {
		start--
	}
	return n.s[start:end], start
}

// capital reports whether the word at i begins with a capital, after opening quotes and brackets.
func (n *normalizer) capital(i int) bool {
	return unicode.IsUpper(prose.FirstRune(n.s[min(i, len(n.s)):min(i+16, len(n.s))]))
}

// stops reports whether a full stop before i also ends a sentence: at the end of a paragraph, or before a word that
// begins one.
func (n *normalizer) stops(i int) bool {
	rest := strings.TrimLeftFunc(n.s[i:min(i+64, len(n.s))], prose.IsClosing)
	trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
	if trimmed == "" {
		return true
	}
	if prose.IsBlankLine(rest[:len(rest)-len(trimmed)]) {
		return true
	}
	return len(trimmed) < len(rest) && unicode.IsUpper(prose.FirstRune(trimmed)) && prose.StartsSentence(strings.ToLower(prose.FirstWord(trimmed)))
}
