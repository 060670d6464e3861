package plaintext

import (
	"cmp"
	"slices"

	"github.com/voicewright/voicewright/backend/chapter"
)

// minGap is how many blank lines are before a title that nothing else marks as one.
const minGap = 3

// gaps finds the titles behind several blank lines where no heading of a chapter was found but numbers, which then are below them.
func (d *divider) gaps() {
	have := map[int]bool{}
	for _, e := range d.entries {
		have[e.at] = true
		if e.rank == chapter.Chapter && e.group != byNumber && e.group != byName {
			return
		}
	}
	var found []*entry
	wide := 0
	for i := 1; i+1 < len(d.all); i++ {
		if d.all[i].Blanks < minGap {
			continue
		}
		wide++
		if !have[i] && d.isTitle(i) && d.words(i+1, min(len(d.all), i+minWords), minWords) {
			found = append(found, &entry{at: i, group: byGap, rank: chapter.Chapter, key: normal(d.all[i].Lines[0]), titled: true})
		}
	}
	if len(found) < 2 || 5*wide > len(d.all) && len(d.all) > minWords {
		return
	}
	for _, e := range d.entries {
		if e.group == byNumber {
			e.rank = chapter.Section
		}
	}
	d.entries = append(d.entries, found...)
	slices.SortFunc(d.entries, func(a, b *entry) int { return cmp.Compare(a.at, b.at) })
}
