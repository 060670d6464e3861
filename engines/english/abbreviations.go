package english

import (
	"strings"
	"unicode"
)

// abbreviation writes out a word that a dot follows. first is the first character after the dot, previous the word before.
func abbreviation(word string, first rune, previous string) (string, bool) {
	upper := unicode.IsUpper(first)
	if len(word) > 1 && upper && word == strings.ToUpper(word) {
		switch word {
		case "MR", "MRS", "MS", "DR", "ST", "PROF", "JR", "SR":
			word = word[:1] + strings.ToLower(word[1:])
		}
	}
	switch word {
	case "Mr", "Mrs", "Ms", "Esq", "etc", "Etc":
		return word + ".", true
	case "Dr":
		if !upper && capitalised(previous) {
			return "Drive", true
		}
		return "Dr.", true
	case "St":
		if saint(previous, upper) {
			return "Saint", true
		}
		return "Street", true
	case "No":
		return "number", unicode.IsDigit(first)
	case "Fig", "fig", "p", "pp", "Vol", "vol", "Ch", "ch", "Sec", "sec":
		return longForm(strings.ToLower(word)), unicode.IsDigit(first)
	case "Gen", "Col", "Rep", "Sen", "Gov", "Capt", "Lt", "Sgt", "Rev", "Hon", "Pres", "Mt", "Ft":
		return longForm(strings.ToLower(word)), upper
	case "Prof", "Jr", "Sr", "Ave", "Blvd", "Rd", "vs", "approx", "dept", "Dept", "Inc", "Ltd", "Corp", "Co", "Bros", "Univ",
		"Jan", "Feb", "Aug", "Sept", "Oct", "Nov", "Dec":
		return longForm(strings.ToLower(word)), true
	}
	return "", false
}

// saint tells by the word before St. that a name follows and no street ends: a small word, or a title.
func saint(previous string, upper bool) bool {
	lower := strings.ToLower(previous)
	switch lower {
	case "lady", "lord", "sir", "mr.", "mrs.", "miss", "ms.", "dr.", "rue", "port", "fort", "lake", "mount":
		return true
	}
	if preposition(lower) || joining(lower) || lower == "the" {
		return true
	}
	return upper && !capitalised(previous)
}

// longForm gives what an abbreviation stands for.
func longForm(short string) string {
	for _, pair := range strings.Fields(`fig:figure p:page pp:pages vol:volume ch:chapter sec:section gen:General col:Colonel
		rep:Representative sen:Senator gov:Governor capt:Captain lt:Lieutenant sgt:Sergeant rev:Reverend hon:Honorable
		pres:President mt:Mount ft:Fort prof:Professor jr:Junior sr:Senior ave:Avenue blvd:Boulevard rd:Road vs:versus
		approx:approximately dept:department inc:Incorporated ltd:Limited corp:Corporation co:Company bros:Brothers
		univ:University jan:January feb:February aug:August sept:September oct:October nov:November dec:December`) {
		if key, long, _ := strings.Cut(pair, ":"); key == short {
			return long
		}
	}
	return short
}

func capitalised(word string) bool {
	for _, r := range word {
		return unicode.IsUpper(r)
	}
	return false
}

// unit gives the name of a unit behind a number. glued is true where no space stands between; single letters are units only
// then.
func unit(letters, amount string, glued bool) string {
	name := ""
	switch letters {
	case "kg", "kgs":
		name = "kilogram"
	case "km", "kms":
		name = "kilometer"
	case "cm":
		name = "centimeter"
	case "mm":
		name = "millimeter"
	case "mg":
		name = "milligram"
	case "ml", "mL":
		name = "milliliter"
	case "lb", "lbs":
		name = "pound"
	case "oz":
		name = "ounce"
	case "ft":
		name = "foot"
	case "mi":
		name = "mile"
	case "hr", "hrs":
		name = "hour"
	case "ms":
		name = "millisecond"
	case "mph":
		return "miles per hour"
	case "Hz":
		return "hertz"
	case "kHz":
		return "kilohertz"
	case "MHz":
		return "megahertz"
	case "GHz":
		return "gigahertz"
	case "KB", "kB":
		name = "kilobyte"
	case "MB":
		name = "megabyte"
	case "GB":
		name = "gigabyte"
	case "TB":
		name = "terabyte"
	case "kW":
		name = "kilowatt"
	case "g":
		if glued {
			name = "gram"
		}
	}
	switch {
	case name == "":
		return ""
	case name == "foot" && amount != "1":
		return "feet"
	}
	return plural(name, amount)
}
