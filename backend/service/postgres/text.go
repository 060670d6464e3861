package postgres

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// storable reports whether PostgreSQL can hold a text: it takes neither the character 0 nor what is not UTF-8.
func storable(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

// text returns a text of people as it is stored. What cannot be stored becomes U+FFFD: a title must not keep a call from being charged.
func text(s string) string {
	if storable(s) {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// storableOnly returns those of names that can be in the database.
func storableOnly(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !storable(name) })
}
