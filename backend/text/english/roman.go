package english

import (
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// roman reads Roman numerals: "the Eighth" after the name of a ruler, a cardinal after other names and after things that
// are counted with them.
func (n *words) roman(w string, end int) bool {
	value := romanValue(w)
	if value == 0 || !n.ends(end) || prose.IsWordRune(n.before(n.at)) || len(w) == 1 && !n.phraseEnds(end) {
		return false
	}
	digits := strconv.Itoa(value)
	before, start, adjacent := n.wordDirectlyBefore()
	next := n.wordAt(n.spaces(end))
	switch {
	case !adjacent && len(w) < 3 && w != "II":
		return false
	case next == "century" || next == "centuries":
		n.say(Ordinal(digits), end)
	case n.afterRuler(w, before, start):
		n.say("the "+capitalize(Ordinal(digits)), end)
	case isCount(w, before):
		n.say(Cardinal(digits), end)
	default:
		return false
	}
	return true
}

// wordDirectlyBefore returns the word before n.at and where it begins. adjacent is false, and the word empty, if more than
// a space is between.
func (n *words) wordDirectlyBefore() (word string, start int, adjacent bool) {
	word, start = n.wordBefore(n.at)
	if start == n.at || n.before(n.at) != ' ' || n.at == 1 || n.s[n.at-2] == '.' || n.s[n.at-2] == ',' {
		return "", start, false
	}
	return word, start, true
}

// isCount reports whether the Roman numeral w, after the word before it, is a cardinal.
func isCount(w, before string) bool {
	switch {
	case w == "II" || countedInRoman[strings.ToLower(before)]:
		return true
	case len(w) == 1 || ambiguousNumerals[w] || determiners[strings.ToLower(before)]:
		return false
	}
	return len(w) > 2 || startsUpper(before)
}

// afterRuler reports whether the word directly before the numeral w, which begins at start, is the name of a ruler or the
// second name of one: Henry VIII, John Paul II.
func (n *words) afterRuler(w, before string, start int) bool {
	if before == "" || w == "I" && before == "I" {
		return false
	}
	if rulers[before] {
		return true
	}
	first, _ := n.wordBefore(start)
	return len(w) > 1 && (rulers[first] || givenNames[first] || titles[strings.ToLower(first)] != "") && upper(before[0])
}

// capitalize returns a word with capitals, also after hyphens, as the number of a ruler is written.
func capitalize(word string) string {
	parts := strings.Split(word, "-")
	for i, p := range parts {
		parts[i] = strings.ToUpper(p[:1]) + p[1:]
	}
	return strings.Join(parts, "-")
}

// phraseEnds reports whether a phrase ends at i. I, V and X are numbers only there; elsewhere they are letters or a pronoun.
func (n *reader) phraseEnds(i int) bool {
	remaining := n.s[i:min(i+32, len(n.s))]
	trimmed := strings.TrimLeft(remaining, " ")
	if trimmed == "" || strings.ContainsRune(".,;:!?)\"”\n—–", prose.FirstOrSpace(trimmed)) {
		return len(trimmed) == len(remaining) || trimmed == "" || trimmed[0] != '"'
	}
	if len(trimmed) == len(remaining) {
		return strings.HasPrefix(remaining, "'s ") || strings.HasPrefix(remaining, "’s ")
	}
	return afterNumeral[prose.FirstWord(trimmed)]
}

// afterNumeral are words before which I, V and X are numbers.
var afterNumeral = setOf("of and in was is to or by on as at the with from for did had became ended began ruled died reigned")

// romanNumerals are the numerals from 1 to 89 that are read as numbers. L is a size or a letter.
var romanNumerals = func() map[string]int {
	tens := [...]string{"", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX"}
	units := [...]string{"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"}
	numerals := map[string]int{}
	for t, ten := range tens {
		for u, unit := range units {
			numerals[ten+unit] = 10*t + u
		}
	}
	delete(numerals, "")
	delete(numerals, "L")
	return numerals
}()

// romanValue returns the value of a Roman numeral, 0 for other words.
func romanValue(w string) int {
	if w == "" || strings.IndexByte("IVXL", w[0]) < 0 {
		return 0
	}
	return romanNumerals[w]
}

// ambiguousNumerals are also sizes, acronyms or names.
var ambiguousNumerals = setOf("XL XXX LI LV LX LIV LIX LXX")

// countedInRoman are words that a Roman numeral follows.
var countedInRoman = setOf("chapter part act scene book volume section article phase type class level stage title figure table " +
	"appendix war bowl unit grade division group category tier mark vatican rocky episode canto psalm lesson season factor " +
	"quadrant amendment schedule corps")

// rulers are first names of kings, queens and popes, and so of those who are named after them.
var rulers = setOf("Henry Louis George Edward Richard William James Charles Elizabeth Mary Philip Francis Ferdinand Frederick " +
	"Wilhelm Nicholas Alexander Ivan Peter Paul John Pius Benedict Leo Gregory Clement Innocent Boniface Urban Napoleon " +
	"Catherine Gustav Christian Haakon Olav Leopold Albert Otto Rudolf Maximilian Ramesses Ramses Ptolemy Darius Xerxes Cyrus " +
	"Thutmose Amenhotep Constantine Alfonso Carlos Felipe Umberto Sixtus Julius Stephen Robert David Harald Sigismund Mehmed " +
	"Selim Murad Suleiman Ahmed Joseph Pedro Manuel Victoria Margaret Cleopatra Thomas Michael Walter Martin Howard")

// givenNames are further first names, after which and a family name a numeral counts the people of that name: Sammy Davis III.
var givenNames = setOf("Aaron Adam Alan Alex Alfred Andrew Anthony Antonio Arthur Barry Benjamin Bernard Bill Bob Bobby Bradley Brian " +
	"Bruce Carl Chris Christopher Clarence Clark Cornelius Cuba Cyril Daniel Dean Dennis Donald Douglas Dwight Earl Eddie Edgar " +
	"Edwin Ernest Eugene Floyd Frank Franklin Fred Gary Gene Gerald Gilbert Gordon Grant Griffin Harold Harry Harvey Herbert Herman " +
	"Horace Hugh Isaac Jack Jacob Jason Jeff Jeffrey Jeremy Jerry Jim Jimmy Joe Johnny Jonathan Jose Juan Keith Ken Kenneth Kevin " +
	"Lawrence Lee Leonard Lewis Lloyd Luis Luther Marcus Mark Marshall Matt Matthew Max Melvin Miguel Mike Nathan Nelson Norman " +
	"Oliver Oscar Patrick Percy Perry Phil Phillip Quentin Ralph Randolph Randy Ray Raymond Robin Rodney Roger Roland Ron Ronald Roy " +
	"Russell Sam Sammy Samuel Scott Sean Sidney Stanley Steve Steven Stewart Ted Theodore Thurston Tim Timothy Todd Tom Tommy Tony " +
	"Travis Troy Vernon Victor Vincent Wade Wallace Warren Wayne Wesley Will Winston")
