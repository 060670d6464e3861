package english

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// word reads letters. Most words are lower case and stay; the rest goes through the readers below.
func (n *words) word() {
	end := n.letters(n.at)
	w := n.s[n.at:end]
	next := n.byteAt(end)
	if len(w) > 3 && lowercase(w) && !digit(next) && strings.IndexByte(".+#/$", next) < 0 {
		n.keep(end)
		return
	}
	if n.singleLetter(w, end) {
		return
	}
	switch {
	case n.dottedLetters(end), n.abbreviation(w, end), n.month(w, end), n.weekday(w, end), n.roman(w, end),
		n.currencyCode(w, end), n.language(w, end), n.version(w, end), n.unitAlone(end), n.initial(w, end), n.capitals(w, end),
		n.camelCase(w, end):
	default:
		n.keep(end)
	}
}

// singleLetter reads a small a that is no article, as in page 4a and a/b, the x of a calculation, and the plural of a letter:
// straight As and Bs.
func (n *words) singleLetter(w string, end int) bool {
	switch {
	case w == "A" && n.byteAt(end) == ' ' && n.articleOfLetters(end+1):
		n.say("a", end)
	case w == "a" && n.ends(end) && n.letterA(end):
		n.say("A", end)
	case (w == "x" || w == "X") && n.multiplies(end):
		n.say("times", end)
	case len(w) == 2 && upper(w[0]) && w[1] == 's' && n.letterPlural(w[0], end):
		n.say(w[:1]+"'s", end)
	default:
		return false
	}
	return true
}

// multiplies reports whether the x that ends at end is between two factors.
func (n *signs) multiplies(end int) bool {
	return n.operandBefore() && digit(n.byteAt(n.spaces(end))) && n.equation(end)
}

// articleOfLetters reports whether A begins a sentence and stands before letters, which begin at next.
func (n *words) articleOfLetters(next int) bool {
	return beforeLettersOf.MatchString(n.s[next:min(next+8, len(n.s))]) && startsSentence(n.s[:n.at])
}

// letterA reports whether the a that ends at end is behind a digit, or beside a slash.
func (n *words) letterA(end int) bool {
	before := n.byteAt(n.at - 1)
	return digit(before) || before == '/' || n.byteAt(end) == '/' && letter(n.byteAt(end+1))
}

// beforeLettersOf matches what is spelled behind an article: U.S., K-9, B2B, Q&A, C++, PhD.
var beforeLettersOf = regexp.MustCompile(`^(?:[A-Z](?:\.[A-Z]|-?\d|&|\+\+|#)|PhDs?\b)`)

// letterPlural reports whether a capital and s, which ends at end, are the plural of the letter rather than a word.
func (n *words) letterPlural(capital byte, end int) bool {
	if !n.ends(end) || apostrophe(n.after(end)) || prose.IsWordRune(n.before(n.at)) || n.byteAt(end) == '.' && !n.stops(end+1) {
		return false
	}
	if strings.IndexByte("AIMU", capital) < 0 {
		return true
	}
	word, _ := n.wordBefore(n.at)
	next := n.spaces(end)
	follower := n.wordAt(next)
	after := n.wordAt(n.spaces(next + len(follower)))
	andPlural := follower == "and" && len(after) == 2 && upper(after[0]) && after[1] == 's'
	return capital == 'A' && (beforeLetters[strings.ToLower(word)] || andPlural)
}

// beforeLetters are words before the plural of a letter.
var beforeLetters = setOf("straight all two three four five six seven eight nine ten several many few mostly only more these those")

// currencyCode reads US$5 and USD 50.
func (n *words) currencyCode(w string, end int) bool {
	dollar := n.byteAt(end) == '$'
	if !dollar && (len(w) != 3 || !upper(w[0])) {
		return false
	}
	if dollar {
		end++
	}
	c, ok := currencies[n.s[n.at:end]]
	return ok && digit(n.byteAt(n.spaces(end))) && n.money(c, end)
}

// language reads the programming languages C++ and C#.
func (n *words) language(w string, end int) bool {
	switch {
	case n.byteAt(end) == '+' && n.byteAt(end+1) == '+' && n.ends(end+2) && n.byteAt(end+2) != '+':
		n.keep(end)
		n.joinLetterA()
		n.say("plus plus", end+2)
	case n.byteAt(end) == '#' && len(w) == 1 && (upper(w[0]) || w == "c" || w == "f") && (n.ends(end+1) || n.isVersion(w, end+1)):
		n.keep(end)
		n.joinLetterA()
		n.say("sharp", end+1)
	default:
		return false
	}
	return true
}

// isVersion reports whether a number of one or two digits at i is the version of the language C# or F#.
func (n *words) isVersion(w string, i int) bool {
	last := n.digits(i)
	return strings.ContainsAny(w, "CcFf") && last > i && last <= i+2 && n.ends(last)
}

// version reads v2 and v1.2.3.
func (n *words) version(w string, end int) bool {
	if w != "v" && w != "V" || !digit(n.byteAt(end)) || prose.IsWordRune(n.before(n.at)) {
		return false
	}
	n.say("version", end)
	if n.dotted() {
		return true
	}
	q, _ := n.numeral(end)
	n.say(q.String(), q.end)
	return true
}

// unitAlone reads a unit without a number before it: km/h, mg/dL, kWh.
func (n *words) unitAlone(end int) bool {
	if prose.IsWordRune(n.before(n.at)) {
		return false
	}
	u, last, ok := n.unitName(n.at)
	if !ok || last > end && !isLength(strings.TrimPrefix(strings.TrimPrefix(u.one, "square "), "cubic ")) {
		return false
	}
	if n.byteAt(last) == '/' && end-n.at <= 2 {
		if per, i, ok := n.unitName(last + 1); ok {
			n.say(u.many+" per "+per.one, i)
			return true
		}
	}
	if w := n.s[n.at:end]; last == end && (lowercase(w) || prose.AllCapitals(w) || !capitalInside(w)) {
		return false
	}
	n.say(u.many, last)
	return true
}

func capitalInside(w string) bool { return strings.ContainsFunc(w[1:], unicode.IsUpper) }
