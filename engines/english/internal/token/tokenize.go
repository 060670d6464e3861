package token

import (
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/engines/phonemes"
)

// tokenizer cuts a text as spaCy does for misaki: words, the parts of hyphenated words, endings such as n't, numbers, marks.
type tokenizer struct {
	text   []rune
	at     int
	tokens []Token
	single bool // inside ' '
}

// Tokenize returns the tokens of a text in NFC. Signs without a name are left out.
func Tokenize(text string) []Token {
	t := tokenizer{text: legible(text)}
	for t.at < len(t.text) {
		r := t.text[t.at]
		switch {
		case unicode.IsSpace(r):
			t.space()
			if n := len(t.tokens); n > 0 && r == '\n' {
				t.tokens[n-1].Line = true
			}
			t.at++
		case t.block():
		case unicode.IsDigit(r), t.signed(r):
			t.number()
		case unicode.IsLetter(r), unicode.IsMark(r) && t.letterBefore(), t.elision(r):
			t.word()
		default:
			t.mark(r)
		}
	}
	return t.tokens
}

// legible returns a text with apostrophes where people write other accents between letters, as in can`t, and without
// ornaments. Blocks of phonemes stay unchanged.
func legible(text string) []rune {
	var out []rune
	for _, p := range phonemes.Cut(text) {
		if p.Block {
			out = append(out, []rune("[["+p.Text+"]]")...)
			continue
		}
		runes := []rune(p.Text)
		for i, r := range runes {
			switch {
			case ornament(r):
				continue
			case (r == '`' || r == '´') && i > 0 && i+1 < len(runes) && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1]):
				r = '\''
			}
			out = append(out, r)
		}
	}
	return out
}

// ornament reports whether r is a combining sign that no language writes its letters with after NFC: hooks, dots, tails and
// lines under a letter, and overlays.
func ornament(r rune) bool { return r >= 0x321 && r <= 0x338 }

// peek returns the rune n places from here, 0 outside the text.
func (t *tokenizer) peek(n int) rune {
	if i := t.at + n; i >= 0 && i < len(t.text) {
		return t.text[i]
	}
	return 0
}

// firstRune returns the first rune at or after i that is no white space, 0 for none.
func (t *tokenizer) firstRune(i int) rune {
	for ; i < len(t.text); i++ {
		if !unicode.IsSpace(t.text[i]) {
			return t.text[i]
		}
	}
	return 0
}

// letters returns the run of letters at i.
func (t *tokenizer) letters(i int) string {
	n := run(t.text[i:], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) })
	return string(t.text[i : i+n])
}

// digits returns the run of digits 0 to 9 at i.
func (t *tokenizer) digits(i int) string {
	if i >= len(t.text) {
		return ""
	}
	n := run(t.text[i:], func(r rune) bool { return r >= '0' && r <= '9' })
	return string(t.text[i : i+n])
}

// previous returns the text of the last token.
func (t *tokenizer) previous() string {
	if len(t.tokens) == 0 {
		return ""
	}
	return t.tokens[len(t.tokens)-1].Text
}

// space puts white space behind the last token.
func (t *tokenizer) space() {
	if n := len(t.tokens); n > 0 {
		t.tokens[n-1].Space = true
	}
}

func (t *tokenizer) add(text, tag string) {
	t.tokens = append(t.tokens, Token{Text: text, Tag: tag})
}

// addWords adds words that stand for a sign, with white space around them.
func (t *tokenizer) addWords(words string) {
	t.space()
	for w := range strings.FieldsSeq(words) {
		t.add(w, "")
		t.space()
	}
}

// block adds the phonemes of [[ipa]], and reports whether one starts here.
func (t *tokenizer) block() bool {
	if t.peek(0) != '[' || t.peek(1) != '[' {
		return false
	}
	for i := t.at + 2; i+1 < len(t.text) && t.text[i] != '['; i++ {
		if t.text[i] == ']' && t.text[i+1] == ']' {
			t.tokens = append(t.tokens, Token{Text: string(t.text[t.at+2 : i]), IPA: true})
			t.at = i + 2
			return true
		}
	}
	return false
}
