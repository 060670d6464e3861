package english

import (
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

var months = [...]string{
	"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
}

// monthOf returns the month of a capitalised name or its abbreviation, empty for other words.
func monthOf(word string) string {
	switch {
	case len(word) < 3 || !upper(word[0]):
		return ""
	case word == "Sept":
		return "September"
	}
	for _, month := range months {
		if word == month || word == month[:3] {
			return month
		}
	}
	return ""
}

// number returns the value of digits, 0 for none.
func number(digits string) int {
	v, _ := strconv.Atoi(digits)
	return v
}

// date is a day as it is written in digits.
type date struct{ year, month, day string }

// valid reports whether month and day are numbers that a date can have.
func (d date) valid() bool {
	return number(d.month) >= 1 && number(d.month) <= 12 && number(d.day) >= 1 && number(d.day) <= 31
}

// String returns the words of a date. Years of two digits are from 1950 to 2049.
func (d date) String() string {
	year := d.year
	if len(year) == 2 {
		century := "19"
		if year < "50" {
			century = "20"
		}
		year = century + year
	}
	return dayOf(number(d.month), number(d.day)) + ", " + Year(year)
}

// dayOf returns the words of a day: March fourteenth.
func dayOf(month, day int) string { return months[month-1] + " " + Ordinal(strconv.Itoa(day)) }

// dateOf returns the date that three numbers with one mark between them are.
func dateOf(a, b, c string, mark byte) (date, bool) {
	switch {
	case len(a) == 4 && len(b) <= 2 && len(c) <= 2 && c != "":
		return date{a, b, c}, true
	case len(a) > 2 || len(b) > 2 || len(c) != 4 && (len(c) != 2 || mark != '/'):
		return date{}, false
	case mark == '.' || number(a) > 12:
		return date{c, b, a}, true
	}
	return date{c, a, b}, true
}

// date reads 2024-03-14, 3/14/2024, 14.3.2024, 3/14/24 and 2024-03-14T10:30.
func (n *dates) date() bool {
	i := n.digits(n.at)
	mark := n.byteAt(i)
	j := n.digits(i + 1)
	if mark != '-' && mark != '/' && mark != '.' || j == i+1 || n.byteAt(j) != mark {
		return false
	}
	end := n.digits(j + 1)
	d, ok := dateOf(n.s[n.at:i], n.s[i+1:j], n.s[j+1:end], mark)
	if !ok || !d.valid() {
		return false
	}
	hasTime := n.byteAt(end) == 'T' && digit(n.byteAt(end+1))
	if !hasTime && !n.ends(end) || n.byteAt(end) == mark && mark != '.' {
		return false
	}
	n.say(d.String(), end)
	if words, last, ok := n.timeAt(end + 1); hasTime && ok {
		n.say("at "+words, last)
	}
	return true
}

// fractionDate reads 3/14 where a word before it makes it a day: on 3/14. slash is where the slash is.
func (n *dates) fractionDate(slash, end int) bool {
	word, _ := n.wordBefore(n.at)
	switch strings.ToLower(word) {
	case "on", "by", "before", "after", "since", "until", "dated":
	default:
		return false
	}
	d := date{month: n.s[n.at:slash], day: n.s[slash+1 : end]}
	if !d.valid() || !n.ends(end) || n.s[n.at:end] == "9/11" {
		return false
	}
	n.say(dayOf(number(d.month), number(d.day)), end)
	return true
}

// isDay reports whether a number can be a day of a month.
func (q numeral) isDay() bool {
	return q.fraction == "" && len(q.whole) <= 2 && number(q.whole) >= 1 && number(q.whole) <= 31
}

// dayOfMonth reports whether a number that begins at start is a day after the name of a month: March 3.
func (n *dates) dayOfMonth(start int, q numeral) bool {
	word, _ := n.wordBefore(start)
	return monthOf(word) != "" && q.isDay() && !q.grouped
}

// dayMonth reads 14 March and 3 Jan. as the fourteenth of March.
func (n *dates) dayMonth(q numeral) bool {
	i := n.spaces(q.end)
	word := n.wordAt(i)
	month := monthOf(word)
	if month == "" || i == q.end || !q.isDay() || !n.ends(i+len(word)) {
		return false
	}
	end := i + len(word)
	if next := n.spaces(end); digit(n.byteAt(next)) && n.digits(next) < next+4 {
		return false // 5 May 6 is no date
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

// dayRangeBeforeMonth reads 5-10 May as the fifth to tenth of May.
func (n *dates) dayRangeBeforeMonth(first, second numeral) bool {
	i := n.spaces(second.end)
	word := n.wordAt(i)
	month := monthOf(word)
	if month == "" || i == second.end || !first.isDay() || !second.isDay() || number(first.whole) >= number(second.whole) ||
		!n.ends(i+len(word)) {
		return false
	}
	end := i + len(word)
	if word != month && n.byteAt(end) == '.' && !n.stops(end+1) {
		end++
	}
	words := Ordinal(first.whole) + " to " + Ordinal(second.whole) + " of " + month
	if before, _ := n.wordBefore(n.at); strings.ToLower(before) != "the" {
		words = "the " + words
	}
	n.say(words, end)
	return true
}

// decade reads 1990s, 1990's, 80s.
func (n *dates) decade() bool {
	end := n.digits(n.at)
	digits := n.s[n.at:end]
	last := end
	if apostrophe(n.after(end)) {
		last += firstSize(n.s[end:])
	}
	if n.byteAt(last) != 's' || !n.ends(last+1) || digits[len(digits)-1] != '0' {
		return false
	}
	switch {
	case len(digits) == 4 && digits >= "1100" && digits < "2200":
		n.say(plural(Year(digits)), last+1)
	case len(digits) == 2 && digits >= "20" && last == end:
		n.say(plural(Cardinal(digits)), last+1)
	default:
		return false
	}
	return true
}

// shortYear reads '99 and '90s. The apostrophe is at n.at and has size bytes.
func (n *dates) shortYear(size int) bool {
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
