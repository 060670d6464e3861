package backend

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/ipa"
)

// The maximum lengths of a pronunciation in characters.
const (
	maxWord       = 100
	maxRespelling = 200
)

// The limits of a dictionary, which is compiled for each language.
const (
	MaxDictionaryWords = 20_000
	MaxDictionaryBytes = 2 << 20 // of words and respellings

	DictionaryLimits = "a dictionary has at limit 20,000 words, and 2 MB of words and respellings"
)

// Pronunciation is an entry of the user's dictionary: how a word is pronounced (decisions.md section 2). It has a
// word once for each language, ignoring case.
type Pronunciation struct {
	ID         string `json:"id"`
	Word       string `json:"word"`
	Respelling string `json:"respelling"`
	Language   string `json:"language"`
}

// PronunciationPatch changes the given fields only.
type PronunciationPatch struct {
	Word       *string
	Respelling *string
	Language   *string
}

// Apply changes the given fields of a pronunciation.
func (c PronunciationPatch) Apply(p *Pronunciation) {
	set(&p.Word, c.Word)
	set(&p.Respelling, c.Respelling)
	set(&p.Language, c.Language)
}

// PronunciationFilter selects pronunciations, A to Z; zero values select all.
type PronunciationFilter struct {
	Search   string // in word and respelling; accents and case do not matter
	Language string // "en" also finds "en-GB"
	Page
}

// Check normalises white space and the language tag, and returns a ValidationError for invalid values. A word has 1 to 100
// characters, among them a letter or a digit and none of [ ] < > |. A respelling has 1 to 200, without [[, ]] and |, plain or
// IPA between two slashes. A language is empty or a BCP 47 tag with registered subtags.
func (p *Pronunciation) Check() error {
	p.Word, p.Respelling = oneSpace(p.Word), oneSpace(p.Respelling)
	var fields []FieldError
	for _, f := range []*FieldError{p.checkWord(), p.checkRespelling(), p.checkLanguage()} {
		if f != nil {
			fields = append(fields, *f)
		}
	}
	if len(fields) > 0 {
		return &ValidationError{Fields: fields}
	}
	return nil
}

func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

func (p *Pronunciation) checkWord() *FieldError {
	if f := checkText("word", p.Word, maxWord); f != nil {
		return f
	}
	if !strings.ContainsFunc(p.Word, isLetterOrDigit) {
		return &FieldError{Loc: []string{"body", "word"}, Msg: "Value error, a word has a letter or a digit", Type: "value_error"}
	}
	if strings.ContainsAny(p.Word, "[]<>|") {
		return &FieldError{
			Loc: []string{"body", "word"}, Type: "value_error",
			Msg: "Value error, a word has none of [ ] < > |, which are markup in a text",
		}
	}
	return nil
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func (p *Pronunciation) checkRespelling() *FieldError {
	if f := checkText("respelling", p.Respelling, maxRespelling); f != nil {
		return f
	}
	if strings.Contains(p.Respelling, "[[") || strings.Contains(p.Respelling, "]]") || strings.Contains(p.Respelling, "|") {
		return &FieldError{
			Loc: []string{"body", "respelling"}, Type: "value_error",
			Msg: "Value error, a respelling has no [[, ]] or |; phonemes stand between two slashes, such as /ˈleməs/",
		}
	}
	sounds, phonemes := strings.CutPrefix(p.Respelling, "/")
	sounds, closed := strings.CutSuffix(sounds, "/")
	if phonemes && (!closed || strings.TrimSpace(sounds) == "" || strings.Contains(sounds, "/")) {
		return &FieldError{
			Loc: []string{"body", "respelling"}, Type: "value_error",
			Msg: "Value error, phonemes stand between two slashes, such as /ˈleməs/",
		}
	}
	if wrong, ok := ipa.Foreign(sounds); phonemes && ok {
		return &FieldError{
			Loc: []string{"body", "respelling"}, Type: "value_error",
			Msg: fmt.Sprintf("Value error, %q is not a sign of the International Phonetic Alphabet", wrong),
		}
	}
	return nil
}

func (p *Pronunciation) checkLanguage() *FieldError {
	if p.Language = strings.TrimSpace(p.Language); p.Language == "" {
		return nil
	}
	if tag, ok := CanonicalLanguage(p.Language); ok && KnownLanguage(tag) {
		p.Language = tag
		return nil
	}
	return &FieldError{
		Loc: []string{"body", "language"}, Type: "value_error",
		Msg: "Value error, it should be empty or the BCP 47 tag of a known language, such as en or pt-BR",
	}
}

// checkText requires 1 to limit printable characters.
func checkText(field, value string, limit int) *FieldError {
	if !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl) {
		return &FieldError{
			Loc: []string{"body", field}, Msg: "Input should be a valid string without control characters", Type: "string_unicode",
		}
	}
	return checkLength(field, value, limit)
}
