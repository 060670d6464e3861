// Package english spells out English text (US) as it is spoken: numbers, dates, money, units, web addresses,
// abbreviations, acronyms and signs.
package english

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// Normalize spells out what English text (US) does not write as words: numbers, dates, times, money, units, acronyms,
// abbreviations, web addresses, signs. It keeps plain words, punctuation, white space and markup byte for byte and leaves
// emoji out. Normalizing its result again changes nothing. It takes time in proportion to the length. Invalid UTF-8
// becomes U+FFFD.
func Normalize(s string) string { return normalize(s, false) }

// NormalizeKeepingDigits is Normalize for engines that read whole numbers themselves: plain whole numbers stay digits.
func NormalizeKeepingDigits(s string) string { return normalize(s, true) }

func normalize(s string, keepDigits bool) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	for range maxPasses {
		s = straighten(s)
		var n normalizer
		n.s, n.out, n.keepDigits = s, make([]byte, 0, len(s)+len(s)/4), keepDigits
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

// wrongApostrophe matches what people write in the place of an apostrophe, as in don`t and it´s. A second ` closes code.
var wrongApostrophe = regexp.MustCompile("(\\pL)[´′ʼ`‘](\\pL+)(`?)")

// straighten returns s with apostrophes where people write other marks between letters.
func straighten(s string) string {
	if !strings.ContainsAny(s, "`´′ʼ‘") {
		return s
	}
	return wrongApostrophe.ReplaceAllStringFunc(s, func(found string) string {
		if strings.HasSuffix(found, "`") {
			return found
		}
		return wrongApostrophe.ReplaceAllString(found, "$1'$2")
	})
}

// maxPasses is how often a text is read at most. In ordinary text the second pass finds nothing; without white space
// between two things, spelling out one can reveal the other, as in WEBhttps://example.com.
const maxPasses = 8

// normalizer reads s from left to right. Every step advances by at least one character. Its layers, each of which builds on
// those below it: words, signs, amounts, dates, the writer, figures and the reader.
type normalizer struct {
	words
	tokenEnd int // end of the last run without white space that was tried as one token
}

// reader finds what stands at a place of s, without a change.
type reader struct {
	s      string
	at     int
	quoted bool // between straight double quotes
}

// figures reads what figures and the units beside them mean.
type figures struct{ reader }

// writer replaces what was read by words.
type writer struct {
	figures
	out      []byte
	replaced bool // the last word of out is not from s: a letter after it needs a space
	marked   bool // a full stop or a colon was copied after that word
	gap      bool // something was left out at the end of out
}

// dates spells out days, months, years and times.
type dates struct{ writer }

// amounts spells out all other figures, with their units.
type amounts struct {
	dates
	keepDigits bool // plain whole numbers stay digits
}

// signs spells out what is neither a letter nor a digit.
type signs struct{ amounts }

// words spells out letters: abbreviations, initials, acronyms.
type words struct{ signs }

// step reads the next thing.
func (n *normalizer) step() {
	c := n.s[n.at]
	if c == '[' || c == '<' {
		if m, ok := markup.Read(n.s[n.at:]); ok {
			n.keep(n.at + m.Size)
			return
		}
	}
	if n.at >= n.tokenEnd && !space(c) && n.token() {
		return
	}
	r, size := utf8.DecodeRuneInString(n.s[n.at:])
	switch {
	case digit(c):
		n.number()
	case unicode.IsLetter(r):
		n.word()
	case unicode.IsMark(r) && !emojiModifier(r):
		n.keep(n.at + size)
	default:
		n.sign(r, size)
	}
}

// keep copies s up to end.
func (n *writer) keep(end int) {
	n.write(n.s[n.at:end])
	n.at = end
}

// write appends a part of s.
func (n *writer) write(s string) {
	if n.gap && s != "" {
		n.out, s = prose.CloseGap(n.out, s)
		n.gap = false
	}
	if s == "" {
		return
	}
	if (n.replaced || n.marked) && prose.IsWordRune(prose.FirstOrSpace(s)) && !bytes.HasSuffix(n.out, []byte(" ")) {
		n.out = append(n.out, ' ')
	}
	n.out = append(n.out, s...)
	n.marked = n.replaced && (s == "." || s == ":")
	n.replaced = false
}

// say appends words in place of s up to end, with spaces between them and the words beside them. A full stop or a colon
// before them does not join them to the word before it either.
func (n *writer) say(words string, end int) {
	n.gap = n.gap && len(n.out) == 0
	last, size := utf8.DecodeLastRune(n.out)
	joins := last == '.' || last == ':'
	if before, _ := utf8.DecodeLastRune(n.out[:len(n.out)-size]); size > 0 && (prose.IsWordRune(last) || joins && prose.IsWordRune(before)) {
		n.out = append(n.out, ' ')
	}
	n.out = append(n.out, words...)
	n.replaced, n.marked = true, false
	n.at = end
}

// drop leaves out s up to end. The words beside it stay apart.
func (n *writer) drop(end int) {
	n.at, n.gap = end, true
}
