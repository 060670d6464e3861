package books

import (
	"cmp"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// former are the chapters of a book before it is cut again.
type former struct {
	chapters []backend.BookChapter
	texts    map[string][]backend.Block
	loose    bool // chapters with similar texts are the same, too, and keep what the user changed
}

// recut replaces the chapters of a book by those of blocks. A chapter that was there before keeps its id, its options and its sound.
func (s *Service) recut(e *edition, blocks []backend.Block, before *former) (from []int) {
	cuts := cut(blocks, e.Depth, e.Title)
	from = slices.Repeat([]int{-1}, len(cuts))
	if before != nil {
		from = before.match(cuts)
	}
	wanted := before.wanted()
	e.Chapters = nil
	for i, c := range cuts {
		chapter := backend.BookChapter{Title: cmp.Or(c.title, e.Title), Level: c.level}
		renamed := ""
		if from[i] >= 0 {
			old := before.chapters[from[i]]
			chapter.ID, chapter.Options, chapter.Skipped = old.ID, old.Options, old.Skipped
			chapter.Parts, chapter.Pending, chapter.Wanted = old.Parts, old.Pending, old.Wanted
			if old.Renamed {
				renamed = old.Title
			}
		} else {
			chapter.ID = s.o.NewID()
			chapter.Wanted = slices.ContainsFunc(c.blocks, func(b backend.Block) bool { return wanted[plainBlock(b)] })
		}
		if renamed == "" || e.rename(&chapter, slices.Clone(c.blocks), renamed) != nil {
			e.setBlocks(&chapter, c.blocks)
		}
		e.Chapters = append(e.Chapters, chapter)
	}
	return from
}

// wanted returns the paragraphs of chapters that are generated: new ones with them are, too.
func (f *former) wanted() map[string]bool {
	out := map[string]bool{}
	if f == nil {
		return out
	}
	for _, c := range f.chapters {
		for _, b := range f.texts[c.Text] {
			if s := plainBlock(b); c.Wanted && s != "" {
				out[s] = true
			}
		}
	}
	return out
}

// match returns the former chapter of each new one, -1 for those without.
func (f *former) match(cuts []cutChapter) []int {
	from, used := slices.Repeat([]int{-1}, len(cuts)), make([]bool, len(f.chapters))
	pair := func(i, old int) {
		from[i], used[old] = old, true
	}
	byText := map[string][]int{}
	for i, c := range f.chapters {
		byText[c.Text] = append(byText[c.Text], i)
	}
	for i, c := range cuts {
		key := backend.NewBookText(c.blocks).Key
		if same := byText[key]; len(same) > 0 {
			pair(i, same[0])
			byText[key] = same[1:]
		}
	}
	if !f.loose {
		return from
	}
	for _, o := range f.overlaps(cuts) {
		if from[o.new] < 0 && !used[o.old] {
			pair(o.new, o.old)
		}
	}
	for i, c := range cuts {
		old := slices.IndexFunc(f.chapters, func(b backend.BookChapter) bool { return b.Title == c.title })
		if from[i] < 0 && old >= 0 && !used[old] {
			pair(i, old)
		}
	}
	return from
}

// overlap is how much text two chapters share.
type overlap struct{ new, old, bytes int }

// minShare is the part of a chapter, as 1/minShare, that is in a former one if they are the same.
const minShare = 3

// overlaps returns the chapters that share much of their text, the most first.
func (f *former) overlaps(cuts []cutChapter) []overlap {
	where := map[string][]int{}
	for i, c := range f.chapters {
		for _, b := range f.texts[c.Text] {
			if s := plainBlock(b); s != "" && !slices.Contains(where[s], i) {
				where[s] = append(where[s], i)
			}
		}
	}
	var out []overlap
	for i, c := range cuts {
		total, shared := 0, map[int]int{}
		for _, b := range c.blocks {
			s := plainBlock(b)
			total += len(s)
			for _, old := range where[s] {
				shared[old] += len(s)
			}
		}
		for old, n := range shared {
			if n*minShare >= total {
				out = append(out, overlap{i, old, n})
			}
		}
	}
	slices.SortFunc(out, func(a, b overlap) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.new, b.new), cmp.Compare(a.old, b.old))
	})
	return out
}

// plainBlock returns the text of a block.
func plainBlock(b backend.Block) string {
	var out strings.Builder
	for _, span := range b.Spans {
		out.WriteString(span.Text)
	}
	return out.String()
}
