package english

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// token is a piece of text with what is known of it: a word, a part of one, a number, a mark.
type token struct {
	text     string
	tag      string // part of speech after the Penn Treebank, as spaCy writes it
	space    bool   // white space follows
	line     bool   // a line ends behind it
	sound    string
	spoken   bool   // sound holds
	head     bool   // starts a group
	apart    bool   // has a space before it in the sound
	currency string // the sign to be said with it
}

// punctuation is what Kokoro knows of it, quotes included; pauses are those that end a clause.
const (
	punctuation = pauses + `"“”`
	pauses      = ";:,.!?—…"
	junk        = "',-._‘’/"
)

// longestGroup is how many parts are looked up together.
const longestGroup = 16

// straight makes a word comparable to the dictionary: straight apostrophes, compatible forms folded, digits 0 to 9.
func straight(word string) string {
	if ascii(word) {
		return word
	}
	word = strings.NewReplacer("‘", "'", "’", "'").Replace(word)
	return plainDigits(norm.NFKC.String(word))
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// fix sets the sound of a token that its tag calls punctuation, and reports whether it is.
func (t *token) fix() bool {
	if allASCIILetters(t.text) {
		return false
	}
	switch t.tag {
	case ".", ",", "$", "#", "NFP":
		t.sound = marks(t.text)
	case ":":
		t.sound = marks(strings.NewReplacer("-", "—", "–", "—").Replace(t.text))
	case "-LRB-":
		t.sound = "("
	case "-RRB-":
		t.sound = ")"
	case "``":
		t.sound = "“"
	case "''", `""`:
		t.sound = "”"
	default:
		return false
	}
	t.spoken = true
	return true
}

// marks keeps the punctuation of a text that Kokoro knows.
func marks(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(punctuation, r) {
			return r
		}
		return -1
	}, text)
}

func allASCIILetters(s string) bool {
	for i := range len(s) {
		if !asciiLetter(s[i]) {
			return false
		}
	}
	return true
}

// group cuts tokens at the borders of letters, digits and signs, and puts those together that no space and no mark divides.
// A currency sign goes to the last number after it.
func group(tokens []token) [][]token {
	var groups [][]token
	currency, open := "", false
	for i, t := range tokens {
		parts := []token{t}
		if !t.spoken {
			parts = parts[:0]
			for _, s := range pieces(t.text) {
				parts = append(parts, token{text: s, tag: t.tag, head: true})
			}
			if len(parts) == 0 {
				continue
			}
			parts[len(parts)-1].space = t.space
		}
		for j := range parts {
			p := &parts[j]
			alone := true
			switch {
			case p.spoken:
			case p.tag == "$" && strings.Contains("$£€", p.text):
				currency, p.spoken = p.text, true
			case p.fix():
				currency = ""
			case currency == "" && between(parts, j):
				p.text = "to"
			default:
				alone = false
				if p.tag != "CD" {
					currency = ""
				} else if j+1 == len(parts) && (i+1 == len(tokens) || tokens[i+1].tag != "CD") {
					p.currency = currency
				}
			}
			if alone || !open {
				groups = append(groups, nil)
			} else {
				p.head = false
			}
			groups[len(groups)-1] = append(groups[len(groups)-1], *p)
			open = !alone && !p.space && len(groups[len(groups)-1]) < longestGroup
		}
	}
	return groups
}

// between reports whether part i is the 2 of a word such as b2b, where it means to.
func between(parts []token, i int) bool {
	if i == 0 || i == len(parts)-1 || parts[i].text != "2" {
		return false
	}
	last, _ := lastRunes(parts[i-1].text)
	return unicode.IsLetter(last) && unicode.IsLetter([]rune(parts[i+1].text)[0])
}

// merge makes one token of several.
func merge(tokens []token) token {
	if len(tokens) == 1 {
		return tokens[0]
	}
	var text, sound strings.Builder
	out := tokens[0]
	best := -1
	for i, t := range tokens {
		text.WriteString(t.text)
		if i < len(tokens)-1 && t.space {
			text.WriteByte(' ')
		}
		if t.apart && t.sound != "" && sound.Len() > 0 && !strings.HasSuffix(sound.String(), " ") {
			sound.WriteByte(' ')
		}
		sound.WriteString(t.sound)
		if n := capitals(t.text); n > best {
			best, out.tag = n, t.tag
		}
		out.currency = max(out.currency, t.currency)
	}
	out.text, out.sound, out.space = text.String(), sound.String(), tokens[len(tokens)-1].space
	return out
}

// capitals weighs a text by its length, capitals twice.
func capitals(s string) int {
	n := 0
	for _, r := range s {
		n++
		if unicode.ToLower(r) != r {
			n++
		}
	}
	return n
}
