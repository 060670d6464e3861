package english

import (
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// shorthand spells out abbreviations such as Dr., No. 5, etc.
func (n *normalizer) shorthand(w string, end int) bool {
	if len(w) > 7 || prose.IsWordRune(n.before(n.at)) {
		return false
	}
	dotted := n.byteAt(end) == '.'
	dot := end
	if dotted {
		dot++
	}
	key := strings.ToLower(w)
	next := n.spaces(dot)
	switch {
	case n.titled(w, key, dot, next), n.counter(w, key, end, dot, next), n.street(w, key, dot):
		return true
	}
	words := ""
	switch {
	case key == "w" && n.byteAt(end) == '/' && strings.HasPrefix(n.s[end:], "/o") && n.ends(end+2):
		n.say("without", end+2)
		return true
	case w == "w" && n.byteAt(end) == '/' && !prose.IsWordRune(rune(n.byteAt(end+1))):
		n.say("with", end+1)
		return true
	case key == "vs" || key == "etc":
		words = always(key)
	case dotted:
		words = withDot(w, key)
	}
	if words == "" {
		return false
	}
	if dotted && (n.stops(dot) || key == "etc" && n.capital(next)) {
		dot = end
	}
	n.say(sameCase(words, w), dot)
	return true
}

// sameCase gives words a capital where the abbreviation has one.
func sameCase(words, like string) string {
	if upper(like[0]) && lower(words[0]) {
		return strings.ToUpper(words[:1]) + words[1:]
	}
	return words
}

// always gives what is spelled out with or without a dot.
func always(key string) string {
	switch key {
	case "vs":
		return "versus"
	case "etc":
		return "et cetera"
	}
	return ""
}

// withDot gives what is spelled out with its dot.
func withDot(w, key string) string {
	switch key {
	case "approx":
		return "approximately"
	case "dept":
		return "department"
	case "govt":
		return "government"
	case "corp":
		return "corporation"
	case "inc":
		return "incorporated"
	case "ltd":
		return "limited"
	case "bros":
		return "brothers"
	case "assn":
		return "association"
	case "univ":
		return "university"
	case "intl":
		return "international"
	case "misc":
		return "miscellaneous"
	case "incl":
		return "including"
	case "esp":
		return "especially"
	case "viz":
		return "namely"
	case "esq":
		return "esquire"
	case "jr":
		return "junior"
	case "sr":
		return "senior"
	case "avg":
		return "average"
	case "max":
		if lower(w[0]) {
			return "maximum"
		}
	case "min":
		return "minimum"
	case "co":
		if upper(w[0]) {
			return "company"
		}
	}
	return ""
}

// titled spells out titles before a name, and Saint and Mount before one: Dr. Smith, St Paul.
func (n *normalizer) titled(w, key string, dot, next int) bool {
	pair := titlePair(key) && dot > n.at+len(w) && (n.wordAt(next) == "and" || n.byteAt(next) == '&')
	if !upper(w[0]) || next == dot || !n.capital(next) && !pair {
		return false
	}
	name := titleName(key)
	before, _ := n.wordBefore(n.at)
	switch {
	case name == "", w != strings.ToUpper(w[:1])+key[1:]:
		return false
	case (key == "st" || key == "dr") && n.address(before), key == "ft" && n.address(before):
		return false
	case key == "st" && n.byteAt(dot-1) == '.' && n.stops(dot):
		return false
	}
	n.say(name, dot)
	return true
}

// titlePair reports titles of two people at once: Mr. and Mrs. Jones.
func titlePair(key string) bool { return key == "mr" || key == "mrs" || key == "ms" || key == "dr" }

func titleName(key string) string {
	switch key {
	case "dr":
		return "Doctor"
	case "mr":
		return "Mister"
	case "mrs":
		return "Missus"
	case "ms":
		return "Ms"
	case "prof":
		return "Professor"
	case "st":
		return "Saint"
	case "mt":
		return "Mount"
	case "ft":
		return "Fort"
	case "gen":
		return "General"
	case "col":
		return "Colonel"
	case "maj":
		return "Major"
	case "capt":
		return "Captain"
	case "cmdr":
		return "Commander"
	case "lt":
		return "Lieutenant"
	case "sgt":
		return "Sergeant"
	case "cpl":
		return "Corporal"
	case "sen":
		return "Senator"
	case "rep":
		return "Representative"
	case "gov":
		return "Governor"
	case "pres":
		return "President"
	case "rev":
		return "Reverend"
	case "hon":
		return "Honorable"
	case "supt":
		return "Superintendent"
	case "messrs":
		return "Messieurs"
	}
	return ""
}

// address reports whether the word before n.at is the name of a street with a number before it: 12 Elm.
func (n *normalizer) address(name string) bool {
	if name == "" || !upper(name[0]) {
		return false
	}
	_, start := n.wordBefore(n.at)
	for start > 0 && n.s[start-1] == ' ' {
		start--
	}
	return start > 0 && digit(n.s[start-1])
}

// street spells out St., Ave., Rd. and the like behind a name or an ordinal.
func (n *normalizer) street(w, key string, dot int) bool {
	name := ""
	switch key {
	case "st":
		name = "Street"
	case "ave":
		name = "Avenue"
	case "blvd":
		name = "Boulevard"
	case "rd":
		name = "Road"
	case "dr":
		name = "Drive"
	case "ln":
		name = "Lane"
	case "hwy":
		name = "Highway"
	case "pkwy":
		name = "Parkway"
	}
	if name == "" || !upper(w[0]) || len(w) > 1 && upper(w[1]) {
		return false
	}
	before, start := n.wordBefore(n.at)
	named := before != "" && upper(before[0])
	if numbered := len(before) == 2 && lower(before[0]) && start > 0 && digit(n.s[start-1]); !named && !numbered {
		return false
	}
	if n.byteAt(dot-1) == '.' && n.stops(dot) {
		dot--
	}
	n.say(name, dot)
	return true
}

// counter spells out what stands before a number: No. 5, p. 3, Fig. 2, c. 1500.
func (n *normalizer) counter(w, key string, end, dot, next int) bool {
	numeral := n.wordAt(next)
	counted := digit(n.byteAt(next)) || len(numeral) > 1 && romanValue(numeral) > 0 && dot > end && len(w) > 1
	if !counted || next == end {
		return false
	}
	name := counterName(key)
	switch {
	case name == "":
		return false
	case dot == end && (key != "no" || !upper(w[0])) && key != "pp" && key != "vol" && key != "fig":
		return false
	case key == "c" && n.digits(next) != next+4, key == "c" && upper(w[0]), key == "p" && upper(w[0]):
		return false
	}
	n.say(sameCase(name, w), dot)
	if next == dot {
		n.out = append(n.out, ' ')
		n.spoken = false
	}
	return true
}

func counterName(key string) string {
	switch key {
	case "no":
		return "number"
	case "nos":
		return "numbers"
	case "fig":
		return "figure"
	case "figs":
		return "figures"
	case "p", "pg":
		return "page"
	case "pp":
		return "pages"
	case "vol":
		return "volume"
	case "vols":
		return "volumes"
	case "ch", "chap":
		return "chapter"
	case "sec", "sect":
		return "section"
	case "eq":
		return "equation"
	case "art":
		return "article"
	case "para", "par":
		return "paragraph"
	case "tel":
		return "telephone"
	case "ext":
		return "extension"
	case "apt":
		return "apartment"
	case "pt":
		return "part"
	case "ver":
		return "version"
	case "est":
		return "established"
	case "c", "ca":
		return "circa"
	}
	return ""
}
