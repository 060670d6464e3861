package prose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// Former are the chapters of a book before it is cut again.
type Former struct {
	Chapters []backend.BookChapter
	Texts    map[string][]backend.Block
	Loose    bool // chapters with similar texts are the same, too, and keep what the user changed
}

// Wanted returns the paragraphs of chapters that are generated: new ones with them are, too.
func (f *Former) Wanted() map[string]bool {
	out := map[string]bool{}
	if f == nil {
		return out
	}
	for _, c := range f.Chapters {
		for _, b := range f.Texts[c.Text] {
			if s := Plain(b); c.Wanted && s != "" {
				out[s] = true
			}
		}
	}
	return out
}

// Match returns the former chapter of each new one, -1 for those without.
func (f *Former) Match(cuts []Chapter) []int {
	from, used := slices.Repeat([]int{-1}, len(cuts)), make([]bool, len(f.Chapters))
	pair := func(i, old int) {
		from[i], used[old] = old, true
	}
	byText := map[string][]int{}
	for i, c := range f.Chapters {
		byText[c.Text] = append(byText[c.Text], i)
	}
	for i, c := range cuts {
		key := backend.NewBookText(c.Blocks).Key
		if same := byText[key]; len(same) > 0 {
			pair(i, same[0])
			byText[key] = same[1:]
		}
	}
	if !f.Loose {
		return from
	}
	for _, o := range f.overlaps(cuts) {
		if from[o.new] < 0 && !used[o.old] {
			pair(o.new, o.old)
		}
	}
	for i, c := range cuts {
		old := slices.IndexFunc(f.Chapters, func(b backend.BookChapter) bool { return b.Title == c.Title })
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
func (f *Former) overlaps(cuts []Chapter) []overlap {
	where := map[string][]int{}
	for i, c := range f.Chapters {
		for _, b := range f.Texts[c.Text] {
			if s := Plain(b); s != "" && !slices.Contains(where[s], i) {
				where[s] = append(where[s], i)
			}
		}
	}
	var out []overlap
	for i, c := range cuts {
		total, shared := 0, map[int]int{}
		for _, b := range c.Blocks {
			s := Plain(b)
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

// Plain returns the text of blocks.
func Plain(blocks ...backend.Block) string {
	var out strings.Builder
	for _, b := range blocks {
		for _, span := range b.Spans {
			out.WriteString(span.Text)
		}
	}
	return out.String()
}
