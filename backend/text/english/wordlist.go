package english

import "strings"

// setOf returns the set of the words that are separated by spaces in lists.
func setOf(lists ...string) map[string]bool {
	set := map[string]bool{}
	for _, list := range lists {
		for w := range strings.FieldsSeq(list) {
			set[w] = true
		}
	}
	return set
}
