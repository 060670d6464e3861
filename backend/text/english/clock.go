package english

import "strings"

// clock reads 3:30 pm, 14:05, 9:00-17:00, 5 pm, and 16:9 as a proportion.
func (n *dates) clock() bool {
	words, end, ok := n.timeAt(n.at)
	if !ok {
		return n.hours() || n.proportion()
	}
	if next := n.afterDash(end); next > 0 {
		if more, last, ok := n.timeAt(next); ok {
			words, end = words+" to "+more, last
		}
	}
	n.say(words, end)
	return true
}

// afterDash returns where the text after a dash at i begins, 0 if there is no dash. Spaces may stand on both sides of it.
func (n *figures) afterDash(i int) int {
	at := n.spaces(i)
	size := n.dash(at)
	if size == 0 {
		return 0
	}
	return n.spaces(at + size)
}

// timeAt returns the words and the end of the time with minutes at i.
func (n *figures) timeAt(i int) (words string, end int, ok bool) {
	colon := n.digits(i)
	if colon == i || colon > i+2 || !n.sixtieth(colon) || number(n.s[i:colon]) > 24 {
		return "", 0, false
	}
	hour, minutes := number(n.s[i:colon]), n.s[colon+1:colon+3]
	seconds := ""
	if end = colon + 3; n.sixtieth(end) {
		seconds, end = n.s[end+1:end+3], end+3
	}
	if !n.ends(end) && n.halfOfDaySize(end) == 0 || n.byteAt(end) == ':' {
		return "", 0, false
	}
	words = belowThousand(hour)
	half, last := n.halfOfDay(end)
	switch {
	case minutes != "00":
		words += " " + twoDigits(minutes)
	case seconds == "" && half == "":
		full, last := n.fullHour(hour, end)
		return words + full, last, true
	}
	if seconds != "" {
		words += " and " + countOf(number(seconds), "second")
	}
	return words + half, last, true
}

// fullHour returns what follows the hour of a time without minutes that ends at i, and the end of an o'clock after it.
func (n *figures) fullHour(hour, i int) (words string, end int) {
	if hour == 0 || hour > 12 {
		return " hundred", i
	}
	if at := n.spaces(i); strings.HasPrefix(n.s[at:], "o'clock") {
		i = at + len("o'clock")
	}
	return " o'clock", i
}

// sixtieth reports whether a colon and the two digits of a number below 60 are at i.
func (n *figures) sixtieth(i int) bool {
	return n.byteAt(i) == ':' && n.digits(i+1) == i+3 && n.s[i+1] <= '5'
}

// countOf returns the words of a number below 1000 and the noun that it counts.
func countOf(count int, noun string) string {
	if count != 1 {
		noun += "s"
	}
	return belowThousand(count) + " " + noun
}

// halfOfDaySize returns the size of am or pm in any form at i, 0 for none.
func (n *figures) halfOfDaySize(i int) int {
	for _, form := range [...]string{"a.m.", "p.m.", "am", "pm", "a.m", "p.m"} {
		if len(n.s)-i >= len(form) && strings.EqualFold(n.s[i:i+len(form)], form) && n.ends(i+len(form)) {
			return len(form)
		}
	}
	return 0
}

// halfOfDay returns the words and the end of am or pm after a time that ends at i, i if there is none. A full stop that
// also ends the sentence is left.
func (n *figures) halfOfDay(i int) (words string, end int) {
	at := n.spaces(i)
	size := n.halfOfDaySize(at)
	if size == 0 {
		return "", i
	}
	end = at + size
	if n.s[end-1] == '.' && (n.stops(end) || n.newSentence(end)) {
		end--
	}
	return " " + strings.ToUpper(n.s[at:at+1]) + " M", end
}

// newSentence reports whether a capitalised word after a time, which ends at i, begins a sentence: it is no day, month or
// time zone.
func (n *figures) newSentence(i int) bool {
	at := n.spaces(i)
	word := n.wordAt(at)
	if at == i || len(word) < 2 || !upper(word[0]) || upper(word[1]) || monthOf(word) != "" || strings.HasSuffix(word, "day") {
		return false
	}
	return word != "Eastern" && word != "Pacific" && word != "Central" && word != "Mountain"
}

// hours reads 5 pm, 3–5 pm and 3–5:30 pm.
func (n *dates) hours() bool {
	end := n.digits(n.at)
	hour := n.s[n.at:end]
	if len(hour) > 2 || number(hour) > 12 || number(hour) == 0 {
		return false
	}
	words := belowThousand(number(hour))
	half, end := n.halfOfDay(end)
	words += half
	next := n.afterDash(end)
	more, last, ok := "", 0, false
	if next > 0 && half == "" {
		more, last, ok = n.timeAt(next)
	}
	if next > 0 && !ok {
		more, last, ok = n.hourAt(next)
	}
	switch {
	case ok:
		n.say(words+" to "+more, last)
	case half != "":
		n.say(words, end)
	default:
		return false
	}
	return true
}

// hourAt returns the words and the end of an hour with am or pm at i.
func (n *figures) hourAt(i int) (words string, end int, ok bool) {
	digits := n.digits(i)
	half, end := n.halfOfDay(digits)
	if digits == i || digits > i+2 || half == "" {
		return "", 0, false
	}
	return belowThousand(number(n.s[i:digits])) + half, end, true
}

// proportion reads 16:9.
func (n *dates) proportion() bool {
	colon := n.digits(n.at)
	end := n.digits(colon + 1)
	if n.byteAt(colon) != ':' || end == colon+1 || n.byteAt(end) == ':' || !n.ends(end) {
		return false
	}
	n.say(Cardinal(n.s[n.at:colon])+" to "+Cardinal(n.s[colon+1:end]), end)
	return true
}
