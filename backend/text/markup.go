package text

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// maxPause is the longest pause that markup can ask for.
const maxPause = 60 * time.Second

// longestMarkup bounds the search for the end of a markup, in bytes. What is longer is ordinary text.
const longestMarkup = 1000

// markupKind says what a markup does.
type markupKind int

const (
	pauseMarkup   markupKind = iota + 1 // [pause 0.5s], <break time="500ms"/>
	inlineMarkup                        // <emphasis>: not spoken, what stands around it stays together
	blockMarkup                         // <p>: not spoken, what stands around it is apart
	tagMarkup                           // [laughs]: a mark of expression
	respellMarkup                       // [[word|respelling]], [[word|/ipa/]]
	rawMarkup                           // [[anything]]: for the engine
)

// markup is one piece of markup in a text.
type markup struct {
	kind    markupKind
	size    int           // bytes
	pause   time.Duration // of pauseMarkup, 0 to 60 s
	name    string        // of tagMarkup: what it means, whatever its form; of inline and block markup: the element
	word    string        // of respellMarkup: what is written
	reading string        // of respellMarkup: what is spoken, or /ipa/
}

// nextMarkup finds the first markup in s and where it begins. Markup left open is ordinary text.
func nextMarkup(s string) (start int, m markup, ok bool) {
	for at := 0; ; {
		i := strings.IndexAny(s[at:], "[<")
		if i < 0 {
			return 0, markup{}, false
		}
		start = at + i
		if m, ok := readMarkup(s[start:]); ok {
			return start, m, true
		}
		at = start + 1
	}
}

// readMarkup reads the markup that s begins with.
func readMarkup(s string) (markup, bool) {
	if len(s) < len("<p>") || s[0] != '[' && s[0] != '<' {
		return markup{}, false
	}
	s = s[:min(len(s), longestMarkup)]
	if strings.HasPrefix(s, "[[") {
		return readDouble(s)
	}
	if m, ok := readExpression(s); ok {
		return m, true
	}
	if s[0] == '<' {
		return readElement(s)
	}
	size, pause, ok := readPause(s)
	return markup{kind: pauseMarkup, size: size, pause: pause}, ok
}

// readDouble reads double brackets. Their content has no bracket and is more than white space.
func readDouble(s string) (markup, bool) {
	content, _, found := strings.Cut(s[2:], "]]")
	if !found || strings.ContainsAny(content, "[]") || strings.TrimSpace(content) == "" {
		return markup{}, false
	}
	m := markup{kind: rawMarkup, size: len(content) + 4}
	word, reading, divided := strings.Cut(content, "|")
	if !divided {
		return m, true
	}
	m.kind, m.word, m.reading = respellMarkup, strings.TrimSpace(word), strings.TrimSpace(reading)
	if m.reading == "" {
		m.reading = m.word
	}
	return m, true
}

// ipa gives what stands between the slashes of a reading such as /həlˈoʊ/.
func ipa(reading string) (string, bool) {
	if len(reading) < 3 || reading[0] != '/' || reading[len(reading)-1] != '/' {
		return "", false
	}
	sounds := strings.TrimSpace(reading[1 : len(reading)-1])
	return sounds, sounds != ""
}

// longestPause bounds the search for the closing bracket.
const longestPause = 64

// readPause reads `[pause 0.5s]` at the beginning of s and gives its size in bytes. The number is in seconds, also
// without a unit, or in milliseconds with ms; 0 to 60 s; case and white space around the parts do not matter.
func readPause(s string) (size int, pause time.Duration, ok bool) {
	closing := strings.IndexByte(s[:min(len(s), longestPause)], ']')
	if closing < 0 {
		return 0, 0, false
	}
	fields := strings.Fields(strings.ToLower(s[1:closing]))
	if len(fields) < 2 || len(fields) > 3 || fields[0] != "pause" {
		return 0, 0, false
	}
	if len(fields) == 3 && strings.TrimLeft(fields[1], "0123456789.") != "" {
		return 0, 0, false
	}
	pause, ok = readLength(strings.Join(fields[1:], ""))
	return closing + 1, pause, ok && pause <= maxPause
}

// readLength reads 1.5, 1.5s or 1500ms. What is over an hour is an hour.
func readLength(s string) (time.Duration, bool) {
	number, unit := strings.TrimSuffix(s, "s"), time.Second
	if cut, found := strings.CutSuffix(s, "ms"); found {
		number, unit = cut, time.Millisecond
	}
	if strings.Trim(number, "0123456789.") != "" {
		return 0, false
	}
	value, err := strconv.ParseFloat(number, 64)
	return time.Duration(min(value, float64(time.Hour/unit)) * float64(unit)), err == nil
}

// speaks reports whether s has something to speak beside marks of expression.
func speaks(s string) bool {
	for {
		at, m, ok := nextMarkup(s)
		if !ok {
			return Speakable(s)
		}
		double := m.kind == respellMarkup || m.kind == rawMarkup
		if Speakable(s[:at]) || double && Speakable(s[at:at+m.size]) {
			return true
		}
		s = s[at+m.size:]
	}
}

// veil gives as many bytes as the markup has, which UAX #29 reads as the markup is meant: words in double brackets as
// a word, a mark of expression as an opening bracket, a block as the end of a paragraph, all else as white space.
func (m markup) veil() string {
	mark := " "
	switch m.kind {
	case tagMarkup:
		mark = "("
	case blockMarkup:
		mark = "\n"
	case rawMarkup, respellMarkup:
		return veil(firstRune(m.word), m.size)
	case pauseMarkup, inlineMarkup:
	}
	return strings.Repeat(mark, m.size)
}

// veil gives a word of size bytes that begins as first does: small or not.
func veil(first rune, size int) string {
	if unicode.IsLower(first) {
		return strings.Repeat("x", size)
	}
	return strings.Repeat("X", size)
}
