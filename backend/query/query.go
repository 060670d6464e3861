// Package query finds what is wrong with the query of a request, for both APIs, before a route reads its values.
package query

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// Fault is what is wrong with the values of a name.
type Fault int

// The faults.
const (
	Malformed Fault = iota + 1 // a value that cannot be decoded, or is not text
	Repeated                   // more than one value
)

// Faults returns what is wrong with a query by the names in it. It divides the query itself, as net/url leaves out values with a
// semicolon, those that it cannot decode, and all of a query with more than 10,000.
func Faults(raw string) map[string]Fault {
	faults := map[string]Fault{}
	for pair := range strings.SplitSeq(raw, "&") {
		escaped, value, _ := strings.Cut(pair, "=")
		name, _ := url.QueryUnescape(escaped)
		before, seen := faults[name]
		text, err := url.QueryUnescape(value)
		switch {
		case err != nil || !IsText(text):
			faults[name] = Malformed
		case !seen:
			faults[name] = 0
		case before == 0:
			faults[name] = Repeated
		}
	}
	return faults
}

// Readable returns a query with its semicolons escaped, as net/url leaves out values with one.
func Readable(raw string) string { return strings.ReplaceAll(raw, ";", "%3B") }

// IsText reports whether a value is UTF-8 without NUL.
func IsText(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }
