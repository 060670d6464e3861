package token_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/voicewright/voicewright/engines/english/internal/token"
)

// written returns tokens as text: tags behind a slash, white space as a space, IPA in brackets, ends of lines as |.
func written(tokens []token.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		switch {
		case t.IPA:
			b.WriteString("[" + t.Text + "]")
		case t.Tag != "":
			b.WriteString(t.Text + "/" + t.Tag)
		default:
			b.WriteString(t.Text)
		}
		switch {
		case t.Line:
			b.WriteByte('|')
		case t.Space:
			b.WriteByte(' ')
		default:
			b.WriteByte('+')
		}
	}
	return strings.TrimRight(b.String(), "+")
}

func TestTokenize(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"A dog barked.":             "A dog barked+./.",
		"It isn't Ann's.":           "It is+n't/RB Ann+'s/POS+./.",
		"one\ntwo":                  "one|two",
		"state-of-the-art":          "state+-/HYPH+of+-/HYPH+the+-/HYPH+art",
		"and/or":                    "and+//SYM+or",
		`"Go!" (now)`:               "“/``+Go+!/.+”/'' (/-LRB-+now+)/-RRB-",
		"Say [[ə]].":                "Say [ə]+./.",
		"the U.S.A. won":            "the U.S.A./NNP won",
		"Prof. Lee met J. K. Lee":   "Professor Lee met J/NNP K/NNP Lee",
		"5 Oak St. in St. Ives":     "5/CD Oak Street in Saint Ives",
		"at 10:05":                  "at 10/CD oh 5/CD",
		"at 10:00":                  "at 10/CD o'clock/RB",
		"10-20 pages":               "10/CD to 20/CD pages",
		"call 555-0199":             "call five five five zero one nine nine ",
		"3/4 and 1½":                "3/CD quarters/NNS and 1/CD and one half ",
		"$5m or 20€":                "$/$+5/CD million/CD or 20/CD euros ",
		"5 kg, 1ft, 20°C":           "5/CD kilograms+,/, 1/CD foot+,/, 20/CD degrees celsius ",
		"-5 and 7am":                "-5/CD and 7/CD AM/NNP",
		"wait... no—yes -- or - so": "wait+…/: no+—/:+yes -/: or -/: so",
		"me@yes.com":                "me at yes dot com",
		"'tis rock 'n' roll":        "'tis rock 'n'/CC roll",
		"can`t a😀b":                 "ca+n't/RB a b",
	} {
		assert.Equal(t, want, written(token.Tokenize(text)), text)
	}
}

func TestPieces(t *testing.T) {
	for word, want := range map[string]string{
		"dog":         "dog",
		"camelCase":   "camel Case",
		"HTTPServer":  "HTTPServer",
		"O'Brien":     "O'Brien",
		"747s":        "747 s",
		"B747":        "B 747",
		"-1,234.5":    "-1,234.5",
		"snake_case":  "snake _ case",
		"rock'n'roll": "rock'n'roll",
	} {
		assert.Equal(t, want, strings.Join(token.Pieces(word), " "), word)
	}
}

func TestStraight(t *testing.T) {
	for word, want := range map[string]string{"it’s": "it's", "ﬁsh": "fish", "１２": "12", "١٢": "12", "café": "café"} {
		assert.Equal(t, want, token.Straight(word), word)
	}
}
