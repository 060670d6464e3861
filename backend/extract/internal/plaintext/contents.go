package plaintext

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/chapter"
	"github.com/voicewright/voicewright/backend/pattern"
)

// minRun is how many headings without text between them are a table of contents.
const minRun = 3

// findContents names the printed table of contents: headings without text between them, before the first one with text.
func (d *divider) findContents() {
	d.lastKey, d.lastTitled = map[string]int{}, map[int]int{}
	for k, e := range d.entries {
		d.lastKey[e.key] = k
		if e.titled && e.value > 0 {
			d.lastTitled[e.value] = k
		}
	}
	for from := 0; from < len(d.entries); from++ {
		to := from
		for to < len(d.entries) && !d.hasText(d.entries[to].at+1, d.textEnd(to)) {
			to++
		}
		if to-from >= minRun-1 && d.isContents(from, to) {
			d.dropContents(from, to)
			return
		}
		if from = to; from < len(d.entries) && d.entries[from].group == byWord {
			return // the text has begun
		}
	}
}

// isContents reports whether the entries from one up to another, and the one behind them, are a table of contents.
func (d *divider) isContents(from, to int) bool {
	if d.isBelowContents(d.entries[from].at) {
		return true
	}
	words, again, count := 0, 0, min(to+1, len(d.entries))-from
	for _, e := range d.entries[from : from+count] {
		if e.group == byWord && e.rank == chapter.Chapter {
			words++
		}
		if d.recurs(e, to) {
			again++
		}
	}
	listed := d.recurs(d.entries[from], to) && 2*again >= count
	return count >= minRun && (listed || words >= minRun && to-from >= minRun && to < len(d.entries))
}

// isBelowContents reports whether a paragraph follows a line such as "Contents".
func (d *divider) isBelowContents(at int) bool {
	for i := at - 1; i >= max(0, at-3); i-- {
		if p := d.all[i]; len(p.Lines) == 1 && chapter.IsContents(plain(p.Lines[0])) {
			return true
		}
		if !d.isTitle(i) {
			return false
		}
	}
	return false
}

// recurs reports whether the heading of an entry comes again behind entry number after.
func (d *divider) recurs(e *entry, after int) bool {
	return d.lastKey[e.key] > after || e.titled && e.value > 0 && d.lastTitled[e.value] > after
}

// dropContents takes a table of contents out of the entries and sets its class.
func (d *divider) dropContents(from, to int) {
	if to < len(d.entries) && d.recurs(d.entries[to], to) {
		to++ // text follows the last entry, such as a preface
	}
	for to > from && d.entries[to-1].rank != chapter.Chapter && !d.recurs(d.entries[to-1], to-1) {
		to-- // the first part begins
	}
	if to == from {
		return
	}
	first, last := d.entries[from].at, d.entries[to-1].at
	for first > 0 && d.isContentsLine(first-1) {
		first--
	}
	titles := 0 // below the last entry, as below the others
	if to-from > 1 {
		titles = min(2, d.entries[to-1].at-d.entries[to-2].at-1)
	}
	for ; titles > 0 && last+1 < d.textEnd(to-1) && d.isTitle(last+1); titles-- {
		last++
	}
	for i := first; i <= last; i++ {
		d.all[i].Class = backend.ClassContents
	}
	d.entries = slices.Delete(d.entries, from, to)
}

// isContentsLine reports whether a paragraph is the heading of the table of contents.
func (d *divider) isContentsLine(i int) bool {
	return len(d.all[i].Lines) == 1 && chapter.IsContents(plain(d.all[i].Lines[0]))
}

// leader matches the dots and the page number at the end of a line of a table of contents.
var leader = pattern.New(`(?:\s*(?:\.\s?){2,}|\s*…+|\s{2,}|\t)\s*(?:\d{1,4}|[ivxlc]{1,7})?\s*$`)

// findListed finds the titles below a line such as "Contents" which have no word or number, and the headings that they list.
func (d *divider) findListed() {
	at := slices.IndexFunc(d.all, func(p Paragraph) bool {
		return p.Class == "" && len(p.Lines) == 1 && chapter.IsContents(plain(p.Lines[0]))
	})
	if at < 0 {
		return
	}
	listed, end := map[string]bool{}, at+1
	for end < len(d.all) && d.all[end].Class == "" && d.addTitles(end, listed) {
		end++
	}
	found := d.listed(listed, end)
	if 2*len(found) < len(listed) || len(listed) < minRun || len(found) < 2 {
		return
	}
	for i := at; i < end; i++ {
		d.all[i].Class = backend.ClassContents
	}
	others := slices.DeleteFunc(d.entries, func(e *entry) bool { return e.at < end || found[e.at] != nil && e.group != byWord })
	for _, e := range others {
		delete(found, e.at)
	}
	d.entries = slices.AppendSeq(others, maps.Values(found))
	slices.SortFunc(d.entries, func(a, b *entry) int { return cmp.Compare(a.at, b.at) })
}

// listed returns the headings behind a table of contents that are in it, by their paragraphs.
func (d *divider) listed(titles map[string]bool, end int) map[int]*entry {
	found := map[int]*entry{}
	for i, p := range d.all[end:] {
		if p.Class == "" && len(p.Lines) == 1 && titles[normal(p.Lines[0])] {
			found[end+i] = &entry{at: end + i, group: byList, rank: chapter.Chapter, key: normal(p.Lines[0]), titled: true}
		}
	}
	return found
}

// addTitles adds the lines of a paragraph to the titles of a table of contents, and reports whether it belongs to it: all lines are
// titles, and none of them is listed already.
func (d *divider) addTitles(i int, listed map[string]bool) bool {
	var titles []string
	for _, line := range d.all[i].Lines {
		line = leader.ReplaceAllString(plain(line), "")
		title := normal(line)
		if title == "" || listed[title] || !chapter.IsTitle(strings.TrimSpace(line)) {
			return false
		}
		titles = append(titles, title)
	}
	for _, title := range titles {
		listed[title] = true
	}
	return true
}
