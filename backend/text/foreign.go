package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/language"
)

// mixedScripts are the scripts of writing systems that mix several, by their codes of ISO 15924.
var mixedScripts = map[string][]string{
	"Jpan": {"Han", "Hiragana", "Katakana"}, "Kore": {"Hangul", "Han"}, "Hans": {"Han"}, "Hant": {"Han"},
}

// scriptNames are the names of the other scripts in package unicode, by their codes of ISO 15924.
var scriptNames = map[string]string{
	"Arab": "Arabic", "Armn": "Armenian", "Beng": "Bengali", "Cyrl": "Cyrillic", "Deva": "Devanagari", "Ethi": "Ethiopic",
	"Geor": "Georgian", "Grek": "Greek", "Gujr": "Gujarati", "Guru": "Gurmukhi", "Hebr": "Hebrew", "Khmr": "Khmer",
	"Knda": "Kannada", "Laoo": "Lao", "Mlym": "Malayalam", "Mymr": "Myanmar", "Orya": "Oriya", "Sinh": "Sinhala",
	"Taml": "Tamil", "Telu": "Telugu", "Thai": "Thai", "Tibt": "Tibetan",
}

// Scripts returns the scripts of languages. Latin is always one of them.
func Scripts(languages ...string) []*unicode.RangeTable {
	all := []*unicode.RangeTable{unicode.Latin}
	for _, l := range languages {
		script, _ := language.Make(l).Script()
		names := mixedScripts[script.String()]
		if name := scriptNames[script.String()]; name != "" {
			names = []string{name}
		}
		for _, name := range names {
			all = append(all, unicode.Scripts[name])
		}
	}
	return all
}

// Foreign returns the runs of characters in s that a voice of these scripts may not be able to speak, each once and at most
// limit of them: letters and numbers of other scripts, and symbols beyond ASCII. Markup is ignored.
func Foreign(s string, scripts []*unicode.RangeTable, limit int) []string {
	seen := map[string]bool{}
	var all []string
	for _, run := range strings.FieldsFunc(Plain(s), func(r rune) bool { return !foreign(r, scripts) }) {
		if len(all) == limit {
			break
		}
		if unicode.IsMark([]rune(run)[0]) || seen[run] {
			continue
		}
		seen[run] = true
		all = append(all, run)
	}
	return all
}

// foreign reports whether r is a character that Foreign looks for, or one that joins such characters.
func foreign(r rune, scripts []*unicode.RangeTable) bool {
	const joiner, emojiStyle = '\u200d', '\ufe0f'
	switch {
	case r <= unicode.MaxASCII || unicode.In(r, scripts...):
		return false
	case r == joiner || r == emojiStyle:
		return true
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsSymbol(r) || unicode.IsMark(r)
}
