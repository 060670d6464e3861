package english

import "strings"

// Letters reports whether a word in capitals is read letter by letter: FBI is, NOT is not, and IT is only in contexts such as
// "the IT team". The other arguments are the words around it, in the order "earlier before WORD after"; an argument is empty
// at a punctuation mark or at an end of the text.
func Letters(earlier, before, word, after string) bool {
	if !homonym(word) {
		_, ok := acronym(word)
		return ok
	}
	if before == "-" || after == "-" {
		return true
	}
	earlier, before, next := strings.ToLower(earlier), strings.ToLower(before), strings.ToLower(after)
	switch word {
	case "IT":
		of := before == "of" && listed("head director chief department manager vp world", earlier)
		return of || listed(technology, next) || before == "in" || before == "corporate" || possessor(before)
	case "WHO":
		return listed(health, next) || before == "at" || before == "to" && earlier == "according" || possessor(before)
	case "US":
		return possessor(before) || !ourselves(earlier, before, after)
	case "AM":
		return before != "i" && next != "i"
	}
	return possessor(before) && next != "of" || !listed(acting, before) && !listed(acted, next)
}

// homonym reports whether w is both an acronym and a word, so that the context decides.
func homonym(w string) bool { return listed("IT US WHO AM AD SAT ACT RIP LED ADD", w) }

func listed(words, w string) bool { return w != "" && strings.Contains(" "+words+" ", " "+w+" ") }

const (
	// technology lists words that follow IT as information technology, health words that follow WHO as the organization.
	technology = "dept department departments support team teams manager managers staff specialist specialists consultant consultants " +
		"consulting sector industry professional professionals job jobs skills service services infrastructure security system " +
		"systems project projects company companies budget worker workers equipment administrator administrators director desk " +
		"guy guys expert experts engineer engineers technician technicians solutions policy training operations office " +
		"outsourcing strategy firm firms provider asset assets course courses helpdesk"
	health = "director directors official officials report reports guideline guidelines chief spokesman spokeswoman spokesperson data " +
		"recommendation recommendations recommends team teams expert experts estimates region staff headquarters scientist " +
		"scientists advice study adviser advisor representative representatives standards standard statement figures warns warned"
	// acting lists words before a verb, acted words after one.
	acting = "i you he she it we they who will would can could shall should may might must do does did to not n't don't please let " +
		"let's never just and then cannot"
	acted = "me him her it them us the a an my your his its our their this that these those down up on upon in into of like with now " +
		"here there together against back"
	// telling lists words before US that make it the pronoun, unless a noun follows.
	telling = "tell told tells give gave gives let lets help helped helps show showed ask asked join leave trust believe love loves " +
		"loved hate hates need needs like not was is want wants blame follow made makes saved than say said"
)

// ourselves reports whether US is the pronoun: "Tell US now!", "It was US!", "all of US".
func ourselves(earlier, before, after string) bool {
	if after != "" && !listed("now here again and or but when if to is was", after) {
		return false
	}
	if before == "of" {
		return listed("all both most some none one each many two three half any neither either", earlier)
	}
	return listed(telling, before) || after == "" && (before == "for" || before == "with")
}

// possessor reports whether a noun follows w.
func possessor(w string) bool {
	return listed("the a an my your his her its our their this these those every each some any no another former senior current", w)
}
