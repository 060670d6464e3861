package english

import (
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/engines/phonemes"
)

// tokenizer cuts a text into tokens as spaCy would for misaki: words, the parts of hyphenated words, endings such as n't,
// numbers, marks. On the way it writes out what the dictionary does not have: abbreviations, units, times, signs.
type tokenizer struct {
	text    []rune
	at      int
	british bool
	out     []token
	single  bool // inside ' '
}

// longestRun is how many equal marks in a row are kept.
const longestRun = 3

func tokenize(text string, british bool) []token {
	t := tokenizer{text: legible(text), british: british}
	for t.at < len(t.text) {
		r := t.text[t.at]
		switch {
		case unicode.IsSpace(r):
			t.gap()
			if n := len(t.out); n > 0 && r == '\n' {
				t.out[n-1].line = true
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
	return t.out
}

// legible gives a text with apostrophes where people write other accents between letters, as in can`t, and without the signs that
// strike letters through or hang under them. Blocks of phonemes stay as they are.
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

// ornament is a combining sign that no letter of a language is written with once NFC has composed what it knows: hooks, dots,
// tails and lines under a letter, and overlays.
func ornament(r rune) bool { return r >= 0x321 && r <= 0x338 }

// peek gives the rune n places from here, 0 outside the text.
func (t *tokenizer) peek(n int) rune {
	if i := t.at + n; i >= 0 && i < len(t.text) {
		return t.text[i]
	}
	return 0
}

// gap puts white space behind the last token.
func (t *tokenizer) gap() {
	if n := len(t.out); n > 0 {
		t.out[n-1].space = true
	}
}

func (t *tokenizer) add(text, tag string) {
	t.out = append(t.out, token{text: text, tag: tag, head: true})
}

// say adds words that stand for a sign, with space around them.
func (t *tokenizer) say(words string) {
	t.gap()
	for w := range strings.FieldsSeq(words) {
		t.add(w, "")
		t.gap()
	}
}

// block takes [[ipa]].
func (t *tokenizer) block() bool {
	if t.peek(0) != '[' || t.peek(1) != '[' {
		return false
	}
	for i := t.at + 2; i+1 < len(t.text) && t.text[i] != '['; i++ {
		if t.text[i] == ']' && t.text[i+1] == ']' {
			ipa := string(t.text[t.at+2 : i])
			t.out = append(t.out, token{text: ipa, sound: FromIPA(ipa, t.british), spoken: true, head: true})
			t.at = i + 2
			return true
		}
	}
	return false
}

// signed reports whether a minus or point starts a number here.
func (t *tokenizer) signed(r rune) bool {
	before := t.peek(-1)
	free := before == 0 || unicode.IsSpace(before) || strings.ContainsRune("([“\"$£€", before)
	return free && (r == '-' || r == '−' || r == '.') && unicode.IsDigit(t.peek(1))
}

func (t *tokenizer) letterBefore() bool { return t.at > 0 && unicode.IsLetter(t.text[t.at-1]) }

// elision reports whether an apostrophe starts a word, as in 'tis, 'cause and '90s.
func (t *tokenizer) elision(r rune) bool {
	if !apostrophe(r) || r == '‘' || unicode.IsLetter(t.peek(-1)) || !unicode.IsLetter(t.peek(1)) {
		return false
	}
	switch strings.ToLower(t.letters(t.at + 1)) {
	case "tis", "twas", "cause", "em", "til", "twere", "twill", "bout", "n":
		return true
	}
	return false
}

// letters gives the run of letters at i.
func (t *tokenizer) letters(i int) string {
	n := run(t.text[i:], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) })
	return string(t.text[i : i+n])
}

// word takes a word with its apostrophes and dots, and the digits glued to it.
func (t *tokenizer) word() {
	start := t.at
	t.at++
	for t.at < len(t.text) {
		r := t.text[t.at]
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !t.inner(r) {
			break
		}
		t.at++
	}
	word := string(t.text[start:t.at])
	if strings.EqualFold(straight(word), "'n") && apostrophe(t.peek(0)) {
		t.at++
		t.add("'n'", "CC")
		return
	}
	if t.peek(0) == '.' {
		if t.dotted(start) || t.abbreviated(word) {
			return
		}
		if unicode.IsLower(t.peek(1)) && len(word) > 1 {
			t.add(word, "")
			t.at++
			t.say("dot")
			return
		}
	}
	t.clitics(word)
	t.join()
}

// inner reports whether a sign here belongs to the word around it: an apostrophe between letters, a point between digits.
func (t *tokenizer) inner(r rune) bool {
	if r == '\'' || r == '’' {
		return unicode.IsLetter(t.peek(1))
	}
	return (r == '.' || r == ',') && unicode.IsDigit(t.peek(-1)) && unicode.IsDigit(t.peek(1))
}

// join adds the hyphen or slash that ties this word to the next one.
func (t *tokenizer) join() {
	r := t.peek(0)
	if r != '-' && r != '/' && r != '‑' && r != '‐' || !unicode.IsLetter(t.peek(1)) && !unicode.IsDigit(t.peek(1)) {
		return
	}
	if r == '/' {
		t.add("/", "SYM")
	} else {
		t.add("-", "HYPH")
	}
	t.at++
}

// clitics adds a word, endings such as n't and 's as tokens of their own.
func (t *tokenizer) clitics(word string) {
	plain := strings.ToLower(straight(word))
	for _, c := range []string{"n't", "'s", "'ll", "'re", "'ve", "'d", "'m"} {
		n := len([]rune(word)) - len(c)
		if n > 0 && strings.HasSuffix(plain, c) {
			runes := []rune(word)
			t.add(string(runes[:n]), "")
			t.add(string(runes[n:]), clitic(c))
			return
		}
	}
	t.add(word, "")
}

// clitic gives the tag of an ending; 's is decided later.
func clitic(ending string) string {
	switch ending {
	case "n't":
		return "RB"
	case "'ll", "'d":
		return "MD"
	case "'re", "'ve", "'m":
		return "VBP"
	}
	return "POS"
}

// dotted takes letters with dots between them, such as U.S.A. and e.g., with the last dot unless it ends the text.
func (t *tokenizer) dotted(start int) bool {
	const most = 20
	i := start
	dots := 0
	for dots < most {
		n := run(t.text[i:], unicode.IsLetter)
		if n == 0 || n > 2 || i+n >= len(t.text) || t.text[i+n] != '.' {
			if n > 0 && n <= 2 && dots > 0 {
				i += n
			}
			break
		}
		i += n + 1
		dots++
	}
	if dots == 0 || dots == 1 && t.text[i-1] == '.' {
		return false
	}
	if i < len(t.text) && unicode.IsLetter(t.text[i]) {
		return false
	}
	if t.at = i; t.text[i-1] == '.' {
		t.at--
		if !t.last() && !t.starter() {
			t.at++
		}
	}
	t.add(string(t.text[start:t.at]), "NNP")
	return true
}

// abbreviated takes a word and the dot that belongs to it: an initial, or an abbreviation, which is written out.
func (t *tokenizer) abbreviated(word string) bool {
	first := t.first(t.at + 1)
	full, ok := abbreviation(word, first, t.previous())
	switch {
	case ok:
	case len(word) == 1 && word != "I" && word != "A" && unicode.IsUpper(rune(word[0])) && t.peek(1) == ' ' && unicode.IsUpper(first):
		full = word
	default:
		return false
	}
	t.at++
	tag := ""
	if len(word) == 1 {
		tag = "NNP"
	}
	t.add(full, tag)
	if t.at--; !t.last() && (!unicode.IsUpper(first) || !strings.EqualFold(word, "etc")) {
		t.at++
	}
	return true
}

// last reports whether nothing but closing marks follows the dot here.
func (t *tokenizer) last() bool {
	for i := t.at + 1; i < len(t.text); i++ {
		if !unicode.IsSpace(t.text[i]) && !strings.ContainsRune(`"'”’)]»`, t.text[i]) {
			return false
		}
	}
	return true
}

// starter reports whether the word after the dot here is a small one with a capital, which begins a sentence.
func (t *tokenizer) starter() bool {
	i := t.at + 1
	for i < len(t.text) && unicode.IsSpace(t.text[i]) {
		i++
	}
	switch t.letters(i) {
	case "It", "He", "She", "They", "We", "You", "The", "This", "That", "These", "Those", "There", "But", "And", "So", "In", "On", "A", "An":
		return true
	}
	return false
}

// first gives the first rune at or after i that is no space.
func (t *tokenizer) first(i int) rune {
	for ; i < len(t.text); i++ {
		if !unicode.IsSpace(t.text[i]) {
			return t.text[i]
		}
	}
	return 0
}

// previous gives the text of the last token.
func (t *tokenizer) previous() string {
	if len(t.out) == 0 {
		return ""
	}
	return t.out[len(t.out)-1].text
}
