package blocks

import (
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/chapter"
)

// BeginBelowTitle is BeginHeadings of a document, whose title may be a heading: the only one at the first level, at the beginning, above
// several of the second. It begins no section, and the others are one level higher.
func BeginBelowTitle(all []backend.Block) (found int) {
	if !hasTitle(all) {
		return BeginHeadings(all, 0)
	}
	for i := range all {
		if b := &all[i]; b.Kind == backend.BlockHeading && i > 0 {
			b.Level--
		}
	}
	return BeginHeadings(all, 1)
}

// BeginBelowTitleOf is BeginBelowTitle of a page, which may have links to other pages before its title. A heading behind text of the work
// is the title only if it has the words of it.
func BeginBelowTitleOf(all []backend.Block, title string) (found int) {
	first := slices.IndexFunc(all, func(b backend.Block) bool { return b.Kind == backend.BlockHeading && backend.Speakable(headingText(b)) })
	if first < 0 {
		return 0
	}
	isBefore := slices.ContainsFunc(all[:first], func(b backend.Block) bool { return backend.Speakable(headingText(b)) })
	words := func(s string) string { return strings.Join(backend.Words(s), " ") }
	if isBefore && !strings.EqualFold(words(headingText(all[first])), words(title)) {
		return BeginHeadings(all, 0)
	}
	return BeginBelowTitle(all[first:])
}

// hasTitle reports whether the first block is the title.
func hasTitle(all []backend.Block) bool {
	if len(all) == 0 || all[0].Kind != backend.BlockHeading || all[0].Level != 1 {
		return false
	}
	if _, ok := chapter.Parse(strings.TrimSpace(headingText(all[0]))); ok {
		return false // such as the first part
	}
	count := map[int]int{}
	for _, b := range all {
		if b.Kind == backend.BlockHeading {
			count[b.Level]++
		}
	}
	return count[1] == 1 && count[2] > 1
}
