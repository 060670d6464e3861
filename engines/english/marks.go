package english

import (
	"strings"
	"unicode"
)

// mark takes a sign: punctuation, a quote, a sign that has a name. Others are left out.
func (t *tokenizer) mark(r rune) {
	start := t.at
	t.at++
	if n := len(t.out); n > 0 && closing(r) && !unicode.IsSpace(t.text[start-1]) {
		t.out[n-1].space = false
	}
	if text, tag := stop(r); tag != "" {
		if t.dots(start) || t.scheme(r) {
			return
		}
		for t.peek(0) == r {
			t.at++
		}
		if r == '-' || r == '−' || r == '‐' {
			t.dash(t.at - start)
			return
		}
		t.add(strings.Repeat(text, min(t.at-start, longestRun)), tag)
		return
	}
	switch {
	case r == '"':
		t.quote(opens(t.peek(-2)) && !unicode.IsSpace(t.peek(0)) && !t.brokenOff())
	case r == '“' || r == '„' || r == '«':
		t.quote(true)
	case r == '”' || r == '»':
		t.quote(false)
	case apostrophe(r):
		t.singleQuote(r)
	case strings.ContainsRune("([{（", r):
		t.add("(", "-LRB-")
	case strings.ContainsRune(")]}）", r):
		t.add(")", "-RRB-")
	case strings.ContainsRune("$£€", r) && unicode.IsDigit(t.first(t.at)):
		t.add(string(r), "$")
		for t.peek(0) == ' ' {
			t.at++
		}
	default:
		if fraction := vulgar(r); fraction != "" {
			if start > 0 && unicode.IsDigit(t.text[start-1]) {
				t.say("and")
			}
			t.say(fraction)
		} else if name := signName(r, unicode.IsDigit(t.peek(0))); name != "" {
			t.say(name)
		} else if !unicode.In(r, unicode.Cf, unicode.M) {
			t.gap()
		}
	}
}

// dots takes three dots or more as one sign.
func (t *tokenizer) dots(start int) bool {
	n := run(t.text[start:], func(r rune) bool { return r == '.' })
	if n < 3 {
		return false
	}
	t.at = start + n
	t.add("…", ":")
	return true
}

// dash takes a hyphen that joins nothing: alone or doubled it is a dash.
func (t *tokenizer) dash(n int) {
	before, after := t.peek(-n-1), t.peek(0)
	if n > 1 || unicode.IsSpace(before) && (unicode.IsSpace(after) || after == 0) {
		t.add("-", ":")
	}
}

// scheme drops the :// of an address.
func (t *tokenizer) scheme(r rune) bool {
	if r != ':' || t.peek(0) != '/' || t.peek(1) != '/' {
		return false
	}
	t.at += 2
	t.gap()
	return true
}

// opens reports whether a quote behind this rune is an opening one; 0 is the start of the text.
func opens(before rune) bool {
	return before == 0 || unicode.IsSpace(before) || strings.ContainsRune("([{“—–-", before)
}

// brokenOff reports whether the quote here ends a speech that a dash breaks off: nothing or a closing mark follows.
func (t *tokenizer) brokenOff() bool {
	after := t.peek(0)
	return strings.ContainsRune("—–-", t.peek(-2)) && (after == 0 || closing(after) && !apostrophe(after))
}

// closing is a mark that stands close behind what is before it.
func closing(r rune) bool { return strings.ContainsRune(".,;:!?…)]}”»\"'’", r) }

func (t *tokenizer) quote(open bool) {
	if open {
		t.add("“", "``")
	} else {
		t.add("”", "''")
	}
}

// singleQuote takes an apostrophe that belongs to no word: a quote when it opens or closes one.
func (t *tokenizer) singleQuote(r rune) {
	after := t.peek(0)
	switch {
	case !t.single && opens(t.peek(-2)) && unicode.IsLetter(after):
		t.single = true
		t.quote(true)
	case t.single && r != '‘' && !unicode.IsLetter(after):
		t.single = false
		t.quote(false)
	case unicode.IsLetter(after):
		t.gap()
	}
}

// stop gives the text and tag of punctuation.
func stop(r rune) (text, tag string) {
	switch r {
	case '.', '。', '．', '۔', '।':
		return ".", "."
	case '!', '！':
		return "!", "."
	case '?', '？', '؟':
		return "?", "."
	case ',', '，', '、', '،':
		return ",", ","
	case ';', '；', '؛':
		return ";", ":"
	case ':', '：':
		return ":", ":"
	case '…':
		return "…", ":"
	case '—', '―', '–':
		return "—", ":"
	case '-', '−', '‐':
		return "-", ":"
	}
	return "", ""
}

// vulgar reads a fraction that is one character.
func vulgar(r rune) string {
	switch r {
	case '½':
		return "one half"
	case '⅓':
		return "one third"
	case '⅔':
		return "two thirds"
	case '¼':
		return "one quarter"
	case '¾':
		return "three quarters"
	case '⅛':
		return "one eighth"
	}
	return ""
}

// signName gives the words for a sign.
func signName(r rune, beforeDigit bool) string {
	switch r {
	case '%':
		return "percent"
	case '&', '＆':
		return "and"
	case '+':
		return "plus"
	case '@':
		return "at"
	case '=':
		return "equals"
	case '×':
		return "times"
	case '÷':
		return "divided by"
	case '±':
		return "plus or minus"
	case '°':
		return "degrees"
	case '§':
		return "section"
	case '$':
		return "dollars"
	case '£':
		return "pounds"
	case '€':
		return "euros"
	case '¥':
		return "yen"
	case '₹':
		return "rupees"
	case '#':
		if beforeDigit {
			return "number"
		}
		return "hash"
	}
	if beforeDigit && r == '<' {
		return "less than"
	}
	if beforeDigit && r == '>' {
		return "greater than"
	}
	return ""
}
