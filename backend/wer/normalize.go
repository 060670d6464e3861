package wer

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/backend/text/english"
)

// maxWords is the longest text that is compared, in words; a model that repeats itself without end can hear more.
const maxWords = 5000

// normalize returns the words of a text in the form in which they are compared.
func normalize(language, text string) []string {
	base, _, _ := strings.Cut(strings.ToLower(language), "-")
	text = quotes.Replace(norm.NFKC.String(text))
	if text == strings.ToUpper(text) { // capitals would be taken for acronyms
		text = strings.ToLower(text)
	}
	if base == "en" {
		text = english.Normalize(brackets.ReplaceAllString(text, " "))
	}
	text = cases.Fold().String(text)
	if base == "en" {
		text = expand(text)
	}
	words := wordsOf(text, byCharacter(base))
	if base == "en" {
		words = spell(words)
	}
	return words[:min(len(words), maxWords)]
}

var (
	quotes   = strings.NewReplacer("’", "'", "‘", "'", "ʼ", "'", "`", "'")
	brackets = regexp.MustCompile(`\[[^\[\]]{0,60}\]|\([^()]{0,60}\)|\*[^*]{0,60}\*`) // noises, as in [music]
)

// byCharacter reports whether a language is compared by character because it is written without spaces.
func byCharacter(base string) bool {
	switch base {
	case "zh", "cmn", "yue", "ja", "th", "lo", "km", "my", "bo":
		return true
	default:
		return false
	}
}

// wordsOf returns the runs of letters, marks and digits; of a script without spaces, and where characters is set, each
// letter with its marks.
func wordsOf(text string, characters bool) []string {
	var out []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	for _, r := range text {
		switch {
		case unicode.IsMark(r):
			word.WriteRune(r)
		case unicode.IsLetter(r) && (characters && r > unicode.MaxLatin1 || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)):
			end()
			word.WriteRune(r)
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word.WriteRune(r)
		case r == '\'':
		default:
			end()
		}
	}
	end()
	return out
}

// contractions of English in lower case, and what they stand for, as in Whisper's normaliser.
var contractions = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`\bwon't\b`), "will not"},
	{regexp.MustCompile(`\bcan't\b`), "can not"},
	{regexp.MustCompile(`\bcannot\b`), "can not"},
	{regexp.MustCompile(`\blet's\b`), "let us"},
	{regexp.MustCompile(`\b(?:y'all|ya'll)\b`), "you all"},
	{regexp.MustCompile(`\bwanna\b`), "want to"},
	{regexp.MustCompile(`\bgonna\b`), "going to"},
	{regexp.MustCompile(`\bgotta\b`), "got to"},
	{regexp.MustCompile(`\bain't\b`), "is not"},
	{regexp.MustCompile(`n't\b`), " not"},
	{regexp.MustCompile(`'re\b`), " are"},
	{regexp.MustCompile(`'s\b`), " is"},
	{regexp.MustCompile(`'d\b`), " would"},
	{regexp.MustCompile(`'ll\b`), " will"},
	{regexp.MustCompile(`'ve\b`), " have"},
	{regexp.MustCompile(`'m\b`), " am"},
	{regexp.MustCompile(`\b(?:hmm+|mm+|mhm|uh+|um+|erm?)\b`), " "},
	{regexp.MustCompile(`\b(hundred|thousand|million) and\b`), "$1"},
	{regexp.MustCompile(`\bok\b`), "okay"},
}

// expand writes out contractions.
func expand(text string) string {
	for _, c := range contractions {
		text = c.from.ReplaceAllString(text, c.to)
	}
	return text
}

// spellings turn British into American spelling, by ending. They change other words too, but those of both texts alike.
var spellings = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`^(\w{3,})is(e|es|ed|ing|er|ers|ation|ations)$`), "${1}iz$2"},
	{regexp.MustCompile(`^(\w{3,})ys(e|es|ed|ing|er|ers)$`), "${1}yz$2"},
	{regexp.MustCompile(`^(\w{3,})our(s|ed|ing|ite|ites|able|ful|hood|ly)?$`), "${1}or$2"},
	{regexp.MustCompile(`^(cent|theat|met|lit|fib|calib|lust|spect|somb)re(s|d)?$`), "${1}er$2"},
	{regexp.MustCompile(`^(def|off|lic|pret)ence(s|d)?$`), "${1}ense$2"},
	{regexp.MustCompile(`^(\w{3,}[aeiou])ll(ed|ing|er|ers)$`), "${1}l$2"},
	{regexp.MustCompile(`^gr[ae]y(s|ed|ing|ish)?$`), "gray$1"},
	{regexp.MustCompile(`^(program|catalog|dialog)(?:me|ue)(s)?$`), "$1$2"},
}

// spell changes British words to American spelling.
func spell(words []string) []string {
	for i, w := range words {
		for _, s := range spellings {
			if s.from.MatchString(w) {
				words[i] = s.from.ReplaceAllString(w, s.to)
				break
			}
		}
	}
	return words
}
