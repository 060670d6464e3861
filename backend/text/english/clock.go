package english

import "strings"

// clock reads 3:30 pm, 14:05, 9:00-17:00, and 16:9 as a proportion.
func (n *normalizer) clock() bool {
	words, end, ok := n.timeAt(n.at)
	if !ok {
		return n.halfDay() || n.proportion()
	}
	size := n.dash(n.spaces(end))
	if size > 0 {
		next := n.spaces(n.spaces(end) + size)
		if more, last, ok := n.timeAt(next); ok {
			words, end = words+" to "+more, last
		}
	}
	n.say(words, end)
	return true
}

// timeAt reads one time with minutes.
func (n *normalizer) timeAt(i int) (words string, end int, ok bool) {
	hour := n.digits(i)
	end = n.digits(hour + 1)
	if hour == i || hour > i+2 || n.byteAt(hour) != ':' || end != hour+3 || number(n.s[i:hour]) > 24 || n.s[hour+1] > '5' {
		return "", 0, false
	}
	hours, minutes := n.s[i:hour], n.s[hour+1:end]
	h := number(hours)
	words = belowThousand(h)
	seconds := ""
	if n.byteAt(end) == ':' {
		if last := n.digits(end + 1); last == end+3 && n.s[end+1] <= '5' {
			seconds, end = n.s[end+1:last], last
		}
	}
	if !n.ends(end) && n.halfAt(end) == 0 || n.byteAt(end) == ':' {
		return "", 0, false
	}
	half, last := n.halfOfDay(end)
	switch {
	case minutes != "00":
		words += " " + twoDigits(minutes)
	case seconds != "", half != "":
	case h == 0 || h > 12:
		words += " hundred"
	default:
		words += " o'clock"
		if strings.HasPrefix(n.s[n.spaces(end):], "o'clock") {
			last = n.spaces(end) + len("o'clock")
		}
	}
	if seconds != "" {
		s := " seconds"
		if seconds == "01" {
			s = " second"
		}
		words += " and " + belowThousand(number(seconds)) + s
	}
	return words + half, last, true
}

// halfAt gives the length of am or pm in any form at i, 0 for none.
func (n *normalizer) halfAt(i int) int {
	for _, form := range [...]string{"a.m.", "p.m.", "am", "pm", "a.m", "p.m"} {
		if len(n.s)-i >= len(form) && strings.EqualFold(n.s[i:i+len(form)], form) && n.ends(i+len(form)) {
			return len(form)
		}
	}
	return 0
}

// halfOfDay reads am or pm behind a time. A dot that also ends the sentence is left.
func (n *normalizer) halfOfDay(i int) (words string, end int) {
	at := n.spaces(i)
	size := n.halfAt(at)
	if size == 0 {
		return "", i
	}
	words = " " + strings.ToUpper(n.s[at:at+1]) + " M"
	end = at + size
	if n.s[end-1] == '.' && (n.stops(end) || n.newSentence(end)) {
		end--
	}
	return words, end
}

// newSentence reports a capital behind a time that names no day or zone.
func (n *normalizer) newSentence(i int) bool {
	at := n.spaces(i)
	word := n.wordAt(at)
	if at == i || len(word) < 2 || !upper(word[0]) || upper(word[1]) || monthOf(word) != "" || strings.HasSuffix(word, "day") {
		return false
	}
	return word != "Eastern" && word != "Pacific" && word != "Central" && word != "Mountain"
}

// halfDay reads 5 pm and 3–5 pm.
func (n *normalizer) halfDay() bool {
	end := n.digits(n.at)
	hours := n.s[n.at:end]
	if len(hours) > 2 || number(hours) > 12 || hours == "0" || hours == "00" {
		return false
	}
	words := belowThousand(number(hours))
	if half, last := n.halfOfDay(end); half != "" {
		words, end = words+half, last
		size := n.dash(n.spaces(end))
		next := n.spaces(n.spaces(end) + size)
		to := n.digits(next)
		if half, last := n.halfOfDay(to); size > 0 && to > next && to <= next+2 && half != "" {
			words, end = words+" to "+belowThousand(number(n.s[next:to]))+half, last
		}
		n.say(words, end)
		return true
	}
	size := n.dash(n.spaces(end))
	next := n.spaces(n.spaces(end) + size)
	if size == 0 {
		return false
	}
	more, last, ok := n.timeAt(next)
	if !ok {
		to := n.digits(next)
		half, halfEnd := n.halfOfDay(to)
		if to == next || to > next+2 || half == "" {
			return false
		}
		more, last = belowThousand(number(n.s[next:to]))+half, halfEnd
	}
	n.say(words+" to "+more, last)
	return true
}

// proportion reads 16:9.
func (n *normalizer) proportion() bool {
	colon := n.digits(n.at)
	end := n.digits(colon + 1)
	if n.byteAt(colon) != ':' || end == colon+1 || n.byteAt(end) == ':' || !n.ends(end) {
		return false
	}
	n.say(Cardinal(n.s[n.at:colon])+" to "+Cardinal(n.s[colon+1:end]), end)
	return true
}
