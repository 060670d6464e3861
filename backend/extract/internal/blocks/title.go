package blocks

import (
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
