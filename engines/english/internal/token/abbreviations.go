package token

import (
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/engines/english/internal/words"
)

// after is what must follow the dot of an abbreviation.
type after int

const (
	anything after = iota
	digit
	capital
)

// abbreviations are the words that a dot may follow, with what they stand for.
var abbreviations = map[string]struct {
	long  string
	after after
}{
	"Mr": {"Mr.", anything}, "Mrs": {"Mrs.", anything}, "Ms": {"Ms.", anything}, "Esq": {"Esq.", anything},
	"etc": {"etc.", anything}, "Etc": {"Etc.", anything},
	"No": {"number", digit}, "Fig": {"figure", digit}, "fig": {"figure", digit}, "p": {"page", digit}, "pp": {"pages", digit},
	"Vol": {"volume", digit}, "vol": {"volume", digit}, "Ch": {"chapter", digit}, "ch": {"chapter", digit},
	"Sec": {"section", digit}, "sec": {"section", digit},
	"Gen": {"General", capital}, "Col": {"Colonel", capital}, "Rep": {"Representative", capital}, "Sen": {"Senator", capital},
	"Gov": {"Governor", capital}, "Capt": {"Captain", capital}, "Lt": {"Lieutenant", capital}, "Sgt": {"Sergeant", capital},
	"Rev": {"Reverend", capital}, "Hon": {"Honorable", capital}, "Pres": {"President", capital}, "Mt": {"Mount", capital},
	"Ft":   {"Fort", capital},
	"Prof": {"Professor", anything}, "Jr": {"Junior", anything}, "Sr": {"Senior", anything}, "Ave": {"Avenue", anything},
	"Blvd": {"Boulevard", anything}, "Rd": {"Road", anything}, "vs": {"versus", anything}, "approx": {"approximately", anything},
	"dept": {"department", anything}, "Dept": {"department", anything}, "Inc": {"Incorporated", anything},
	"Ltd": {"Limited", anything}, "Corp": {"Corporation", anything}, "Co": {"Company", anything}, "Bros": {"Brothers", anything},
	"Univ": {"University", anything}, "Jan": {"January", anything}, "Feb": {"February", anything}, "Aug": {"August", anything},
	"Sept": {"September", anything}, "Oct": {"October", anything}, "Nov": {"November", anything}, "Dec": {"December", anything},
}

// inCapitals are the abbreviations that texts in capitals have too.
var inCapitals = words.Set("MR MRS MS DR ST PROF JR SR")

// abbreviation returns what a word with a dot behind it stands for; false for a word that is no abbreviation. first is the
// first character after the dot, previous the token before the word.
func abbreviation(word string, first rune, previous string) (string, bool) {
	upper := unicode.IsUpper(first)
	if upper && inCapitals[word] {
		word = word[:1] + strings.ToLower(word[1:])
	}
	switch {
	case word == "Dr" && !upper && Capitalised(previous):
		return "Drive", true
	case word == "Dr":
		return "Dr.", true
	case word == "St" && beforeSaint(previous, upper):
		return "Saint", true
	case word == "St":
		return "Street", true
	}
	a, ok := abbreviations[word]
	return a.long, ok && (a.after == anything || a.after == digit && unicode.IsDigit(first) || a.after == capital && upper)
}

// titles are the words before "St." after which a name follows and no street ends.
var titles = words.Set("lady lord sir mr. mrs. miss ms. dr. rue port fort lake mount the")

// beforeSaint reports whether "St." behind the word previous is a saint. upper is set when a capital follows.
func beforeSaint(previous string, upper bool) bool {
	lower := strings.ToLower(previous)
	return titles[lower] || words.ClassOf(lower)&(words.Preposition|words.Linking) != 0 || upper && !Capitalised(previous)
}
