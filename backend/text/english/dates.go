package english

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

func monthName(m int) string {
	return [...]string{
		"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
	}[m-1]
}

// monthOf gives the month of a capitalised name or its abbreviation, empty for none.
func monthOf(word string) string {
	if len(word) < 3 || !upper(word[0]) {
		return ""
	}
	short := word[:3]
	if word == "Sept" {
		short = "Sep"
	}
	for m := 1; m <= 12; m++ {
		if name := monthName(m); word == name || short == name[:3] && (len(word) == 3 || word == "Sept") {
			return name
		}
	}
	return ""
}

// date reads 2024-03-14, 3/14/2024, 14.3.2024 and 3/14/24.
func (n *normalizer) date() bool {
	i := n.digits(n.at)
	mark := n.byteAt(i)
	j := n.digits(i + 1)
	if mark != '-' && mark != '/' && mark != '.' || j == i+1 || n.byteAt(j) != mark {
		return false
	}
	end := n.digits(j + 1)
	a, b, c := n.s[n.at:i], n.s[i+1:j], n.s[j+1:end]
	var y, month, day string
	switch {
	case len(a) == 4 && len(b) <= 2 && len(c) <= 2:
		y, month, day = a, b, c
	case len(a) <= 2 && len(b) <= 2 && len(c) == 4, len(a) <= 2 && len(b) <= 2 && len(c) == 2 && mark == '/':
		if month, day, y = a, b, c; mark == '.' || number(a) > 12 {
			month, day = b, a
		}
	default:
		return false
	}
	stamp := n.byteAt(end) == 'T' && digit(n.byteAt(end+1))
	if c == "" || number(month) < 1 || number(month) > 12 || number(day) < 1 || number(day) > 31 || !stamp && !n.ends(end) ||
		n.byteAt(end) == mark && mark != '.' {
		return false
	}
	if len(y) == 2 {
		if y < "50" {
			y = "20" + y
		} else {
			y = "19" + y
		}
	}
	n.say(monthName(number(month))+" "+Ordinal(strconv.Itoa(number(day)))+", "+Year(y), end)
	if words, last, ok := n.timeAt(end + 1); stamp && ok {
		n.say("at "+words, last)
	}
	return true
}

func number(digits string) int {
	v, _ := strconv.Atoi(digits)
	return v
}

// fractionDate reads 3/14 where a word before it makes it a day: on 3/14.
func (n *normalizer) fractionDate(top, end int) bool {
	word, _ := n.wordBefore(n.at)
	switch strings.ToLower(word) {
	case "on", "by", "before", "after", "since", "until", "dated":
	default:
		return false
	}
	month, day := number(n.s[n.at:top]), number(n.s[top+1:end])
	if month < 1 || month > 12 || day < 1 || day > 31 || !n.ends(end) || n.s[n.at:end] == "9/11" {
		return false
	}
	n.say(monthName(month)+" "+Ordinal(strconv.Itoa(day)), end)
	return true
}

// dayOfMonth reports a day behind the name of a month: March 3.
func (n *normalizer) dayOfMonth(start int, q numeral) bool {
	word, _ := n.wordBefore(start)
	return monthOf(word) != "" && q.part == "" && !q.grouped && len(q.whole) <= 2 && number(q.whole) >= 1 && number(q.whole) <= 31
}

// dayMonth reads 14 March and 3 Jan. as the fourteenth of March.
func (n *normalizer) dayMonth(q numeral) bool {
	i := n.spaces(q.end)
	word := n.wordAt(i)
	month := monthOf(word)
	if month == "" || i == q.end || q.part != "" || len(q.whole) > 2 || number(q.whole) < 1 || number(q.whole) > 31 || !n.ends(i+len(word)) {
		return false
	}
	end := i + len(word)
	if next := n.spaces(end); digit(n.byteAt(next)) && n.digits(next) < next+4 {
		return false // 5 May 6: no date
	}
	if word != month && n.byteAt(end) == '.' && !n.stops(end+1) {
		end++
	}
	words := Ordinal(q.whole) + " of " + month
	if before, _ := n.wordBefore(n.at); strings.ToLower(before) != "the" {
		words = "the " + words
	}
	n.say(words, end)
	return true
}

// decade reads 1990s, 1990's, 80s.
func (n *normalizer) decade() bool {
	end := n.digits(n.at)
	digits := n.s[n.at:end]
	last := end
	if n.byteAt(last) == '\'' {
		last++
	} else if strings.HasPrefix(n.s[last:], "’") {
		last += len("’")
	}
	if n.byteAt(last) != 's' || !n.ends(last+1) || digits[len(digits)-1] != '0' {
		return false
	}
	switch {
	case len(digits) == 4 && digits >= "1100" && digits < "2200":
		words := Year(digits)
		n.say(plural(words), last+1)
	case len(digits) == 2 && digits >= "20" && last == end:
		n.say(plural(Cardinal(digits)), last+1)
	default:
		return false
	}
	return true
}

// shortYear reads '99 and '90s, the apostrophe being at n.at.
func (n *normalizer) shortYear(size int) bool {
	i := n.at + size
	end := n.digits(i)
	if end != i+2 || prose.IsWordRune(n.before(n.at)) {
		return false
	}
	if n.byteAt(end) == 's' && n.ends(end+1) && n.s[i+1] == '0' && n.s[i] > '1' {
		n.say(plural(Cardinal(n.s[i:end])), end+1)
		return true
	}
	if !n.ends(end) || n.byteAt(end) == '\'' || n.byteAt(end) == '.' && digit(n.byteAt(end+1)) || n.byteAt(end) == '%' {
		return false
	}
	n.say(twoDigits(n.s[i:end]), end)
	return true
}

// month spells out the abbreviated name of a month beside a number, or with its dot.
func (n *normalizer) month(word string, end int) bool {
	name := monthOf(word)
	if name == "" || name == word {
		return false
	}
	dot := end
	if n.byteAt(end) == '.' {
		dot++
	}
	next := n.spaces(dot)
	near := digit(n.byteAt(next)) && next > end
	if !near && (dot == end || word == "Mar" || word == "Dec" && !n.stops(dot)) {
		return false
	}
	if !near && n.stops(dot) {
		dot = end
	}
	n.say(name, dot)
	return true
}

// weekday spells out Mon., Tue. and the like before a comma, a month or a number.
func (n *normalizer) weekday(word string, end int) bool {
	name := ""
	switch word {
	case "Mon":
		name = "Monday"
	case "Tue", "Tues":
		name = "Tuesday"
	case "Wed":
		name = "Wednesday"
	case "Thu", "Thur", "Thurs":
		name = "Thursday"
	case "Fri":
		name = "Friday"
	case "Sat":
		name = "Saturday"
	case "Sun":
		name = "Sunday"
	default:
		return false
	}
	dot := end
	if n.byteAt(end) == '.' {
		dot++
	}
	next := dot
	if n.byteAt(next) == ',' {
		next++
	}
	at := n.spaces(next)
	near := at > next && (digit(n.byteAt(at)) || monthOf(n.wordAt(at)) != "")
	if !near && (dot == end || word == "Sat" || word == "Sun" || word == "Wed") {
		return false
	}
	if dot > end && !near && n.stops(dot) {
		dot = end
	}
	n.say(name, dot)
	return true
}

// dash reports whether the character at i is a hyphen or dash, and its size.
func (n *normalizer) dash(i int) (size int) {
	r, size := utf8.DecodeRuneInString(n.s[min(i, len(n.s)):])
	if r == '-' || r == '–' || r == '—' || r == '‑' {
		return size
	}
	return 0
}
