package english

import (
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/engines/english/internal/sound"
	"github.com/voicewright/voicewright/engines/english/internal/token"
)

// part is a token or a piece of one, with its phonemes once they are known.
type part struct {
	text, tag string
	currency  string // the sign that is said with it
	first     bool   // of its group
	space     bool   // white space follows
	word      bool   // a word of its own in its group, with a space before it
	phonemes  string
	known     bool // phonemes are final
}

// marks are the punctuation in the vocabulary of Kokoro's models.
const marks = sound.Pauses + `"“”`

// maxGroup is how many parts are looked up together.
const maxGroup = 16

// group cuts tokens at the borders of letters, digits and signs, and returns the parts together that no space and no mark
// divides. A currency sign is said with the last number after it.
func group(tokens []token.Token, tags []string, british bool) [][]part {
	g := grouper{british: british}
	for i, t := range tokens {
		lastNumber := i+1 == len(tokens) || tags[i+1] != "CD"
		parts := g.parts(t, tags[i])
		for j := range parts {
			g.add(parts, j, lastNumber)
		}
	}
	return g.groups
}

// grouper collects groups of parts.
type grouper struct {
	british  bool
	groups   [][]part
	currency string // sign whose number has not come yet
	open     bool   // the next part may join the last group
}

// parts returns the parts of a token; IPA has its phonemes.
func (g *grouper) parts(t token.Token, tag string) []part {
	if t.IPA {
		return []part{{text: t.Text, tag: tag, first: true, space: t.Space, phonemes: FromIPA(t.Text, g.british), known: true}}
	}
	pieces := token.Pieces(t.Text)
	parts := make([]part, len(pieces))
	for i, s := range pieces {
		parts[i] = part{text: s, tag: tag, first: true}
	}
	if len(parts) > 0 {
		parts[len(parts)-1].space = t.Space
	}
	return parts
}

// add puts part i of a token into the last group or a new one. lastNumber is set when no number follows the token.
func (g *grouper) add(parts []part, i int, lastNumber bool) {
	p := &parts[i]
	alone := true
	punctuation, isMark := mark(p.text, p.tag)
	switch {
	case p.known:
	case p.tag == "$" && strings.Contains("$£€", p.text):
		g.currency, p.known = p.text, true
	case isMark:
		g.currency, p.phonemes, p.known = "", punctuation, true
	case g.currency == "" && betweenLetters(parts, i):
		p.text = "to"
	default:
		alone = false
		g.giveCurrency(p, i+1 == len(parts) && lastNumber)
	}
	if alone || !g.open {
		g.groups = append(g.groups, nil)
	} else {
		p.first = false
	}
	last := len(g.groups) - 1
	g.groups[last] = append(g.groups[last], *p)
	g.open = !alone && !p.space && len(g.groups[last]) < maxGroup
}

// giveCurrency hands the open currency sign to a number that is the last one; words end it.
func (g *grouper) giveCurrency(p *part, last bool) {
	if p.tag != "CD" {
		g.currency = ""
	} else if last {
		p.currency = g.currency
	}
}

// betweenLetters reports whether part i is the 2 of a word such as b2b, where it means to.
func betweenLetters(parts []part, i int) bool {
	if i == 0 || i == len(parts)-1 || parts[i].text != "2" {
		return false
	}
	last, _ := sound.LastTwo(parts[i-1].text)
	return unicode.IsLetter(last) && unicode.IsLetter([]rune(parts[i+1].text)[0])
}

var dashes = strings.NewReplacer("-", "—", "–", "—")

// fixedMarks are the phonemes of quotes and brackets by their tag.
var fixedMarks = map[string]string{"-LRB-": "(", "-RRB-": ")", "``": "“", "''": "”", `""`: "”"}

// mark returns the phonemes of punctuation; false for words and numbers.
func mark(text, tag string) (string, bool) {
	if token.ASCIILetters(text) {
		return "", false
	}
	switch tag {
	case ".", ",", "$", "#", "NFP":
		return knownMarks(text), true
	case ":":
		return knownMarks(dashes.Replace(text)), true
	}
	phonemes, ok := fixedMarks[tag]
	return phonemes, ok
}

// knownMarks returns the marks of Kokoro's vocabulary in a text.
func knownMarks(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(marks, r) {
			return r
		}
		return -1
	}, text)
}
