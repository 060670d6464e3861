package english

import (
	"regexp"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// month spells out the abbreviated name of a month beside a number, or with its full stop, and a range of months.
func (n *dates) month(word string, end int) bool {
	name := monthOf(word)
	if name == "" || n.rangeOfNames(name, end, monthOf) {
		return name != ""
	}
	if name == word {
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

// rangeOfNames reads a range of months or days, such as Mon-Fri and Jan.–Mar., whose first name ends at end. full returns the
// whole name of a word, empty for other words.
func (n *dates) rangeOfNames(first string, end int, full func(string) string) bool {
	if prose.IsWordRune(n.before(n.at)) || n.before(n.at) == '-' {
		return false
	}
	if n.byteAt(end) == '.' {
		end++
	}
	next := n.afterDash(end)
	if next == 0 {
		return false
	}
	word := n.wordAt(next)
	last := full(word)
	if end = next + len(word); last == "" || !n.ends(end) || n.dash(end) > 0 && !digit(n.byteAt(end+n.dash(end))) {
		return false
	}
	if word != last && n.byteAt(end) == '.' && !n.stops(end+1) {
		end++
	}
	n.say(first+" to "+last, end)
	return true
}

// weekdays are the abbreviated names of days.
var weekdays = map[string]string{
	"Mon": "Monday", "Tue": "Tuesday", "Tues": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday", "Thur": "Thursday",
	"Thurs": "Thursday", "Fri": "Friday", "Sat": "Saturday", "Sun": "Sunday",
}

// weekdayOf returns the day of a capitalised name or its abbreviation, empty for other words.
func weekdayOf(word string) string {
	if day := weekdays[word]; day != "" {
		return day
	}
	for _, day := range weekdays {
		if word == day {
			return day
		}
	}
	return ""
}

// The other days of a list, before and after one of its abbreviated names: Mon/Wed/Fri, Mon, Wed and Fri.
var (
	dayBefore = regexp.MustCompile(`\b` + dayName + `\.?` + dayLink + `$`)
	dayAfter  = regexp.MustCompile(`^\.?` + dayLink + dayName + `\b`)
)

const (
	dayName = `(?:Mon(?:day)?|Tue(?:s(?:day)?)?|Wed(?:nesday)?|Thu(?:r(?:s(?:day)?)?)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?)`
	dayLink = `(?: ?[,/&] ?(?:(?:and|or) )?| (?:and|or) )`
)

// inListOfDays reports whether another day stands beside the abbreviation that ends at end.
func (n *dates) inListOfDays(end int) bool {
	return dayAfter.MatchString(n.s[end:min(end+24, len(n.s))]) || dayBefore.MatchString(n.s[max(0, n.at-24):n.at])
}

// weekdayWords are the abbreviations of days that are words.
var weekdayWords = setOf("Sat Sun Wed")

// weekday spells out Mon., Tue. and the like, also without a full stop before a month or a number, and in lists and ranges.
func (n *dates) weekday(word string, end int) bool {
	if !startsUpper(word) {
		return false
	}
	day := weekdayOf(word)
	if day == "" || n.rangeOfNames(day, end, weekdayOf) {
		return day != ""
	}
	if day == word {
		return false
	}
	dot := end
	if n.byteAt(end) == '.' {
		dot++
	}
	dated, spaced := n.datedAt(dot)
	near := dated || n.inListOfDays(end)
	if !near && (dot == end || weekdayWords[word]) {
		return false
	}
	if dot > end && (!near || !spaced) && n.stops(dot) {
		dot = end
	}
	n.say(day, dot)
	return true
}

// datedAt reports whether a number or a month is behind a day that ends at end, and whether there is a space.
func (n *dates) datedAt(end int) (dated, spaced bool) {
	if n.byteAt(end) == ',' {
		end++
	}
	at := n.spaces(end)
	spaced = at > end
	return spaced && (digit(n.byteAt(at)) || monthOf(n.wordAt(at)) != ""), spaced
}
