package classes

import (
	"math"
	"slices"

	"github.com/voicewright/voicewright/backend"
)

// place is where a part of a book is: before the first chapter of the work, behind the last one, or neither.
type place struct {
	before, behind bool
}

// work is where the chapters of the work are.
type work struct {
	first, last int   // the blocks that begin the first and the last chapter
	outer       []int // of each block: the block that begins the part of the highest level around it
}

// place returns where the part is that begins with a block. What is within the last chapter is not behind it.
func (w work) place(i int) place { return place{i < w.first, w.outer[i] > w.last} }

// stretch is the text from one title to the next.
type stretch struct {
	start, words   int
	titled, beside bool // beside: a preface or the like
}

// wordsOfChapter is how many words a chapter of the work has at least. In a book of short ones it is a tenth of the longest one.
const wordsOfChapter = 200

// findWork finds the chapters of the work: the first and the last text that is long enough and has a title that says nothing else.
func findWork(all []backend.Block, files map[int]bool) work {
	w := work{first: -1, last: len(all), outer: outerParts(all, files)} // nothing is before or behind it
	found := stretches(all, files)
	for _, beside := range []bool{false, true} {
		longest := 0
		for _, s := range found {
			if s.beside == beside {
				longest = max(longest, s.words)
			}
		}
		if longest == 0 {
			continue
		}
		first := -1
		for _, s := range found {
			if s.beside != beside || s.words == 0 || s.words < min(wordsOfChapter, longest/10) {
				continue
			}
			if w.last = s.start; first < 0 && s.titled {
				first = s.start
			}
		}
		w.first = max(first, 0)
		break
	}
	return w
}

// stretches returns the texts between titles that can be of the work.
func stretches(all []backend.Block, files map[int]bool) []stretch {
	out := []stretch{{}}
	var p part
	for i := range all {
		b := &all[i]
		p.next(b, files[i], place{true, true})
		titled := len(titlesOf(b)) > 0
		if titled || files[i] {
			out = append(out, stretch{start: i, titled: titled || i > 0 && out[len(out)-1].titled})
		}
		s := &out[len(out)-1]
		s.beside = p.work
		if p.class != "" || b.Kind == backend.BlockHeading {
			continue
		}
		for _, span := range b.Spans {
			if span.Class == "" {
				s.words += len(backend.Words(span.Text))
			}
		}
	}
	return out
}

// outerParts returns for each block the one that begins the chapter around it, by the titles: a part of the highest level at which
// there is more than one.
func outerParts(all []backend.Block, files map[int]bool) []int {
	sections := slices.ContainsFunc(all, func(b backend.Block) bool { return len(b.Begins) > 0 })
	levels := make([][]int, len(all))
	count := map[int]int{}
	var p part
	for i := range all {
		levels[i] = levelsOf(&all[i], files[i], sections)
		if p.next(&all[i], files[i], place{true, true}); p.class == "" && !p.work {
			for _, l := range levels[i] {
				count[l]++
			}
		}
	}
	highest := math.MaxInt
	for l, n := range count {
		if n > 1 {
			highest = min(highest, l)
		}
	}
	out := make([]int, len(all))
	outer := 0
	for i := range all {
		if len(levels[i]) > 0 && levels[i][0] <= highest {
			outer = i
		}
		out[i] = outer
	}
	return out
}

// levelsOf returns the levels of the parts that a block begins. A heading within a section begins none.
func levelsOf(b *backend.Block, file, sections bool) []int {
	var levels []int
	for _, s := range b.Begins {
		levels = append(levels, s.Level)
	}
	switch {
	case len(levels) > 0 || b.Kind != backend.BlockHeading:
	case file:
		levels = []int{1}
	case !sections:
		levels = []int{max(b.Level, 1)}
	}
	return levels
}
