package prose

import (
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend/text"
)

// Merge makes the changes from base to theirs in the parts of a chapter, paragraph by paragraph. Paragraphs that it has no longer stay
// without.
func Merge(base, theirs string, parts []string) string {
	before, after := paragraphs(base), paragraphs(theirs)
	ours := paragraphs(strings.Join(parts, "\n\n"))
	place := map[string][]string{} // what is in the place of a paragraph
	var first []string             // what is new before all others
	last := ""                     // the nearest paragraph before that is there
	put := func(old string, now ...string) {
		if slices.Contains(ours, old) {
			last, place[old] = old, now
		}
	}
	for _, edit := range text.Diff(before, after) {
		switch edit.Kind {
		case text.Same, text.Moved:
			put(before[edit.Old], before[edit.Old])
		case text.Changed:
			put(before[edit.Old], after[edit.New])
		case text.Removed:
			put(before[edit.Old])
		case text.Added:
			if last == "" {
				first = append(first, after[edit.New])
			} else {
				place[last] = append(place[last], after[edit.New])
			}
		}
	}
	out := first
	for _, p := range ours {
		changed, ok := place[p]
		if !ok {
			changed = []string{p}
		}
		out = append(out, changed...)
		delete(place, p) // a paragraph that is there twice
	}
	return strings.Join(out, "\n\n")
}
