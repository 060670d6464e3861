package english

import (
	"strings"
)

// Letters reports whether a word in capitals is read letter by letter: FBI is, NOT is not, and IT is only in contexts such as
// "the IT team". The other arguments are the words around it, in the order "earlier before WORD after"; an argument is empty
// at a punctuation mark or at an end of the text.
func Letters(earlier, before, word, after string) bool {
	if !homonyms[word] {
		_, ok := acronym(word)
		return ok
	}
	if before == "-" || after == "-" {
		return true
	}
	earlier, before, next := strings.ToLower(earlier), strings.ToLower(before), strings.ToLower(after)
	switch word {
	case "IT":
		return determiners[before] || isTechnology(earlier, before, next)
	case "WHO":
		return determiners[before] || isHealthOrganization(earlier, before, next)
	case "US":
		return determiners[before] || !isPronounUs(earlier, before, after)
	case "AM":
		return before != "i" && next != "i"
	}
	return determiners[before] && next != "of" || !beforeVerb[before] && !afterVerb[next]
}

// homonyms are both acronyms and words, so that the context decides.
var homonyms = setOf("IT US WHO AM AD SAT ACT RIP LED ADD")

// isTechnology reports whether IT is information technology.
func isTechnology(earlier, before, next string) bool {
	return before == "of" && itLeaders[earlier] || itNouns[next] || before == "in" || before == "corporate"
}

// isHealthOrganization reports whether WHO is the World Health Organization.
func isHealthOrganization(earlier, before, next string) bool {
	return whoNouns[next] || before == "at" || before == "to" && earlier == "according"
}

// isPronounUs reports whether US is the pronoun: "Tell US now!", "It was US!", "all of US".
func isPronounUs(earlier, before, after string) bool {
	if after != "" && !afterUs[after] {
		return false
	}
	if before == "of" {
		return quantifiers[earlier]
	}
	return beforeUs[before] || after == "" && (before == "for" || before == "with")
}

var (
	// itLeaders come before "of IT", itNouns after IT, where that is information technology.
	itLeaders = setOf("head director chief department manager vp world")
	itNouns   = setOf("dept department departments support team teams manager managers staff specialist specialists consultant consultants " +
		"consulting sector industry professional professionals job jobs skills service services infrastructure security system " +
		"systems project projects company companies budget worker workers equipment administrator administrators director desk " +
		"guy guys expert experts engineer engineers technician technicians solutions policy training operations office " +
		"outsourcing strategy firm firms provider asset assets course courses helpdesk")

	// whoNouns are words after WHO where that is the World Health Organization.
	whoNouns = setOf("director directors official officials report reports guideline guidelines chief spokesman spokeswoman " +
		"spokesperson data recommendation recommendations recommends team teams expert experts estimates region staff headquarters scientist " +
		"scientists advice study adviser advisor representative representatives standards standard statement figures warns warned")

	// beforeVerb are words before a verb, afterVerb words after one.
	beforeVerb = setOf("i you he she it we they who will would can could shall should may might must do does did to not n't don't " +
		"please let let's never just and then cannot")
	afterVerb = setOf("me him her it them us the a an my your his its our their this that these those down up on upon in into of like " +
		"with now here there together against back")

	// beforeUs are words before the pronoun US, unless a noun follows; afterUs are words after it.
	beforeUs = setOf("tell told tells give gave gives let lets help helped helps show showed ask asked join leave trust believe love loves " +
		"loved hate hates need needs like not was is want wants blame follow made makes saved than say said")
	afterUs     = setOf("now here again and or but when if to is was")
	quantifiers = setOf("all both most some none one each many two three half any neither either")

	// determiners are words that a noun follows.
	determiners = setOf("the a an my your his her its our their this these those every each some any no another former senior current")
)

// homonym reads an acronym that is also a word. As a word it becomes lower case, because many engines would spell it; WHO
// stays.
func (n *words) homonym(w string, end int) bool {
	after := n.wordAt(n.spaces(end))
	if n.byteAt(end) == '-' {
		after = "-"
	}
	before, start := n.wordLeft(n.at)
	earlier, _ := n.wordLeft(start)
	loud := n.besideCapitals(end) && !strings.EqualFold(before, "the") // THE US ARMY
	switch {
	case !loud && Letters(earlier, before, w, after):
		n.sayLetters(spell(w), end)
	case w != "WHO":
		if next := end + firstSize(n.s[end:]); apostrophe(n.after(end)) && n.wordAt(next) == "S" {
			end = next + 1
		}
		n.say(strings.ToLower(n.s[n.at:end]), end)
	default:
		return false
	}
	return true
}
