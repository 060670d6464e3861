package dictionary

import "strings"

// Lines returns the dictionary as text.
func (d *Dictionary) Lines() string { return d.lines }

// NumberWords returns the words of a number at the start of its group, without its ending's sound.
func NumberWords(word string) string {
	n, _ := parseNumber(word, "", true)
	return strings.Join(n.words(), " ")
}
