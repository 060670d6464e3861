package prose

import (
	"strings"

	"github.com/voicewright/voicewright/backend/text"
)

// Merge makes the changes from base to theirs, which are the later ones, in the parts of a chapter, which were changed since base, too,
// paragraph by paragraph: a paragraph that both changed is theirs. elsewhere is asked to change a paragraph that is not in the parts
// any longer; where it cannot, it is added.
func Merge(base, theirs string, parts []string, elsewhere func(old, now string) bool) string {
	before, after := paragraphs(base), paragraphs(theirs)
	ours := paragraphs(strings.Join(parts, "\n\n"))
	counterpart := make([]int, len(before)) // of a paragraph, in ours from 1; 0 where it has none
	for _, edit := range text.Diff(before, ours) {
		if edit.Old >= 0 && edit.New >= 0 {
			counterpart[edit.Old] = edit.New + 1
		}
	}
	out := make([][]string, len(ours)+1) // what is in the place of each, from 1; 0 is before all others
	for i, p := range ours {
		out[i+1] = []string{p}
	}
	last := 0 // the paragraph before
	for _, edit := range text.Diff(before, after) {
		at := 0
		if edit.Old >= 0 {
			at = counterpart[edit.Old]
		}
		switch {
		case edit.Kind == text.Removed && at > 0:
			out[at] = nil
		case edit.Kind == text.Changed && at > 0:
			out[at] = []string{after[edit.New]}
		case edit.Kind == text.Added, edit.Kind == text.Changed && !elsewhere(before[edit.Old], after[edit.New]):
			out[last] = append(out[last], after[edit.New])
		}
		if at > 0 {
			last = at
		}
	}
	var all []string
	for _, p := range out {
		all = append(all, p...)
	}
	return strings.Join(all, "\n\n")
}
