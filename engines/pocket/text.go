package pocket

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines/python"
	"github.com/voicewright/voicewright/engines/tokens"
)

// frontend turns text into the pieces that the graphs take.
type frontend struct {
	bundle *bundle
	tokens *tokens.SentencePiece
}

// piece is one run of the model.
type piece struct {
	ids   []int64
	words int
}

// pieces returns the pieces of a text, in order; those without a letter or digit are left out.
func (f *frontend) pieces(s string) []piece {
	var out []piece
	for _, part := range f.split(f.clean(s), f.bundle.Tokens) {
		if text.Speakable(part) {
			prepared, words := f.prepare(part)
			out = append(out, piece{ids: f.ids(prepared), words: words})
		}
	}
	return out
}

// after returns the frames that follow the one in which the end was found.
func (f *frontend) after(words int) int {
	const beyond = 2 // the driver adds them to its guess
	switch {
	case f.bundle.AfterEOS != nil && *f.bundle.AfterEOS != 0:
		return *f.bundle.AfterEOS
	case words <= 4:
		return 3 + beyond
	default:
		return 1 + beyond
	}
}

// ids returns the tokens of prepared text.
func (f *frontend) ids(prepared string) []int64 {
	all := f.tokens.Encode(prepared)
	out := make([]int64, len(all))
	for i, id := range all {
		out[i] = int64(id)
	}
	return out
}

// prepare writes a text as the model was trained on it (reference driver): a capital at the beginning, a point after
// a letter or digit at the end. A blank text becomes an empty one.
func (f *frontend) prepare(s string) (prepared string, words int) {
	fields := python.Fields(s)
	if len(fields) == 0 {
		return "", 0
	}
	s = strings.Join(fields, " ")
	if f.bundle.Semicolon {
		s = strings.ReplaceAll(s, ";", ",")
	}
	r, size := utf8.DecodeRuneInString(s)
	if !unicode.IsUpper(r) {
		s = upper(r) + s[size:]
	}
	if last, _ := utf8.DecodeLastRuneInString(s); unicode.IsLetter(last) || unicode.IsNumber(last) {
		s += "."
	}
	if f.bundle.Pad && len(fields) < 5 {
		s = strings.Repeat(" ", 8) + s
	}
	return s, len(fields)
}

// upper returns a letter as a capital, which can be two letters: SS for ß.
func upper(r rune) string {
	if r < utf8.RuneSelf {
		return string(unicode.ToUpper(r)) // without a Caser, which takes longer to make than the rest of the work
	}
	return cases.Upper(language.Und).String(string(r))
}

// plain are simple forms of characters that a tokenizer may not know.
var plain = map[rune]string{
	'“': `"`, '”': `"`, '„': `"`, '‟': `"`, '«': `"`, '»': `"`, '‹': `"`, '›': `"`, '″': `"`,
	'‘': "'", '’': "'", '‚': "'", '‛': "'", '′': "'", 'ʼ': "'",
	'‐': "-", '‒': "-", '–': "-", '—': "-", '―': "-", '−': "-",
}

// clean returns the text without what the model cannot read: a character that its tokenizer would take apart into bytes is
// replaced by a plain form of it, and left out if it has none and is neither letter nor digit, such as an emoji. Line ends
// stay, as they end sentences.
func (f *frontend) clean(s string) string {
	var out strings.Builder
	letter := false // the last character was kept as a part of a word
	for _, r := range norm.NFC.String(strings.ToValidUTF8(s, " ")) {
		word := unicode.IsLetter(r) || unicode.IsNumber(r) || letter && unicode.IsMark(r)
		switch {
		case python.IsSpace(r):
			out.WriteRune(r)
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			continue
		case r < utf8.RuneSelf || f.knows(string(r)):
			out.WriteRune(r)
		case plain[r] != "":
			out.WriteString(plain[r])
		case f.knows(letters(r)):
			out.WriteString(letters(r))
		case word:
			out.WriteRune(r)
		default:
			out.WriteByte(' ')
		}
		letter = word
	}
	return out.String()
}

// letters returns the usual letters and digits of a character that stands for them, such as 1/2 for ½.
func letters(r rune) string { return strings.ReplaceAll(norm.NFKC.String(string(r)), "\u2044", "/") }

// knows reports whether the tokenizer has pieces for all characters of s.
func (f *frontend) knows(s string) bool {
	const prefix = 1 // the piece for the space that a tokenizer puts before a text
	return len(f.tokens.Encode(s)) <= prefix+utf8.RuneCountInString(s)
}
