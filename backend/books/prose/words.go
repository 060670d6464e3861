package prose

import (
	"slices"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

// CountsCharacters reports whether a text in a language is counted in characters, as it has no blanks.
func CountsCharacters(language string) bool {
	return slices.Contains([]string{"zh", "cmn", "yue", "ja", "th"}, backend.BaseLanguage(language))
}

// ScriptLanguage returns the language of a text that is mostly in letters of a language without blanks, so that its length can be told:
// zh, ja or th; "" for other texts.
func ScriptLanguage(blocks []backend.Block) string {
	letters, han, kana, thai := 0, 0, 0, 0
	for _, b := range blocks {
		for _, span := range b.Spans {
			for _, r := range span.Text {
				switch {
				case unicode.Is(unicode.Han, r):
					han++
				case unicode.In(r, unicode.Hiragana, unicode.Katakana):
					kana++
				case unicode.Is(unicode.Thai, r):
					thai++
				case unicode.IsLetter(r):
					letters++
				}
			}
		}
	}
	const kanaOfTen = 1 // of ten characters, at least, in Japanese; in Chinese there are a few in names
	switch {
	case thai > letters+han+kana:
		return "th"
	case han+kana <= letters+thai:
		return ""
	case kana*10 > kanaOfTen*(han+kana):
		return "ja"
	default:
		return "zh"
	}
}

// characters returns the number of letters and digits.
func characters(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			n++
		}
	}
	return n
}

// Count returns the words of blocks by class, the text of the work first.
func Count(blocks []backend.Block, language string) []backend.BookCount {
	chars := map[backend.TextClass]int{}
	plain := slices.Clone(blocks)
	for i, b := range plain {
		plain[i].Spans = plainSpans(b.Spans)
		for _, span := range plain[i].Spans {
			chars[span.Class] += characters(span.Text)
		}
	}
	out := []backend.BookCount{}
	_, counts := backend.CountWords(plain)
	for _, c := range counts {
		n := backend.BookCount{Class: c.Class, Words: c.Words, Characters: chars[c.Class]}
		if CountsCharacters(language) {
			n.Words = n.Characters
		}
		out = append(out, n)
	}
	return out
}

// plainSpans returns spans without the markup that the user wrote.
func plainSpans(spans []backend.Span) []backend.Span {
	if !slices.ContainsFunc(spans, func(s backend.Span) bool { return s.Markup }) {
		return spans
	}
	spans = slices.Clone(spans)
	for i, s := range spans {
		if s.Markup {
			spans[i].Text = text.Plain(s.Text)
		}
	}
	return spans
}

// Samples returns the first words of each class that is left out.
func Samples(blocks []backend.Block) map[backend.TextClass]string {
	out := map[backend.TextClass]string{}
	_, counts := backend.CountWords(blocks)
	for _, c := range counts {
		if c.Class != "" {
			out[c.Class] = c.Sample
		}
	}
	return out
}

// Silent returns the spans that are left out. They stay when the text before them is replaced, so that every word is accounted for.
func Silent(spans []backend.Span, o backend.BookOptions) []backend.Span {
	return slices.DeleteFunc(slices.Clone(spans), func(s backend.Span) bool { return o.Reads(s.Class) })
}

// Words returns the text of a block that is read aloud.
func Words(b backend.Block, o backend.BookOptions) string {
	var out strings.Builder
	for _, span := range plainSpans(b.Spans) {
		if o.Reads(span.Class) {
			out.WriteString(span.Text)
		} else {
			out.WriteByte(' ')
		}
	}
	return out.String()
}
