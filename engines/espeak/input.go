package espeak

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxRun is the length in bytes up to which a run is safe. espeak-ng 1.51 overruns a buffer of 160 bytes and aborts
// on a longer word that holds a dot or an apostrophe, and on as long a chain of words such as "e.g. i.e. a.k.a.".
const maxRun = 150

// plainText returns text for --stdin: valid UTF-8, no NUL, control characters but the newline become spaces, no
// phoneme input, no run that crashes 1.51.
func plainText(s string) string {
	return breakRuns(openBrackets(strings.Map(func(r rune) rune {
		switch {
		case r == 0:
			return -1
		case r == '\n':
			return r
		case r == utf8.RuneError || unicode.IsControl(r):
			return ' '
		}
		return r
	}, s)))
}

// clauseLine returns a clause as one line of input: no phoneme input, no run that crashes 1.51, no spaces around it. It is
// empty when there is nothing to pronounce.
func clauseLine(clause string) string {
	line := strings.Map(func(r rune) rune {
		switch {
		case r == 0:
			return -1
		case unicode.IsSpace(r) || (r >= 0x1c && r <= 0x1f):
			return ' '
		}
		return r
	}, clause)
	return strings.Trim(breakRuns(openBrackets(line)), " ")
}

// openBrackets puts a space between neighbouring opening brackets, because two of them begin phoneme input.
func openBrackets(s string) string {
	if !strings.Contains(s, "[[") {
		return s
	}
	var b strings.Builder
	before := rune(0)
	for _, r := range s {
		if r == '[' && before == '[' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// breakRuns cuts runs that would crash espeak-ng 1.51 by a comma between spaces; a space alone does not end a chain.
func breakRuns(s string) string {
	var b strings.Builder
	written := 0
	for start := 0; start < len(s); {
		end := runEnd(s, start)
		if run := s[start:end]; len(run) > maxRun && strings.ContainsAny(run, ".'’") {
			b.WriteString(s[written:start])
			writeBroken(&b, run)
			written = end
		}
		start = end + 1
	}
	if written == 0 {
		return s
	}
	b.WriteString(s[written:])
	return b.String()
}

// runEnd returns the end of the run at start: a word, and the next ones while each is a dotted abbreviation.
func runEnd(s string, start int) int {
	for at := start; ; {
		end := len(s)
		if i := strings.IndexAny(s[at:], " \n"); i >= 0 {
			end = at + i
		}
		word := s[at:end]
		chained := word == "" && at > start || strings.HasSuffix(word, ".") && strings.Count(word, ".") > 1
		if end == len(s) || !chained {
			return end
		}
		at = end + 1
	}
}

func writeBroken(b *strings.Builder, run string) {
	for len(run) > maxRun {
		cut := maxRun
		for !utf8.RuneStart(run[cut]) {
			cut--
		}
		b.WriteString(run[:cut])
		b.WriteString(" , ")
		run = run[cut:]
	}
	b.WriteString(run)
}
