package text

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// withoutInnerStops leaves out the full stops of abbreviations within sentences at which espeak-ng would end the sentence: those
// before white space and no lower-case letter, as in "v. Chr.", and those before a line end. It reads the abbreviations alike
// with and without them. The number of words stays the same.
func withoutInnerStops(s string) string { return hyphenated(withoutStops(s, nil)) }

// innerMark is an exclamation or question mark within a word, or the full stop in EE.UU., which espeak-ng names.
var innerMark = regexp.MustCompile(`(\pL)[!?](\pL)|(\p{Lu}\p{Lu})\.(\p{Lu}\p{Lu})`)

// hyphenated writes a hyphen for the marks within words, such as Yahoo!Japan and EE.UU.
func hyphenated(s string) string {
	if !strings.ContainsAny(s, "!?.") {
		return s
	}
	return markup.Outside(s, func(words string) string { return innerMark.ReplaceAllString(words, "$1$3-$2$4") })
}

// withoutUnknownStops is withoutInnerStops for the abbreviations that normalize does not spell out.
func withoutUnknownStops(s string, normalize func(string) string) string {
	return withoutStops(s, func(before, after string) bool {
		words, next := strings.Fields(before[max(0, len(before)-prose.LongestWord):]), strings.TrimLeftFunc(after, unicode.IsSpace)
		next, _, _ = strings.Cut(next[:min(len(next), prose.LongestWord)], " ")
		word := words[len(words)-1]
		return strings.HasPrefix(normalize(word+" "+next), word)
	})
}

// withoutStops leaves out the inner stops which leave accepts; nil accepts all.
func withoutStops(s string, leave func(before, after string) bool) string {
	if !strings.Contains(s, ".") {
		return s
	}
	var out strings.Builder
	for _, sentence := range Sentences(s) {
		from := 0
		for at := 0; at < len(sentence); at++ {
			if c := sentence[at]; c == '[' || c == '<' {
				if m, ok := markup.Read(sentence[at:]); ok {
					at += m.Size - 1
				}
				continue
			}
			if sentence[at] != '.' || !innerStop(sentence[:at+1], sentence[at+1:]) {
				continue
			}
			if leave == nil || leave(sentence[:at+1], sentence[at+1:]) {
				out.WriteString(sentence[from:at])
				from = at + 1
			}
		}
		out.WriteString(sentence[from:])
	}
	return out.String()
}

// innerStop reports whether before ends with the full stop of an abbreviation or an ordinal number, within a sentence that
// continues with after.
func innerStop(before, after string) bool {
	next := strings.TrimLeftFunc(after, unicode.IsSpace)
	space := after[:len(after)-len(next)]
	switch {
	case next == "" || space == "" || prose.IsBlankLine(space):
		return false
	case unicode.IsLower(prose.FirstRune(next)) && !strings.ContainsFunc(space, prose.IsLineEnd):
		return false // espeak-ng goes on
	}
	return prose.Abbreviates(before, next) && !isNumbering(before, next) && !strings.HasSuffix(before, "..")
}

// isNumbering reports whether s is the number or the letter before an item of a list or a title, before next. M. is Monsieur.
func isNumbering(s, next string) bool {
	if s = strings.TrimLeftFunc(s, unicode.IsSpace); len(s) > prose.LongestWord {
		return false
	}
	if strings.Trim(s, "0123456789.") == "" {
		return true
	}
	return numbering.MatchString(s+" ") && s != "M." && !initial.MatchString(next) && !unicode.IsNumber(prose.FirstRune(next))
}

// initial matches the beginning of a text with an initial.
var initial = regexp.MustCompile(`^\pL\.`)
