package token

import (
	"strings"
	"unicode"
)

// maxRepeats is how many equal marks in a row are kept.
const maxRepeats = 3

// meaning is the text and the tag that a mark becomes.
type meaning struct{ text, tag string }

// stops are the marks that end or divide clauses; several equal ones count as one mark.
var stops = map[rune]meaning{
	'.': {".", "."}, '。': {".", "."}, '．': {".", "."}, '۔': {".", "."}, '।': {".", "."},
	'!': {"!", "."}, '！': {"!", "."},
	'?': {"?", "."}, '？': {"?", "."}, '؟': {"?", "."},
	',': {",", ","}, '，': {",", ","}, '、': {",", ","}, '،': {",", ","},
	';': {";", ":"}, '；': {";", ":"}, '؛': {";", ":"},
	':': {":", ":"}, '：': {":", ":"},
	'…': {"…", ":"},
	'—': {"—", ":"}, '―': {"—", ":"}, '–': {"—", ":"},
	'-': {"-", ":"}, '−': {"-", ":"}, '‐': {"-", ":"},
}

var (
	openingQuote = meaning{"“", "``"}
	closingQuote = meaning{"”", "''"}
	// pairs are quotes and brackets.
	pairs = map[rune]meaning{
		'“': openingQuote, '„': openingQuote, '«': openingQuote, '”': closingQuote, '»': closingQuote,
		'(': {"(", "-LRB-"}, '[': {"(", "-LRB-"}, '{': {"(", "-LRB-"}, '（': {"(", "-LRB-"},
		')': {")", "-RRB-"}, ']': {")", "-RRB-"}, '}': {")", "-RRB-"}, '）': {")", "-RRB-"},
	}
)

var (
	fractions = map[rune]string{
		'½': "one half", '⅓': "one third", '⅔': "two thirds", '¼': "one quarter", '¾': "three quarters", '⅛': "one eighth",
	}
	// signs are the signs with a name, signsBeforeDigit those with another name, or one at all, before a digit.
	signs = map[rune]string{
		'%': "percent", '&': "and", '＆': "and", '+': "plus", '@': "at", '=': "equals", '×': "times", '÷': "divided by",
		'±': "plus or minus", '°': "degrees", '§': "section", '$': "dollars", '£': "pounds", '€': "euros", '¥': "yen", '₹': "rupees",
		'#': "hash",
	}
	signsBeforeDigit = map[rune]string{'#': "number", '<': "less than", '>': "greater than"}
)

// mark adds a sign: punctuation, a quote, a sign that has a name. Others are left out.
func (t *tokenizer) mark(r rune) {
	start := t.at
	t.at++
	if n := len(t.tokens); n > 0 && closing(r) && !unicode.IsSpace(t.text[start-1]) {
		t.tokens[n-1].Space = false
	}
	if stop, ok := stops[r]; ok {
		t.stop(start, stop)
		return
	}
	if pair, ok := pairs[r]; ok {
		t.add(pair.text, pair.tag)
		return
	}
	switch {
	case r == '"':
		t.quote(opens(t.peek(-2)) && !unicode.IsSpace(t.peek(0)) && !t.brokenOff())
	case apostrophe(r):
		t.singleQuote(r)
	case strings.ContainsRune("$£€", r) && unicode.IsDigit(t.firstRune(t.at)):
		t.add(string(r), "$")
		for t.peek(0) == ' ' {
			t.at++
		}
	default:
		t.sign(start, r)
	}
}

// stop adds punctuation that began at start: dots, a dash, or a mark that may be repeated.
func (t *tokenizer) stop(start int, m meaning) {
	r := t.text[start]
	if t.ellipsis(start) || t.scheme(r) {
		return
	}
	for t.peek(0) == r {
		t.at++
	}
	if m.text == "-" {
		t.dash(t.at - start)
		return
	}
	t.add(strings.Repeat(m.text, min(t.at-start, maxRepeats)), m.tag)
}

// sign adds the name of a sign.
func (t *tokenizer) sign(start int, r rune) {
	if fraction := fractions[r]; fraction != "" {
		if start > 0 && unicode.IsDigit(t.text[start-1]) {
			t.addWords("and")
		}
		t.addWords(fraction)
		return
	}
	name := signs[r]
	if special := signsBeforeDigit[r]; special != "" && unicode.IsDigit(t.peek(0)) {
		name = special
	}
	switch {
	case name != "":
		t.addWords(name)
	case !unicode.In(r, unicode.Cf, unicode.M):
		t.space()
	}
}

// ellipsis adds three or more dots as one mark, and reports whether they begin at start.
func (t *tokenizer) ellipsis(start int) bool {
	n := run(t.text[start:], func(r rune) bool { return r == '.' })
	if n < 3 {
		return false
	}
	t.at = start + n
	t.add("…", ":")
	return true
}

// dash adds n hyphens that join nothing: alone between spaces or doubled they are a dash.
func (t *tokenizer) dash(n int) {
	before, behind := t.peek(-n-1), t.peek(0)
	if n > 1 || unicode.IsSpace(before) && (unicode.IsSpace(behind) || behind == 0) {
		t.add("-", ":")
	}
}

// scheme leaves out the :// of an address, and reports whether it is here.
func (t *tokenizer) scheme(r rune) bool {
	if r != ':' || t.peek(0) != '/' || t.peek(1) != '/' {
		return false
	}
	t.at += 2
	t.space()
	return true
}

// opens reports whether a quote behind this rune is an opening one; 0 is the start of the text.
func opens(before rune) bool {
	return before == 0 || unicode.IsSpace(before) || strings.ContainsRune("([{“—–-", before)
}

// brokenOff reports whether the quote here ends a speech that a dash breaks off: nothing or a closing mark follows.
func (t *tokenizer) brokenOff() bool {
	behind := t.peek(0)
	return strings.ContainsRune("—–-", t.peek(-2)) && (behind == 0 || closing(behind) && !apostrophe(behind))
}

// closing reports whether a mark is written close to what is before it.
func closing(r rune) bool { return strings.ContainsRune(".,;:!?…)]}”»\"'’", r) }

func (t *tokenizer) quote(open bool) {
	m := closingQuote
	if open {
		m = openingQuote
	}
	t.add(m.text, m.tag)
}

// singleQuote adds an apostrophe that belongs to no word where it opens or closes a quote.
func (t *tokenizer) singleQuote(r rune) {
	behind := t.peek(0)
	switch {
	case !t.single && opens(t.peek(-2)) && unicode.IsLetter(behind):
		t.single = true
		t.quote(true)
	case t.single && r != '‘' && !unicode.IsLetter(behind):
		t.single = false
		t.quote(false)
	case unicode.IsLetter(behind):
		t.space()
	}
}
