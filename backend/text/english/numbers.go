package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// numeral is a number as it is written.
type numeral struct {
	whole   string // digits without separators; empty in .5
	part    string // digits after the point
	grouped bool   // with thousands separators
	end     int
}

// numeral reads the number at i.
func (n *normalizer) numeral(i int) (numeral, bool) {
	end := n.digits(i)
	q := numeral{whole: n.s[i:end], end: end}
	if len(q.whole) >= 1 && len(q.whole) <= 3 {
		for n.byteAt(end) == ',' && n.digits(end+1) == end+4 {
			end += 4
		}
		if end > q.end {
			q.whole, q.grouped, q.end = strings.ReplaceAll(n.s[i:end], ",", ""), true, end
		} else if end = n.spacedGroups(end); end > q.end {
			q.whole, q.grouped, q.end = strings.ReplaceAll(n.s[i:end], " ", ""), true, end
		}
	}
	if n.byteAt(q.end) == '.' && digit(n.byteAt(q.end+1)) {
		end := n.digits(q.end + 1)
		if n.byteAt(end) != '.' || !digit(n.byteAt(end+1)) {
			q.part, q.end = n.s[q.end+1:end], end
		}
	}
	return q, q.whole != "" || q.part != ""
}

// spacedGroups gives the end of two or more groups of three digits behind spaces: 1 000 000.
func (n *normalizer) spacedGroups(i int) int {
	end, count := i, 0
	for n.byteAt(end) == ' ' && n.digits(end+1) == end+4 && count < longestGroups {
		end, count = end+4, count+1
	}
	if count < 2 || !n.ends(end) {
		return i
	}
	return end
}

func (q numeral) one() bool { return q.whole == "1" && q.part == "" }

func (q numeral) String() string {
	words := ""
	if q.whole != "" {
		words = Cardinal(q.whole)
	}
	if q.part != "" {
		words = strings.TrimSpace(words + " point " + Digits(q.part))
	}
	return words
}

// plain reports a whole number as everyone writes it: neither separators nor leading zeros, and below a billion.
func (q numeral) plain() bool {
	return q.part == "" && !q.grouped && len(q.whole) <= 9 && (q.whole == "0" || !strings.HasPrefix(q.whole, "0"))
}

// pairs reports four digits that are no year for certain, but look like one.
func (q numeral) pairs() bool {
	return len(q.whole) == 4 && !q.grouped && q.part == "" && q.whole >= "1100" && q.whole < "2100"
}

// itemNumber reads the number of an item of a list, which belongs to what follows: a comma stands for its full stop.
func (n *normalizer) itemNumber() bool {
	end := n.digits(n.at)
	if n.at > 0 || n.keepDigits || end > 3 || n.byteAt(end) != '.' || n.byteAt(end+1) != ' ' || !unicode.IsLetter(n.after(end+2)) {
		return false
	}
	n.say(Cardinal(n.s[:end])+",", end+1)
	return true
}

// number reads what begins with a digit.
func (n *normalizer) number() {
	switch {
	case n.itemNumber(), n.inWord(), n.date(), n.phone(), n.dotted(), n.clock(), n.digitGroups(), n.decade(), n.place(), n.feet(), n.hex(),
		n.fraction(), n.product():
		return
	}
	q, _ := n.numeral(n.at)
	n.quantity(q, "")
}

// inWord reads digits that stand behind letters: B2B, MP3, F-16, room 101.
func (n *normalizer) inWord() bool {
	end := n.digits(n.at)
	r := n.before(n.at)
	joined := prose.IsWordRune(r) && r != '_' || r == '-' && n.at > 1 && prose.IsWordRune(n.before(n.at-1)) && n.s[n.at-2] > '9'
	if !joined {
		word, _ := n.wordBefore(n.at)
		grouped := (n.byteAt(end) == ',' || n.byteAt(end) == '.') && digit(n.byteAt(end+1))
		joined = numberedThing(word) && end-n.at == 3 && n.ends(end) && !grouped
	}
	if !joined || r == '-' && (n.byteAt(end) == 's' || n.byteAt(end) == '-' || n.byteAt(end) == ',' || n.byteAt(end) == '.' && digit(n.byteAt(end+1))) {
		return false
	}
	n.say(model(n.s[n.at:end]), end)
	return true
}

// numberedThing reports things whose three digits are read in two parts.
func numberedThing(word string) bool {
	switch word {
	case "Room", "room", "Flight", "flight", "Route", "route", "Highway", "highway", "Boeing", "Suite", "suite", "Interstate",
		"Apartment", "apartment", "Area", "Bus", "bus":
		return true
	}
	return false
}

// longestGroups bounds how many groups of digits are one number.
const longestGroups = 8

// digitGroups reads groups of digits with more than one hyphen one by one, such as an ISBN.
func (n *normalizer) digitGroups() bool {
	var groups []string
	i := n.at
	for {
		end := n.digits(i)
		if end == i || len(groups) == longestGroups {
			return false
		}
		groups = append(groups, Digits(n.s[i:end]))
		if i = end; n.byteAt(i) != '-' {
			break
		}
		i++
	}
	if len(groups) < 3 || !n.ends(i) {
		return false
	}
	n.say(strings.Join(groups, ", "), i)
	return true
}

// dotted reads versions and addresses of machines: one point two point three, one ninety-two dot one sixty-eight.
func (n *normalizer) dotted() bool {
	var groups []string
	i := n.at
	for {
		end := n.digits(i)
		if end == i || end-i > 6 || len(groups) == longestGroups {
			return false
		}
		groups = append(groups, n.s[i:end])
		if i = end; n.byteAt(i) != '.' || !digit(n.byteAt(i+1)) {
			break
		}
		i++
	}
	if len(groups) < 3 {
		return false
	}
	mark := " point "
	if len(groups) == 4 {
		mark = " dot "
		for g := range groups {
			groups[g] = model(groups[g])
		}
	} else {
		for g := range groups {
			groups[g] = Cardinal(groups[g])
		}
	}
	n.say(strings.Join(groups, mark), i)
	return true
}

// place reads an ordinal: 21st.
func (n *normalizer) place() bool {
	q, ok := n.numeral(n.at)
	if !ok || q.part != "" || q.end+2 > len(n.s) || !n.ends(q.end+2) {
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
func (n *normalizer) hex() bool {
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
	n.say("zero X "+characters(n.s[n.at+2:end]), end)
	return true
}

// characters reads letters and digits one by one.
func characters(s string) string {
	var words []string
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			words = append(words, belowThousand(int(r-'0')))
		default:
			words = append(words, strings.ToUpper(string(r)))
		}
	}
	return strings.Join(words, " ")
}

// product reads sizes: 4x4, 1920x1080, 5 x 7.
func (n *normalizer) product() bool {
	q, _ := n.numeral(n.at)
	words, i := pairsOr(q), q.end
	for count := 1; count <= longestGroups; count++ {
		mark := n.spaces(i)
		r, size := utf8.DecodeRuneInString(n.s[mark:])
		next := n.spaces(mark + size)
		ok := r == 'x' || r == 'X' || r == '×' && mark == i && next == mark+size
		if !ok || !digit(n.byteAt(next)) || mark == i != (next == mark+size) {
			if count == 1 {
				return false
			}
			break
		}
		q, _ = n.numeral(next)
		if power := strings.HasPrefix(n.s[next:], "10^") || n.superscript(q.end) > q.end; power {
			return false
		}
		words, i = words+" by "+pairsOr(q), q.end
	}
	q.end = i
	n.quantity(numeral{whole: "2", end: i}, words)
	return true
}

func pairsOr(q numeral) string {
	if len(q.whole) == 4 && !q.grouped && q.part == "" {
		return Year(q.whole)
	}
	return q.String()
}
