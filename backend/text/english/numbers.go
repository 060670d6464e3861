package english

import (
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// numeral is a number as it is written.
type numeral struct {
	whole    string // digits without separators; empty in .5
	fraction string // digits after the point
	grouped  bool   // with thousands separators
	end      int
}

// numeral returns the number at i.
func (n *figures) numeral(i int) (numeral, bool) {
	q := numeral{whole: n.s[i:n.digits(i)], end: n.digits(i)}
	end, european := n.groupsEnd(i, q.end)
	if end > q.end {
		q.whole, q.grouped, q.end = onlyDigits(n.s[i:end]), true, end
	}
	if fraction, end := n.decimalComma(q.end, european || q.grouped && n.s[q.end-4] != ','); q.whole != "" && end > q.end {
		q.fraction, q.end = fraction, end
	} else if n.byteAt(q.end) == '.' && digit(n.byteAt(q.end+1)) && !european {
		end := n.digits(q.end + 1)
		if n.byteAt(end) != '.' || !digit(n.byteAt(end+1)) {
			q.fraction, q.end = n.s[q.end+1:end], end
		}
	}
	return q, q.whole != "" || q.fraction != ""
}

// one reports whether the number is 1.
func (q numeral) one() bool { return q.whole == "1" && q.fraction == "" }

// String returns the words of the number.
func (q numeral) String() string {
	words := ""
	if q.whole != "" {
		words = Cardinal(q.whole)
	}
	if q.fraction != "" {
		words = strings.TrimSpace(words + " point " + Digits(q.fraction))
	}
	return words
}

// plain reports whether the number is whole, below a billion and has neither separators nor leading zeros.
func (q numeral) plain() bool {
	return q.fraction == "" && !q.grouped && len(q.whole) <= 9 && (q.whole == "0" || !strings.HasPrefix(q.whole, "0"))
}

// fourDigits reports whether the number is four digits and nothing else.
func (q numeral) fourDigits() bool { return len(q.whole) == 4 && !q.grouped && q.fraction == "" }

// yearLike reports whether the number can be a year from 1100 to 2099.
func (q numeral) yearLike() bool { return q.fourDigits() && q.whole >= "1100" && q.whole < "2100" }

// number reads what begins with a digit.
func (n *amounts) number() {
	switch {
	case n.itemNumber(), n.afterLetters(), n.date(), n.vanityNumber(), n.phone(), n.dotted(), n.clock(), n.digitGroups(), n.decade(),
		n.ordinal(),
		n.feetAndInches(), n.hex(), n.fraction(), n.product():
		return
	}
	q, _ := n.numeral(n.at)
	n.quantity(q)
}

// itemNumber reads the number of an item of a list at the beginning of the text. A comma replaces its full stop, so that no
// sentence ends there.
func (n *amounts) itemNumber() bool {
	end := n.digits(n.at)
	if n.at > 0 || n.keepDigits || end > 3 || n.byteAt(end) != '.' || n.byteAt(end+1) != ' ' || !unicode.IsLetter(n.after(end+2)) {
		return false
	}
	n.say(Cardinal(n.s[:end])+",", end+1)
	return true
}

// afterLetters reads digits that belong to letters before them: B2B, MP3, F-16, room 101. A height belongs to no letters.
func (n *amounts) afterLetters() bool {
	if _, _, signed, _ := n.height(n.at); signed {
		return false
	}
	end := n.digits(n.at)
	r := n.before(n.at)
	hyphen := r == '-' && n.at > 1 && prose.IsWordRune(n.before(n.at-1)) && n.s[n.at-2] > '9'
	decimal := n.byteAt(end) == '.' && digit(n.byteAt(end+1))
	switch {
	case hyphen && (decimal || strings.IndexByte("s-,", n.byteAt(end)) >= 0):
		return false
	case !hyphen && (!prose.IsWordRune(r) || r == '_') && !n.readInParts(end):
		return false
	}
	n.joinLetterA()
	n.say(model(n.s[n.at:end]), end)
	return true
}

// joinLetterA writes a hyphen behind an A that is a word by itself and touches what is at n.at, so that A4 does not become an
// article and a number: A-four.
func (n *amounts) joinLetterA() {
	if c := n.byteAt(n.at - 1); (c == 'A' || c == 'a') && !n.replaced && !prose.IsWordRune(n.before(n.at-1)) {
		n.out = append(n.out, '-')
	}
}

// readInParts reports whether the digits from n.at to end are the number of a room or the like: room 101 is read "one oh one".
func (n *amounts) readInParts(end int) bool {
	word, _ := n.wordBefore(n.at)
	grouped := (n.byteAt(end) == ',' || n.byteAt(end) == '.') && digit(n.byteAt(end+1))
	return numberedThings[word] && end-n.at == 3 && n.ends(end) && !grouped
}

// numberedThings are nouns before three digits that are read in two parts.
var numberedThings = setOf("Room room Flight flight Route route Highway highway Boeing Suite suite Interstate Apartment " +
	"apartment Area Bus bus")

// The maximum of groups of digits that are read as one number, and of digits in a group of a version.
const (
	maxGroups      = 8
	maxGroupDigits = 6
)

// digitGroups reads groups of digits with more than one hyphen digit by digit, such as an ISBN.
func (n *amounts) digitGroups() bool {
	groups, end := n.groups('-')
	if len(groups) < 3 || !n.ends(end) {
		return false
	}
	for g := range groups {
		groups[g] = Digits(groups[g])
	}
	n.say(strings.Join(groups, ", "), end)
	return true
}

// dotted reads versions and addresses of machines: one point two point three, one ninety-two dot one sixty-eight.
func (n *amounts) dotted() bool {
	groups, end := n.groups('.')
	if _, european := n.groupsEnd(n.at, n.digits(n.at)); len(groups) < 3 || european {
		return false
	}
	mark, read := " point ", Cardinal
	if len(groups) == 4 {
		mark, read = " dot ", model
	}
	for g, digits := range groups {
		if len(digits) > maxGroupDigits {
			return false
		}
		groups[g] = read(digits)
	}
	n.say(strings.Join(groups, mark), end)
	return true
}

// groups returns the groups of digits at n.at with the mark between them, and where they end; none if there are too many. A
// full stop after the last group ends the sentence, any other mark belongs to a further group.
func (n *figures) groups(mark byte) (groups []string, end int) {
	for i := n.at; ; i++ {
		end = n.digits(i)
		if end == i || len(groups) == maxGroups {
			return nil, 0
		}
		groups = append(groups, n.s[i:end])
		if n.byteAt(end) != mark || mark == '.' && !digit(n.byteAt(end+1)) {
			return groups, end
		}
		i = end
	}
}

// ordinal reads 21st.
func (n *amounts) ordinal() bool {
	q, ok := n.numeral(n.at)
	if !ok || q.fraction != "" || q.end+2 > len(n.s) || !n.ends(q.end+2) {
		return false
	}
	switch strings.ToLower(n.s[q.end : q.end+2]) {
	case "st", "nd", "rd", "th":
		n.say(Ordinal(q.whole), q.end+2)
		return true
	}
	return false
}

// hex reads 0x1F.
func (n *amounts) hex() bool {
	if n.s[n.at] != '0' || n.byteAt(n.at+1) != 'x' {
		return false
	}
	end := n.at + 2
	for end < len(n.s) && strings.IndexByte("0123456789abcdefABCDEF", n.s[end]) >= 0 {
		end++
	}
	if end == n.at+2 || !n.ends(end) {
		return false
	}
	n.say("zero X "+spell(n.s[n.at+2:end]), end)
	return true
}

// product reads sizes: 4x4, 1920x1080, 5 x 7.
func (n *amounts) product() bool {
	q, _ := n.numeral(n.at)
	words, end, count := sideWords(q), q.end, 1
	for next := n.nextSide(end); next > 0 && count <= maxGroups; next = n.nextSide(end) {
		q, _ = n.numeral(next)
		if strings.HasPrefix(n.s[next:], "10^") || n.superscript(q.end) > q.end {
			return false
		}
		words, end, count = words+" by "+sideWords(q), q.end, count+1
	}
	if count == 1 {
		return false
	}
	if n.inEquation(end) {
		words = strings.ReplaceAll(words, " by ", " times ")
	}
	n.sayMeasured(words, end, false)
	return true
}

// nextSide returns where the next number of a size begins whose last one ended at i, 0 if there is none. There are spaces
// on both sides of the x or on neither.
func (n *figures) nextSide(i int) int {
	mark := n.spaces(i)
	r, size := n.runeAt(mark)
	next := n.spaces(mark + size)
	spaceBefore, spaceAfter := mark > i, next > mark+size
	if r != 'x' && r != 'X' && (r != '×' || spaceBefore || spaceAfter) || spaceBefore != spaceAfter || !digit(n.byteAt(next)) {
		return 0
	}
	return next
}

// sideWords returns the words of one side of a size; four digits are read in pairs.
func sideWords(q numeral) string {
	if q.fourDigits() {
		return Year(q.whole)
	}
	return q.String()
}
