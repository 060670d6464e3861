package plaintext

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/chapter"
)

// Paragraph is a part of a text between blank lines, or a block of a document that has no headings of its own.
type Paragraph struct {
	Lines  []string
	Blanks int // lines before it
	Class  backend.TextClass
	Block  *backend.Block // what it is; nil for what its lines are
}

// Divide returns the paragraphs of a text as blocks. The lines with which chapters begin are headings: a word such as chapter with
// a number, numbers that count up, usual names, and the titles of a printed table of contents, which itself begins nothing.
func Divide(paragraphs []Paragraph) []backend.Block {
	d := &divider{all: split(paragraphs)}
	d.find()
	d.findContents()
	d.findListed()
	d.numerals()
	d.gaps()
	d.names()
	d.titles()
	return d.blocks()
}

// divider finds the headings of a text.
type divider struct {
	all     []Paragraph
	entries []*entry // in the order of the text

	lastKey    map[string]int // the last of the entries with a key
	lastTitled map[int]int    // and with a number and a title, by the number
}

// group is why a line may be a heading.
type group int

const (
	byWord group = iota
	byName
	byTitledNumber // "4. The Storm"
	byNumber
	byList // it is in the table of contents
	byGap  // many blank lines are before it
)

// entry is a line that may be a heading.
type entry struct {
	at     int // its paragraph
	group  group
	roman  bool
	rank   chapter.Rank
	word   string
	key    string // what is the same in the table of contents
	value  int
	titled bool
	lines  int // paragraphs behind it that are its title
	nested bool
}

// split returns paragraphs of which each line that may be a heading is one of its own.
func split(paragraphs []Paragraph) []Paragraph {
	var out []Paragraph
	width := usualWidth(paragraphs)
	for _, p := range paragraphs {
		if p.Block != nil || p.Class != "" {
			out = append(out, p)
			continue
		}
		lines, blanks := p.Lines, p.Blanks
		for len(lines) > 1 && isEntry(lines[0]) && !goesOn(lines, width) {
			out = append(out, Paragraph{Lines: lines[:1], Blanks: blanks})
			lines, blanks = lines[1:], 0
		}
		out = append(out, Paragraph{Lines: lines, Blanks: blanks})
	}
	return out
}

// goesOn reports whether the first line of a paragraph goes on in the next one, as in a text that begins with "Book I. This whale".
func goesOn(lines []string, width int) bool {
	h, ok := chapter.Parse(plain(lines[0]))
	if !ok {
		h, _ = chapter.Numeral(plain(lines[0]))
	}
	return h.Title != "" && width > 0 && !isEntry(lines[1]) && !breaks(lines[0], strings.TrimSpace(lines[1]), width)
}

// isEntry reports whether a line may be a heading or an entry of a table of contents, or the heading of one.
func isEntry(line string) bool {
	line = plain(line)
	if _, ok := chapter.Parse(line); ok || chapter.Named(line) > 0 || chapter.IsContents(line) {
		return true
	}
	h, n := chapter.Numeral(line)
	return n > 0 && (h.Title == "" || chapter.IsTitle(h.Title))
}

// plain returns a line without the signs that mark it as a heading or as emphasized.
func plain(line string) string {
	return strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "_*#=~"))
}

// find collects all lines that may be headings.
func (d *divider) find() {
	for i, p := range d.all {
		if p.Class != "" || len(p.Lines) != 1 {
			continue
		}
		line := plain(p.Lines[0])
		if h, ok := chapter.Parse(line); ok {
			d.entries = append(d.entries, &entry{
				at: i, group: byWord, rank: h.Rank, word: h.Word, key: h.Word + " " + h.Number, titled: h.Title != "",
			})
			continue
		}
		if rank := chapter.Named(line); rank > 0 {
			d.entries = append(d.entries, &entry{at: i, group: byName, rank: rank, key: normal(line), titled: true})
			continue
		}
		h, n := chapter.Numeral(line)
		if n == 0 || h.Title != "" && !chapter.IsTitle(h.Title) {
			continue
		}
		e := &entry{at: i, group: byNumber, rank: chapter.Chapter, key: h.Number, value: n, roman: h.Number[0] > '9'}
		if h.Title != "" {
			e.group, e.titled, e.key = byTitledNumber, true, h.Number+" "+normal(h.Title)
		}
		d.entries = append(d.entries, e)
	}
}

// normal returns a title in the form in which it is compared.
func normal(title string) string {
	return strings.Join(backend.Words(strings.ToLower(strings.Trim(title, "_*"))), " ")
}

// isTitle reports whether a paragraph can be a title, or a line of a table of contents.
func (d *divider) isTitle(i int) bool {
	p := d.all[i]
	return p.Class == "" && len(p.Lines) == 1 && chapter.IsTitle(p.Lines[0]) && !chapter.IsScene(p.Lines[0])
}

// hasText reports whether between paragraphs there is more than titles.
func (d *divider) hasText(from, to int) bool {
	titles := 0
	for i := from; i < to; i++ {
		if !d.isTitle(i) {
			return true
		}
		titles++
	}
	return titles > 2
}

// textEnd returns the paragraph up to which the text of an entry goes.
func (d *divider) textEnd(k int) int {
	if k+1 < len(d.entries) {
		return d.entries[k+1].at
	}
	return len(d.all)
}

// numerals drops the numbers that do not count chapters up. Numbers in the middle of sentences are those of pages. Numbers are below
// the headings that come before them in this order: words, numbers with a title, numbers alone.
func (d *divider) numerals() {
	above := slices.ContainsFunc(d.entries, func(e *entry) bool { return e.rank == chapter.Chapter && e.group == byWord || e.group == byList })
	keep := map[*entry]bool{}
	for _, g := range []group{byTitledNumber, byNumber} {
		arabic, roman := d.counted(g, false), d.counted(g, true)
		if g == byNumber && d.arePages(arabic) {
			arabic = nil
		}
		styles := [][]*entry{arabic, roman}
		slices.SortFunc(styles, func(a, b []*entry) int { return cmp.Compare(firstAt(a), firstAt(b)) })
		for _, style := range styles {
			for _, e := range style {
				keep[e] = true
				if above || e.nested {
					e.rank = chapter.Section
				}
			}
			above = above || len(style) > 0
		}
	}
	d.entries = slices.DeleteFunc(d.entries, func(e *entry) bool {
		return (e.group == byNumber || e.group == byTitledNumber) && !keep[e]
	})
}

// counted returns the numbers of a group, in digits or Roman numerals, that count chapters up.
func (d *divider) counted(g group, roman bool) []*entry {
	var all []*entry
	for _, e := range d.entries {
		if e.group == g && e.roman == roman {
			all = append(all, e)
		}
	}
	return d.sequences(all)
}

// firstAt returns where the first of some entries is.
func firstAt(entries []*entry) int {
	if len(entries) == 0 {
		return math.MaxInt
	}
	return entries[0].at
}

// minWords are between two numbers of chapters at least, so that items of lists are none.
const minWords = 20

// sequences returns the entries that count up from 1, at least to 2, with text between them. A sequence between two numbers of another
// one is below it.
func (d *divider) sequences(entries []*entry) []*entry {
	var out []*entry
	var open [][]*entry // the innermost last
	end := func(below bool) {
		run := open[len(open)-1]
		open = open[:len(open)-1]
		for _, e := range run {
			if len(run) > 1 {
				e.nested = below
				out = append(out, e)
			}
		}
	}
	for _, e := range entries {
		at := len(open) - 1
		for at >= 0 && !d.continues(open[at], e) {
			at--
		}
		switch {
		case at >= 0:
			for len(open)-1 > at {
				end(true)
			}
			open[at] = append(open[at], e)
		case e.value == 1 && len(open) < mostLevels:
			open = append(open, []*entry{e})
		}
	}
	for len(open) > 0 {
		end(false)
	}
	slices.SortFunc(out, func(a, b *entry) int { return cmp.Compare(a.at, b.at) })
	return out
}

// continues reports whether an entry is the next number of a sequence.
func (d *divider) continues(run []*entry, e *entry) bool {
	last := run[len(run)-1]
	return e.value == last.value+1 && d.words(last.at+1, e.at, minWords)
}

// words reports whether between paragraphs there are at least n words.
func (d *divider) words(from, to, n int) bool {
	for i := from; i < to && n > 0; i++ {
		for _, line := range d.all[i].Lines {
			n -= len(strings.Fields(line))
			if strings.ContainsFunc(line, IsSpaceless) {
				n -= len(line) / 8
			}
		}
	}
	return n <= 0
}

// arePages reports whether numbers are those of pages, because sentences go on behind many of them, and names them.
func (d *divider) arePages(entries []*entry) bool {
	within := 0
	for _, e := range entries {
		if e.at > 0 && len(d.all[e.at-1].Lines) > 0 && !d.isTitle(e.at-1) && !endsSentence(d.all[e.at-1].Lines[len(d.all[e.at-1].Lines)-1]) {
			within++
		}
	}
	if within == 0 || 4*within < len(entries) {
		return false
	}
	for _, e := range entries {
		d.all[e.at].Class = backend.ClassPageNumbers
	}
	return true
}

// names drops names such as "Introduction" where there are no other headings.
func (d *divider) names() {
	if !slices.ContainsFunc(d.entries, func(e *entry) bool { return e.group != byName }) {
		d.entries = nil
	}
}

// titles finds the paragraphs that are the titles of headings which are only a number, or a word and a number.
func (d *divider) titles() {
	below := 0 // headings with a short line directly below
	for k, e := range d.entries {
		if next := e.at + 1; !e.titled && d.hasNext(k) && d.isShort(next) {
			below++
		}
	}
	usual := 2*below > len(d.entries)
	for k, e := range d.entries {
		next := e.at + 1
		if e.titled || !d.hasNext(k) || d.all[next].Class != "" {
			continue
		}
		p := d.all[next]
		switch {
		case d.isTitle(next), usual && d.isShort(next):
			e.lines = 1
		case p.Blanks == 0 && len(p.Lines) <= 3 && d.all[next+1].Blanks > 0 && allTitles(p.Lines):
			e.lines = 1
		}
	}
}

// hasNext reports whether a paragraph follows an entry that is no other entry, and another paragraph follows that one.
func (d *divider) hasNext(k int) bool {
	next := d.entries[k].at + 1
	return next < d.textEnd(k) && next+1 < len(d.all)
}

// isShort reports whether a paragraph is a short line directly below a heading, with a blank line behind it.
func (d *divider) isShort(i int) bool {
	const mostWords = 8
	p := d.all[i]
	return p.Class == "" && p.Blanks == 0 && len(p.Lines) == 1 && len(strings.Fields(p.Lines[0])) <= mostWords && d.all[i+1].Blanks > 0
}

func allTitles(lines []string) bool {
	for _, line := range lines {
		if !chapter.IsTitle(line) {
			return false
		}
	}
	return true
}

// DivideBlocks returns blocks without headings with the chapters that their words begin.
func DivideBlocks(given []backend.Block) []backend.Block {
	var all []Paragraph
	for i := range given {
		p := Paragraph{Block: &given[i], Blanks: 1}
		if b := given[i]; b.Kind == backend.BlockParagraph && len(b.Spans) == 1 && b.Spans[0].Class == "" {
			p.Lines = []string{b.Spans[0].Text}
		}
		all = append(all, p)
	}
	return Divide(all)
}
