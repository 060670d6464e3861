package english

import (
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// roman reads Roman numerals: the Eighth behind the name of a ruler, a cardinal behind things that are counted so and
// behind other names.
func (n *normalizer) roman(w string, end int) bool {
	value := romanValue(w)
	if value == 0 || !n.ends(end) || prose.IsWordRune(n.before(n.at)) {
		return false
	}
	digits := strconv.Itoa(value)
	before, start := n.wordBefore(n.at)
	adjacent := start < n.at && n.before(n.at) == ' ' && n.at > 1 && n.s[n.at-2] != '.' && n.s[n.at-2] != ','
	if len(w) == 1 && !n.closes(end) || !adjacent && len(w) < 3 && w != "II" {
		return false
	}
	next := n.wordAt(n.spaces(end))
	switch {
	case next == "century" || next == "centuries":
		n.say(Ordinal(digits), end)
	case adjacent && (ruler(before) || len(w) > 1 && ruler(n.wordBeforeWord(start)) && upperFirst(before)) && (w != "I" || before != "I"):
		n.say("the "+title1(Ordinal(digits)), end)
	case adjacent && section(before), len(w) > 1 && adjacent && upperFirst(before) && unmistakable(w), len(w) > 2 && unmistakable(w), w == "II":
		n.say(Cardinal(digits), end)
	default:
		return false
	}
	return true
}

// wordBeforeWord gives the word before the one that begins at start.
func (n *normalizer) wordBeforeWord(start int) string {
	word, _ := n.wordBefore(start)
	return word
}

func upperFirst(w string) bool { return w != "" && upper(w[0]) }

// title1 gives words with capitals, as the number of a ruler is written.
func title1(words string) string {
	parts := strings.Split(words, "-")
	for i, p := range parts {
		parts[i] = strings.ToUpper(p[:1]) + p[1:]
	}
	return strings.Join(parts, "-")
}

// closes reports whether a phrase ends at i: I, V and X are numbers only there, as they are letters and a pronoun else.
func (n *normalizer) closes(i int) bool {
	rest := n.s[i:min(i+32, len(n.s))]
	trimmed := strings.TrimLeft(rest, " ")
	if trimmed == "" || strings.ContainsRune(".,;:!?)\"”\n—–", prose.FirstOrSpace(trimmed)) {
		return len(trimmed) == len(rest) || trimmed == "" || trimmed[0] != '"'
	}
	if len(trimmed) == len(rest) {
		return strings.HasPrefix(rest, "'s ") || strings.HasPrefix(rest, "’s ")
	}
	switch prose.FirstWord(trimmed) {
	case "of", "and", "in", "was", "is", "to", "or", "by", "on", "as", "at", "the", "with", "from", "for", "did", "had", "became", "ended",
		"began", "ruled", "died", "reigned":
		return true
	}
	return false
}

// romanValue gives the value of a numeral up to 99 in its only form, 0 for none.
func romanValue(w string) int {
	if len(w) > 8 || strings.Trim(w, "IVXLC") != "" || w == "" {
		return 0
	}
	value, i := 0, 0
	for _, step := range [...]struct {
		form  string
		value int
		most  int
	}{{"XC", 90, 1}, {"L", 50, 1}, {"XL", 40, 1}, {"X", 10, 3}, {"IX", 9, 1}, {"V", 5, 1}, {"IV", 4, 1}, {"I", 1, 3}} {
		for count := 0; count < step.most && strings.HasPrefix(w[i:], step.form); count++ {
			value += step.value
			i += len(step.form)
		}
	}
	if i != len(w) || value == 50 || value >= 90 || romanForm(value) != w {
		return 0
	}
	return value
}

func romanForm(v int) string {
	tens := [...]string{"", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"}
	ones := [...]string{"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"}
	return tens[v/10] + ones[v%10]
}

// unmistakable reports numerals that are hardly an acronym or a size.
func unmistakable(w string) bool {
	switch w {
	case "XL", "XXL", "XXX", "LI", "XI", "XX", "LV", "LX", "XV", "VI", "XIX":
		return w == "VI" || w == "XV" || w == "XIX" || w == "XX" || w == "XI"
	}
	return len(w) > 1
}

// section reports words that a Roman numeral counts.
func section(word string) bool {
	switch strings.ToLower(word) {
	case "chapter", "part", "act", "scene", "book", "volume", "section", "article", "phase", "type", "class", "level", "stage",
		"title", "figure", "table", "appendix", "war", "bowl", "unit", "grade", "division", "group", "category", "tier", "mark",
		"vatican", "rocky", "episode", "canto", "psalm", "lesson", "season", "factor", "quadrant", "amendment", "schedule", "corps":
		return true
	}
	return false
}

// ruler reports first names of kings, queens and popes, which are also those of their namesakes.
func ruler(name string) bool {
	switch name {
	case "Henry", "Louis", "George", "Edward", "Richard", "William", "James", "Charles", "Elizabeth", "Mary", "Philip", "Francis",
		"Ferdinand", "Frederick", "Wilhelm", "Nicholas", "Alexander", "Ivan", "Peter", "Paul", "John", "Pius", "Benedict", "Leo",
		"Gregory", "Clement", "Innocent", "Boniface", "Urban", "Napoleon", "Catherine", "Gustav", "Christian", "Haakon", "Olav",
		"Leopold", "Albert", "Otto", "Rudolf", "Maximilian", "Ramesses", "Ramses", "Ptolemy", "Darius", "Xerxes", "Cyrus",
		"Thutmose", "Amenhotep", "Constantine", "Alfonso", "Carlos", "Felipe", "Umberto", "Sixtus", "Julius", "Stephen", "Robert",
		"David", "Harald", "Sigismund", "Mehmed", "Selim", "Murad", "Suleiman", "Ahmed", "Joseph", "Pedro", "Manuel",
		"Victoria", "Margaret", "Cleopatra", "Thomas", "Michael", "Walter", "Martin", "Howard":
		return true
	}
	return false
}
