// Package markup finds the markup of a text: pauses, respellings, expressions, SSML and simple HTML.
package markup

import (
	"strconv"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend/pattern"
)

// The longest pause, and that of `[pause]` alone.
const (
	maxPause     = 60 * time.Second
	defaultPause = 500 * time.Millisecond
)

// Longest is how long a piece of markup can be, in bytes. Longer ones are ordinary text.
const Longest = 1000

// Kind is what a piece of markup does.
type Kind int

// The kinds of markup.
const (
	Pause      Kind = iota + 1 // [pause 0.5s], <break time="500ms"/>
	Inline                     // <emphasis>: not spoken, the text around it stays together
	Block                      // <p>: not spoken, it separates the text around it
	Expression                 // [laughs], <whisper>
	Respelling                 // [[word|respelling]], [[word|/ipa/]]
	Raw                        // [[anything]]: passed on to the engine
)

// Markup is one piece of markup in a text.
type Markup struct {
	Kind       Kind
	Size       int           // bytes
	Pause      time.Duration // of a Pause, 0 to 60 s
	Shortened  bool          // of a Pause: more than 60 s was asked for
	Name       string        // of an Expression: its meaning, whatever its form, empty for an unknown one; of Inline and Block: the element
	Word       string        // of a Respelling: as it is written
	Respelling string        // of a Respelling: as it is spoken, or /ipa/
}

// Next returns the first markup in s and where it begins. Markup that is not closed is ordinary text.
func Next(s string) (start int, m Markup, ok bool) {
	for at := 0; ; {
		i := strings.IndexAny(s[at:], "[<")
		if i < 0 {
			return 0, Markup{}, false
		}
		start = at + i
		if m, ok := Read(s[start:]); ok {
			return start, m, true
		}
		at = start + 1
	}
}

// Replace returns s with each piece of markup replaced by what replace returns for it. source is the markup as it is
// written.
func Replace(s string, replace func(m Markup, source string) string) string {
	var out strings.Builder
	out.Grow(len(s))
	for {
		at, m, ok := Next(s)
		if !ok {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(s[:at])
		out.WriteString(replace(m, s[at:at+m.Size]))
		s = s[at+m.Size:]
	}
}

// Outside returns s with what is beside markup replaced by what replace returns for it.
func Outside(s string, replace func(string) string) string {
	var out strings.Builder
	out.Grow(len(s))
	for {
		at, m, ok := Next(s)
		if !ok {
			out.WriteString(replace(s))
			return out.String()
		}
		out.WriteString(replace(s[:at]))
		out.WriteString(s[at : at+m.Size])
		s = s[at+m.Size:]
	}
}

// Read returns the markup that s begins with.
func Read(s string) (Markup, bool) {
	if len(s) < len("<p>") || s[0] != '[' && s[0] != '<' {
		return Markup{}, false
	}
	s = s[:min(len(s), Longest)]
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

// readDouble returns the markup in double brackets. Its content has no brackets and is more than white space.
func readDouble(s string) (Markup, bool) {
	content, _, found := strings.Cut(s[2:], "]]")
	if !found || strings.ContainsAny(content, "[]") || strings.TrimSpace(content) == "" {
		return Markup{}, false
	}
	m := Markup{Kind: Raw, Size: len(content) + 4}
	word, respelling, found := strings.Cut(content, "|")
	if !found {
		return m, true
	}
	m.Kind, m.Word, m.Respelling = Respelling, strings.TrimSpace(word), strings.TrimSpace(respelling)
	if m.Respelling == "" {
		m.Respelling = m.Word
	}
	return m, true
}

// IPA returns the phonemes of a respelling with slashes such as /həlˈoʊ/.
func IPA(respelling string) (phonemes string, ok bool) {
	if len(respelling) < 3 || respelling[0] != '/' || respelling[len(respelling)-1] != '/' {
		return "", false
	}
	phonemes = strings.TrimSpace(respelling[1 : len(respelling)-1])
	return phonemes, phonemes != ""
}

// pauseForm is `[pause 0.5s]`, `[pause: 0.5s]` or `[pause=0.5s]`, with the length as a group. It ends on its line.
var pauseForm = pattern.New(`(?i)^\[[ \t]*pause(|[^][\pL\pN\n\r][^][\n\r]*)\]`)

// readPause returns the pause that s begins with, such as `[pause 0.5s]`. Its length is a number with a point or a comma in
// seconds, the default unit, milliseconds, minutes or hours; over 60 s is 60 s, and none is half a second. Case and white
// space around the parts do not matter, and a colon or = may stand before the length. A length that cannot be read makes it
// an expression without a name. Brackets that do not close on their line are text.
func readPause(s string) (Markup, bool) {
	form := pauseForm.FindStringSubmatch(s)
	if form == nil {
		return Markup{}, false
	}
	m := Markup{Kind: Pause, Size: len(form[0]), Pause: defaultPause}
	length := strings.TrimLeft(strings.ToLower(strings.TrimSpace(form[1])), ":=")
	fields := strings.Fields(length)
	if len(fields) == 0 {
		return m, true
	}
	ok := len(fields) == 1 || len(fields) == 2 && isNumber(fields[0])
	if ok {
		m.Pause, ok = readLength(strings.Join(fields, ""))
	}
	if !ok {
		return Markup{Kind: Expression, Size: m.Size}, true
	}
	m.shorten()
	return m, true
}

// shorten limits the pause to the longest one.
func (m *Markup) shorten() { m.Pause, m.Shortened = min(m.Pause, maxPause), m.Pause > maxPause }

func isNumber(s string) bool { return strings.TrimLeft(s, "0123456789.,") == "" }

// readLength returns the length 1.5, 1,5s, 1500ms or 1min, in lower case. Over an hour is an hour.
func readLength(s string) (time.Duration, bool) {
	name := strings.TrimLeft(s, "0123456789.,")
	number := strings.ReplaceAll(s[:len(s)-len(name)], ",", ".")
	var unit time.Duration
	switch name {
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
