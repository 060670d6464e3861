// Package pattern has regular expressions that are compiled when they are first used. The readers of texts have hundreds, of which a
// start of the program needs none: compiling them all would take a fifth of its time.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression, with the methods that package regexp has for one. It is safe for concurrent use.
type Pattern struct{ get func() *regexp.Regexp }

// New returns the pattern of an expression. The first use panics where that is invalid.
func New(expression string) *Pattern {
	return &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
}

// MatchString reports whether s has a match.
func (p *Pattern) MatchString(s string) bool { return p.get().MatchString(s) }

// FindString returns the leftmost match in s, "" for none.
func (p *Pattern) FindString(s string) string { return p.get().FindString(s) }

// FindStringSubmatch returns the leftmost match in s and its groups, nil for none.
func (p *Pattern) FindStringSubmatch(s string) []string { return p.get().FindStringSubmatch(s) }

// FindSubmatch returns the leftmost match in b and its groups, nil for none.
func (p *Pattern) FindSubmatch(b []byte) [][]byte { return p.get().FindSubmatch(b) }

// FindAllStringIndex returns where up to n matches in s are, all with -1.
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.get().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch returns up to n matches in s with their groups, all with -1.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.get().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex returns where up to n matches in s with their groups are, all with -1.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.get().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString replaces the matches in s; $1 in replacement is a group.
func (p *Pattern) ReplaceAllString(s, replacement string) string {
	return p.get().ReplaceAllString(s, replacement)
}

// ReplaceAllLiteralString replaces the matches in s by replacement as it is.
func (p *Pattern) ReplaceAllLiteralString(s, replacement string) string {
	return p.get().ReplaceAllLiteralString(s, replacement)
}

// ReplaceAllStringFunc replaces each match in s by what replacement returns for it.
func (p *Pattern) ReplaceAllStringFunc(s string, replacement func(string) string) string {
	return p.get().ReplaceAllStringFunc(s, replacement)
}

// Split divides s at its matches into up to n parts, all with -1.
func (p *Pattern) Split(s string, n int) []string { return p.get().Split(s, n) }
