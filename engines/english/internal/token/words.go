package token

import (
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/engines/english/internal/words"
)

// word adds the word here with its apostrophes and dots, and the digits behind it.
func (t *tokenizer) word() {
	start := t.at
	t.at++
	for t.at < len(t.text) && t.inWord(t.text[t.at]) {
		t.at++
	}
	word := string(t.text[start:t.at])
	switch {
	case strings.EqualFold(Straight(word), "'n") && apostrophe(t.peek(0)):
		t.at++
		t.add("'n'", "CC")
	case t.peek(0) == '.' && (t.dotted(start) || t.abbreviated(word)):
	case t.peek(0) == '.' && unicode.IsLower(t.peek(1)) && len(word) > 1: // the dot of an address
		t.add(word, "")
		t.at++
		t.addWords("dot")
	default:
		t.clitics(word)
		t.join()
	}
}

// inWord reports whether the rune here belongs to the word before it: letters and digits, an apostrophe between letters, a
// point between digits.
func (t *tokenizer) inWord(r rune) bool {
	switch {
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
		return true
	case r == '\'' || r == '’':
		return unicode.IsLetter(t.peek(1))
	}
	return (r == '.' || r == ',') && unicode.IsDigit(t.peek(-1)) && unicode.IsDigit(t.peek(1))
}

func (t *tokenizer) letterBefore() bool { return t.at > 0 && unicode.IsLetter(t.text[t.at-1]) }

// elisions are the words that begin with an apostrophe, without it.
var elisions = words.Set("tis twas cause em til twere twill bout n")

// elision reports whether an apostrophe starts a word here, as in 'tis and 'cause.
func (t *tokenizer) elision(r rune) bool {
	if !apostrophe(r) || r == '‘' || unicode.IsLetter(t.peek(-1)) || !unicode.IsLetter(t.peek(1)) {
		return false
	}
	return elisions[strings.ToLower(t.letters(t.at+1))]
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

// cliticTags are the endings that are tokens of their own, with their tags; that of 's is decided later.
var cliticTags = []struct{ ending, tag string }{
	{"n't", "RB"}, {"'s", "POS"}, {"'ll", "MD"}, {"'re", "VBP"}, {"'ve", "VBP"}, {"'d", "MD"}, {"'m", "VBP"},
}

// clitics adds a word, and its clitic as a token of its own.
func (t *tokenizer) clitics(word string) {
	plain := strings.ToLower(Straight(word))
	for _, c := range cliticTags {
		if !strings.HasSuffix(plain, c.ending) {
			continue
		}
		runes := []rune(word)
		if n := len(runes) - len(c.ending); n > 0 {
			t.add(string(runes[:n]), "")
			t.add(string(runes[n:]), c.tag)
			return
		}
	}
	t.add(word, "")
}

// dotted adds letters with dots between them, such as U.S.A. and e.g., with the last dot unless it ends the text, and reports
// whether they start at start.
func (t *tokenizer) dotted(start int) bool {
	i, dots := t.dots(start)
	if dots == 0 || dots == 1 && t.text[i-1] == '.' || i < len(t.text) && unicode.IsLetter(t.text[i]) {
		return false
	}
	if t.at = i; t.text[i-1] == '.' {
		t.at--
		if !t.endsText() && !t.startsSentence() {
			t.at++
		}
	}
	t.add(string(t.text[start:t.at]), "NNP")
	return true
}

// dots returns where a row of one or two letters with dots between them ends, and the number of its dots.
func (t *tokenizer) dots(start int) (end, dots int) {
	const maxDots = 20
	end = start
	for dots < maxDots {
		n := run(t.text[end:], unicode.IsLetter)
		if n == 0 || n > 2 {
			break
		}
		if end+n >= len(t.text) || t.text[end+n] != '.' {
			if dots > 0 {
				end += n
			}
			break
		}
		end += n + 1
		dots++
	}
	return end, dots
}

// abbreviated adds a word with the dot that belongs to it, and reports whether it is an initial or an abbreviation; that is
// written out.
func (t *tokenizer) abbreviated(word string) bool {
	first := t.firstRune(t.at + 1)
	full, ok := abbreviation(word, first, t.previous())
	switch {
	case ok:
	case len(word) == 1 && word != "I" && word != "A" && unicode.IsUpper(rune(word[0])) && t.peek(1) == ' ' && unicode.IsUpper(first):
		full = word
	default:
		return false
	}
	tag := ""
	if len(word) == 1 {
		tag = "NNP"
	}
	t.add(full, tag)
	if !t.endsText() && (!unicode.IsUpper(first) || !strings.EqualFold(word, "etc")) {
		t.at++
	}
	return true
}

// endsText reports whether nothing but closing marks follows the dot here.
func (t *tokenizer) endsText() bool {
	for i := t.at + 1; i < len(t.text); i++ {
		if !unicode.IsSpace(t.text[i]) && !strings.ContainsRune(`"'”’)]»`, t.text[i]) {
			return false
		}
	}
	return true
}

// starters are small words that begin a sentence when they have a capital.
var starters = words.Set("It He She They We You The This That These Those There But And So In On A An")

// startsSentence reports whether the word after the dot here begins a sentence.
func (t *tokenizer) startsSentence() bool {
	i := t.at + 1
	for i < len(t.text) && unicode.IsSpace(t.text[i]) {
		i++
	}
	return starters[t.letters(i)]
}
