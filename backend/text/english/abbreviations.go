package english

import (
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// abbreviated is a word that may be an abbreviation, with its place in the text.
type abbreviated struct {
	written string
	key     string // in lower case
	end     int    // of its letters
	dot     int    // the end with its full stop; end where it has none
	next    int    // where the next word begins
}

// hasDot reports whether a full stop follows.
func (a abbreviated) hasDot() bool { return a.dot > a.end }

// capital reports whether it begins with a capital.
func (a abbreviated) capital() bool { return upper(a.written[0]) }

// like returns words with a capital if the abbreviation has one.
func (a abbreviated) like(words string) string {
	if a.capital() && lower(words[0]) {
		return strings.ToUpper(words[:1]) + words[1:]
	}
	return words
}

// longestAbbreviation is the length of the longest abbreviation in bytes.
const longestAbbreviation = 7

// abbreviation spells out abbreviations such as Dr., No. 5, Elm St., etc.
func (n *words) abbreviation(w string, end int) bool {
	if len(w) > longestAbbreviation || prose.IsWordRune(n.before(n.at)) {
		return false
	}
	a := abbreviated{written: w, key: strings.ToLower(w), end: end, dot: end}
	if !abbreviations[a.key] {
		return false
	}
	if n.byteAt(end) == '.' {
		a.dot++
	}
	a.next = n.spaces(a.dot)
	return n.title(a) || n.counter(a) || n.street(a) || n.with(a) || n.otherAbbreviation(a)
}

// abbreviations are the keys of all tables below, so that one look-up decides for most words.
var abbreviations = func() map[string]bool {
	all := map[string]bool{"w": true}
	for _, table := range []map[string]string{withoutStop, withStop, titles, streets, counters} {
		for key := range table {
			all[key] = true
		}
	}
	return all
}()

// with reads w/ and w/o.
func (n *words) with(a abbreviated) bool {
	switch {
	case a.key != "w" || n.byteAt(a.end) != '/':
		return false
	case strings.HasPrefix(n.s[a.end:], "/o") && n.ends(a.end+2):
		n.say("without", a.end+2)
	case a.written == "w" && !prose.IsWordRune(rune(n.byteAt(a.end+1))):
		n.say("with", a.end+1)
	default:
		return false
	}
	return true
}

// otherAbbreviation spells out abbreviations that need no context. A full stop that also ends the sentence stays.
func (n *words) otherAbbreviation(a abbreviated) bool {
	words := withoutStop[a.key]
	if words == "" && (a.hasDot() || n.afterName(a)) {
		words = withStop[a.key]
		if a.key == "max" && a.capital() || a.key == "co" && !a.capital() {
			words = ""
		}
	}
	if words == "" {
		return false
	}
	end := a.dot
	if a.hasDot() && (n.stops(a.dot) || a.key == "etc" && n.capital(a.next)) {
		end = a.end
	}
	n.say(a.like(words), end)
	return true
}

// afterName reports whether a is what follows the name of a person, such as Davis Jr, or stands before a rank or a school, where
// it needs no full stop.
func (n *words) afterName(a abbreviated) bool {
	if a.written != "Jr" && a.written != "Sr" && a.written != "Esq" {
		return false
	}
	name, start := n.wordBefore(n.at)
	return start < n.at && startsUpper(name) && len(name) > 1 || ranked[strings.ToLower(n.wordAt(a.next))]
}

// ranked are what is called junior or senior: Jr High, Sr Engineer.
var ranked = setOf("high college year varsity league engineer developer director manager analyst editor partner associate designer " +
	"scientist researcher lecturer architect consultant officer championship class")

// withoutStop are abbreviations with or without a full stop.
var withoutStop = map[string]string{"vs": "versus", "etc": "et cetera"}

// withStop are abbreviations that are words without their full stop.
var withStop = map[string]string{
	"approx": "approximately", "dept": "department", "govt": "government", "corp": "corporation",
	"inc": "incorporated", "ltd": "limited", "bros": "brothers", "assn": "association", "univ": "university",
	"intl": "international", "misc": "miscellaneous", "incl": "including", "esp": "especially",
	"viz": "namely", "esq": "esquire", "jr": "junior", "sr": "senior", "avg": "average", "min": "minimum",
	"max": "maximum", "co": "company",
}

// title spells out titles before a name, and Saint, Mount and Fort before one: Dr. Smith, St Paul.
func (n *words) title(a abbreviated) bool {
	name := titles[a.key]
	switch {
	case name == "" || a.written != strings.ToUpper(a.key[:1])+a.key[1:]:
		return false
	case a.next == a.dot || !n.capital(a.next) && !n.titlePair(a):
		return false
	case (a.key == "st" || a.key == "dr" || a.key == "ft") && n.afterStreetName():
		return false
	case a.key == "st" && a.hasDot() && n.stops(a.dot):
		return false
	}
	n.say(name, a.dot)
	return true
}

// titlePair reports whether a is the first title of two people, as in Mr. and Mrs. Jones.
func (n *words) titlePair(a abbreviated) bool {
	return pairedTitles[a.key] && a.hasDot() && (n.wordAt(a.next) == "and" || n.byteAt(a.next) == '&')
}

// titles are spelled out before a name.
var titles = map[string]string{
	"dr": "Doctor", "mr": "Mister", "mrs": "Missus", "ms": "Ms", "prof": "Professor", "st": "Saint",
	"mt": "Mount", "ft": "Fort", "gen": "General", "col": "Colonel", "maj": "Major", "capt": "Captain",
	"cmdr": "Commander", "lt": "Lieutenant", "sgt": "Sergeant", "cpl": "Corporal", "sen": "Senator",
	"rep": "Representative", "gov": "Governor", "pres": "President", "rev": "Reverend", "hon": "Honorable",
	"supt": "Superintendent", "messrs": "Messieurs", "drs": "Doctors", "profs": "Professors", "sens": "Senators",
	"reps": "Representatives", "govs": "Governors", "gens": "Generals", "revs": "Reverends",
}

// pairedTitles are titles that can stand for two people at once.
var pairedTitles = setOf("mr mrs ms dr")

// afterStreetName reports whether the word before n.at is the name of a street with a number before it: 12 Elm.
func (n *words) afterStreetName() bool {
	name, start := n.wordBefore(n.at)
	if !startsUpper(name) {
		return false
	}
	start = n.skipSpacesBack(start)
	return start > 0 && digit(n.s[start-1])
}

// street spells out St., Ave., Rd. and the like after a name or an ordinal.
func (n *words) street(a abbreviated) bool {
	name := streets[a.key]
	if name == "" || !a.capital() || len(a.written) > 1 && upper(a.written[1]) {
		return false
	}
	before, start := n.wordBefore(n.at)
	if before == "s" {
		before = n.possessor(start)
	}
	numbered := len(before) == 2 && lower(before[0]) && start > 0 && digit(n.s[start-1]) // 5th
	if !startsUpper(before) && !numbered {
		return false
	}
	end := a.dot
	if a.hasDot() && n.stops(a.dot) {
		end = a.end
	}
	n.say(name, end)
	return true
}

// possessor returns the name whose 's begins before i, as in Mary's, empty for none.
func (n *reader) possessor(i int) string {
	r, size := utf8.DecodeLastRuneInString(n.s[:i])
	if !apostrophe(r) {
		return ""
	}
	end := i - size
	start := end
	for start > 0 && end-start < prose.LongestWord && letter(n.s[start-1]) {
		start--
	}
	return n.s[start:end]
}

// streets are spelled out after a name.
var streets = map[string]string{
	"st": "Street", "ave": "Avenue", "blvd": "Boulevard", "rd": "Road", "dr": "Drive", "ln": "Lane",
	"hwy": "Highway", "pkwy": "Parkway", "sq": "Square", "pl": "Place", "ter": "Terrace", "cres": "Crescent",
	"expy": "Expressway", "fwy": "Freeway",
}

// counter spells out abbreviations before a number: No. 5, p. 3, Fig. 2, c. 1500.
func (n *words) counter(a abbreviated) bool {
	name := counters[a.key]
	if name == "" || a.next == a.end || !n.counts(a) {
		return false
	}
	n.say(a.like(name), a.dot)
	if a.next == a.dot {
		n.out = append(n.out, ' ')
		n.replaced = false
	}
	return true
}

// counts reports whether a number follows the abbreviation of a counter. Some need a full stop, lower case or a year.
func (n *words) counts(a abbreviated) bool {
	numeral := n.wordAt(a.next)
	roman := len(numeral) > 1 && romanValue(numeral) > 0 && a.hasDot() && len(a.written) > 1
	if !digit(n.byteAt(a.next)) && !roman {
		return false
	}
	switch {
	case !a.hasDot() && !countersWithoutStop[a.key]:
		return a.key == "no" && a.capital()
	case a.key == "c":
		return !a.capital() && n.digits(a.next) == a.next+4
	}
	return a.key != "p" || !a.capital()
}

// counters are spelled out before a number.
var counters = map[string]string{
	"no": "number", "nos": "numbers", "fig": "figure", "figs": "figures", "p": "page", "pg": "page",
	"pp": "pages", "vol": "volume", "vols": "volumes", "ch": "chapter", "chap": "chapter", "sec": "section",
	"sect": "section", "eq": "equation", "art": "article", "para": "paragraph", "par": "paragraph",
	"tel": "telephone", "ext": "extension", "apt": "apartment", "pt": "part", "ver": "version",
	"est": "established", "c": "circa", "ca": "circa",
}

// countersWithoutStop need no full stop.
var countersWithoutStop = setOf("pp vol fig")
