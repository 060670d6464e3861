package batch

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/filename"
)

// formulaStart are the characters at which a spreadsheet would run a name as a formula, and what a name does not begin with.
const formulaStart = "=+@＝＋－＠ .-"

// DefaultPattern names the files of rows without a name.
const DefaultPattern = "{row}-{words}"

// maxWords is the number of characters of {words}.
const maxWords = 40

// Names names the files of a list, no two the same.
type Names struct {
	pattern string
	digits  int
	used    filename.Names
}

var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// NewNames returns the names of a list with so many rows. pattern may have {row}, {words}, {name}, {voice} and {language}; "" is
// DefaultPattern. A pattern without {name} is for rows that have no name. Error: one sentence on an unknown placeholder.
func NewNames(pattern string, rows int) (*Names, error) {
	if pattern == "" {
		pattern = DefaultPattern
	}
	values := Row{}.placeholders(0)
	for _, p := range placeholder.FindAllString(pattern, -1) {
		if _, ok := values[p]; !ok {
			return nil, fmt.Errorf("%s is not {row}, {words}, {name}, {voice} or {language}", p)
		}
	}
	return &Names{pattern: pattern, digits: len(strconv.Itoa(rows)), used: filename.Names{}}, nil
}

// Reserve keeps a name from other rows.
func (n *Names) Reserve(name string) { n.used.Unique(name) }

// Next returns the name of a row's file: one that every system accepts, that stays in its folder and that no other row has.
func (n *Names) Next(r Row, format string) string {
	name := r.Name
	if name == "" || strings.Contains(n.pattern, "{name}") {
		values := r.placeholders(n.digits)
		name = placeholder.ReplaceAllStringFunc(n.pattern, func(p string) string { return values[p] })
	}
	name = strings.Join(strings.Fields(norm.NFC.String(name)), " ")
	name = strings.TrimLeft(filename.Safe(name, ""), formulaStart)
	return n.used.Unique(filename.Safe(name, fmt.Sprintf("%0*d", n.digits, r.Number)) + "." + format)
}

// placeholders returns the values of the placeholders of a pattern.
func (r Row) placeholders(digits int) map[string]string {
	return map[string]string{
		"{row}": fmt.Sprintf("%0*d", digits, r.Number), "{words}": backend.FirstWords(r.Text, maxWords),
		"{name}": r.Name, "{voice}": r.Voice, "{language}": r.Language,
	}
}
