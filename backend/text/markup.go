package text

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// The pauses of markup: the longest, and that of `[pause]` alone.
const (
	maxPause   = 60 * time.Second
	plainPause = 500 * time.Millisecond
)

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
	kind      markupKind
	size      int           // bytes
	pause     time.Duration // of pauseMarkup, 0 to 60 s
	shortened bool          // of pauseMarkup: it asks for more than 60 s
	name      string        // of tagMarkup: what it means, whatever its form; of inline and block markup: the element
	word      string        // of respellMarkup: what is written
	reading   string        // of respellMarkup: what is spoken, or /ipa/
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
	return readPause(s)
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

// pauseForm is `[pause 0.5s]`, `[pause: 0.5s]` or `[pause=0.5s]`, with the length as a group. It ends on its line.
var pauseForm = regexp.MustCompile(`(?i)^\[[ \t]*pause(|[^][\pL\pN\n\r][^][\n\r]*)\]`)

// readPause reads `[pause 0.5s]` at the beginning of s. The number has a point or a comma and is in seconds, also without
// a unit, in milliseconds or in minutes; over 60 s is 60 s, and none is half a second. Case and white space around the
// parts do not matter, and a colon or = may stand before the length. What else stands in brackets after the word pause is
// a mark that no engine has. Brackets that do not close on their line are text.
func readPause(s string) (markup, bool) {
	form := pauseForm.FindStringSubmatch(s)
	if form == nil {
		return markup{}, false
	}
	m := markup{kind: pauseMarkup, size: len(form[0]), pause: plainPause}
	length := strings.TrimLeft(strings.ToLower(strings.TrimSpace(form[1])), ":=")
	fields := strings.Fields(length)
	if len(fields) == 0 {
		return m, true
	}
	ok := len(fields) == 1 || len(fields) == 2 && isNumber(fields[0])
	if ok {
		m.pause, ok = readLength(strings.Join(fields, ""))
	}
	if !ok {
		return markup{kind: tagMarkup, size: m.size}, true
	}
	m.shorten()
	return m, true
}

// shorten brings a pause down to the longest one.
func (m *markup) shorten() { m.pause, m.shortened = min(m.pause, maxPause), m.pause > maxPause }

func isNumber(s string) bool { return strings.TrimLeft(s, "0123456789.,") == "" }

// readLength reads 1.5, 1,5s, 1500ms or 1min, in lower case. What is over an hour is an hour.
func readLength(s string) (time.Duration, bool) {
	digits := strings.TrimLeft(s, "0123456789.,")
	number := strings.ReplaceAll(s[:len(s)-len(digits)], ",", ".")
	var unit time.Duration
	switch digits {
	case "", "s", "sec", "secs", "second", "seconds":
		unit = time.Second
	case "ms", "millisecond", "milliseconds":
		unit = time.Millisecond
	case "m", "min", "mins", "minute", "minutes":
		unit = time.Minute
	case "h", "hour", "hours":
		unit = time.Hour
	default:
		return 0, false
	}
	value, err := strconv.ParseFloat(number, 64)
	return time.Duration(min(value, float64(time.Hour)/float64(unit)) * float64(unit)), err == nil
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
