package english

import (
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// maxInitials is the maximum of letters with full stops that are read as an abbreviation.
const maxInitials = 6

// dottedLetters reads letters with full stops: U.S., a.m., J.R.R., Ph.D., e.g. and i.e. end is the end of the first ones.
func (n *words) dottedLetters(end int) bool {
	if n.byteAt(end) != '.' || end-n.at > 2 || n.at > 0 && n.s[n.at-1] == '.' {
		return false
	}
	letters, i := n.lettersAndStops()
	plural := ""
	if stem, found := strings.CutSuffix(letters, "s"); found && n.pluralOf(stem, i) {
		letters, plural = stem, "'s"
	}
	if len(letters) < 2 || len(letters) > maxInitials || i == end+1 || prose.IsWordRune(n.after(i)) {
		return false
	}
	if n.s[i-1] == '.' && n.stops(i) {
		i--
	}
	return n.sayInitials(letters, plural, i)
}

// pluralOf reports whether the s that ends at end is the plural of the letters before it, as in two Ph.D.s.
func (n *words) pluralOf(letters string, end int) bool {
	switch {
	case letters == "":
		return false
	case upper(letters[len(letters)-1]):
		return true
	}
	return len(letters) > 1 && strings.HasSuffix(n.s[:max(end-1, 0)], ".") && n.s[end-1] == 's'
}

// lettersAndStops returns the letters at n.at that have full stops after them, without these, and where they end. The last
// letter may lack its stop.
func (n *words) lettersAndStops() (letters string, end int) {
	end = n.at
	for len(letters) <= maxInitials {
		last := n.letters(end)
		short := last == end+1 || last == end+2 && upper(n.s[end]) && lower(n.s[end+1])
		if !short || !ascii(n.s[end:last]) {
			break
		}
		if n.byteAt(last) != '.' {
			if letters != "" && last == end+1 && n.ends(last) {
				letters, end = letters+n.s[end:last], last
			}
			break
		}
		letters, end = letters+n.s[end:last], last+1
	}
	return letters, end
}

// sayInitials reads letters that were written with full stops and end at end.
func (n *words) sayInitials(letters, plural string, end int) bool {
	switch words := strings.ToLower(letters); {
	case words == "eg":
		n.say("for example", n.pastStop(end))
	case words == "ie":
		n.say("that is", n.pastStop(end))
	case words == "am" || words == "pm":
		n.say(spell(letters), n.pastStop(end))
		if n.byteAt(n.at) != '.' && n.newSentence(n.at) && n.byteAt(n.at-1) == '.' {
			n.at--
		}
	case words == "aka", words == "cf", strings.ContainsFunc(letters, unicode.IsUpper):
		n.say(spell(letters)+plural, end)
	default:
		return false
	}
	return true
}

// pastStop returns i, or the end of the full stop at i if that does not end the sentence.
func (n *reader) pastStop(i int) int {
	if n.byteAt(i) == '.' && strings.TrimSpace(n.s[i+1:min(i+8, len(n.s))]) != "" && !n.stops(i+1) {
		return i + 1
	}
	return i
}

// initial reads the initial of a name without its full stop: J. Smith, George W. Bush.
func (n *words) initial(w string, end int) bool {
	if len(w) != 1 || !upper(w[0]) || n.byteAt(end) != '.' {
		return false
	}
	at := n.spaces(end + 1)
	if at == end+1 || !letter(n.byteAt(at)) {
		return false
	}
	next := n.wordAt(at)
	if n.initialEndsSentence(next, at) || w == "I" && len(next) > 1 {
		return false
	}
	n.keep(end)
	n.at = end + 1
	if w == "A" && len(next) > 1 {
		n.out = append(n.out, NoBreak...)
		n.at = at
	}
	return true
}

// initialEndsSentence reports whether the full stop of a letter ends a sentence rather than an initial; next is the word after
// it, at at.
func (n *words) initialEndsSentence(next string, at int) bool {
	before, start := n.wordBefore(n.at)
	named := len(before) > 1 && startsUpper(before)
	switch {
	case lettered[strings.ToLower(before)] || lower(next[0]) && !named: // Louis A. said
		return true
	case len(before) == 1 && upper(before[0]) && n.s[start+1] == ' ': // the CIA. FBI
		return true
	case len(next) == 1: // It is B. I know.
		return n.byteAt(at+1) != '.' && !n.capital(n.spaces(at+1))
	}
	return prose.StartsSentence(strings.ToLower(next)) && upper(next[0])
}

// NoBreak is the space behind the initial A of a name, as in A Lincoln, which no article has.
const NoBreak = "\u00a0"

// Lettered reports whether a noun in small letters is one that a letter may follow, such as plan B.
func Lettered(noun string) bool { return lettered[noun] }

// lettered are nouns that a letter may follow, such as plan B.
var lettered = setOf("vitamin plan option group type class grade section appendix figure hepatitis step part exhibit table team " +
	"point line side model series letter variant version gate exit terminal platform block building unit wing room level " +
	"schedule sector zone division category tier annex annexe exam paper")
