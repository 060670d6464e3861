package english

import (
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// capitals reads a word in capitals, with a small s at its end for the plural: as letters or as a word.
func (n *words) capitals(w string, end int) bool {
	switch {
	case n.contraction(w, end):
		return true
	case len(w) < 2 || !upper(w[0]) || !upper(w[1]) || n.contracted(end):
		return false
	case commonWords[w]:
		n.say(strings.ToLower(w), end)
	case worldWars[w] != "" && (w != "WW" || digit(n.byteAt(end))):
		n.say(worldWars[w], end)
	case n.besideAmpersand(end):
		n.say(spell(w), end)
	case homonyms[w]:
		return n.homonym(w, end)
	case n.shouted(w, end):
		n.say(strings.ToLower(w), end)
	default:
		letters, ok := acronym(w)
		if !ok {
			return false
		}
		n.sayLetters(letters, end)
	}
	return true
}

// worldWars are read out. WW is one before a digit.
var worldWars = map[string]string{"WW": "World War", "WWI": "World War one", "WWII": "World War two"}

// besideAmpersand reports whether the capitals that end at end are part of a name such as AT&T.
func (n *words) besideAmpersand(end int) bool {
	return n.byteAt(end) == '&' && upper(n.byteAt(end+1)) || n.byteAt(n.at-1) == '&'
}

// contraction reads the end of I'M and of words such as WE'LL.
func (n *words) contraction(w string, end int) bool {
	switch before := n.s[:n.at]; {
	case w == "M" && (strings.HasSuffix(before, "I'") || strings.HasSuffix(before, "I’")):
		n.say("m", end)
	case (w == "LL" || w == "RE" || w == "VE") && apostrophe(n.before(n.at)):
		n.say(w, end)
	default:
		return false
	}
	return true
}

// contracted reports whether capitals follow at end after an apostrophe, as in DON'T, but no S.
func (n *words) contracted(end int) bool {
	if !apostrophe(n.after(end)) {
		return false
	}
	next := n.wordAt(end + firstSize(n.s[end:]))
	return startsUpper(next) && next != "S"
}

// sayLetters says the letters of an acronym. The article before it at the beginning of a sentence becomes lower case, so
// that it is not read as one of them: A VIP.
func (n *words) sayLetters(letters string, end int) {
	if i := len(n.out) - 2; i >= 0 && string(n.out[i:]) == "A " && startsSentence(string(n.out[max(i-8, 0):i])) {
		n.out[i] = 'a'
	}
	n.say(letters, end)
}

// startsSentence reports whether a word behind s begins a sentence or a line.
func startsSentence(s string) bool {
	before := strings.TrimRight(s[max(0, len(s)-8):], " \n\"'“‘([")
	return before == "" || strings.ContainsAny(before[len(before)-1:], ".!?:;") || strings.HasSuffix(strings.TrimRight(s, " "), "\n")
}

// shouted reports whether a short word in capitals that is no known acronym is in capitals because its neighbours are.
func (n *words) shouted(w string, end int) bool {
	known := spelledAcronyms[w] || wordAcronyms[w] || shortWord(w)
	return !known && len(w) <= 3 && prose.AllCapitals(w) && pronounceable(w) && n.besideCapitals(end)
}

// besideCapitals reports whether a word beside this one, which ends at end, is a shouted word, so that capitals mean
// nothing in this place.
func (n *words) besideCapitals(end int) bool {
	before, _ := n.wordBefore(n.at)
	for _, w := range [...]string{before, n.wordAt(n.spaces(end))} {
		if len(w) < 2 || !prose.AllCapitals(w) || len(w) < 4 && !shortWord(w) {
			continue
		}
		if _, spelled := acronym(w); !spelled {
			return true
		}
	}
	return false
}

// wordLeft returns the word before the white space before i, with its apostrophes, or the hyphen directly before i.
func (n *reader) wordLeft(i int) (word string, start int) {
	end := i
	for end > 0 && i-end < 3 && space(n.s[end-1]) {
		end--
	}
	if end == i && n.byteAt(i-1) == '-' {
		return "-", i - 1
	}
	start = end
	for start > 0 && end-start < prose.LongestWord && end < i && (letter(n.s[start-1]) || n.s[start-1] == '\'') {
		start--
	}
	return n.s[start:end], start
}
