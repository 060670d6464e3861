package books

import (
	"cmp"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books/prose"
)

// recut replaces the chapters of a book by those of blocks. A chapter that was there before keeps its id, its options and its sound.
func (e *edition) recut(blocks []backend.Block, before *prose.Former) (from []int) {
	cuts := prose.Cut(blocks, e.Depth, e.Title)
	from = slices.Repeat([]int{-1}, len(cuts))
	if before != nil {
		from = before.Match(cuts)
	}
	wanted := before.Wanted()
	e.Chapters = nil
	for i, c := range cuts {
		chapter := backend.BookChapter{Title: cmp.Or(c.Title, e.Title), Level: c.Level, Language: languageOf(c.Blocks)}
		renamed := ""
		if from[i] >= 0 {
			old := before.Chapters[from[i]]
			chapter.ID, chapter.Options, chapter.Skipped = old.ID, old.Options, old.Skipped
			chapter.Parts, chapter.Pending, chapter.Wanted, chapter.Accepted = old.Parts, old.Pending, old.Wanted, old.Accepted
			if old.Renamed {
				renamed = old.Title
			}
		} else {
			chapter.ID = e.newID()
			chapter.Wanted = slices.ContainsFunc(c.Blocks, func(b backend.Block) bool { return wanted[prose.Plain(b)] })
		}
		if renamed == "" || e.rename(&chapter, slices.Clone(c.Blocks), renamed) != nil {
			e.setBlocks(&chapter, c.Blocks)
		}
		e.Chapters = append(e.Chapters, chapter)
	}
	return from
}

// languageOf returns the language that the file states for all words of a chapter, empty where that is the one of the book.
func languageOf(blocks []backend.Block) string {
	language, found := "", false
	for _, b := range blocks {
		switch {
		case !hasText(b):
		case found && b.Language != language:
			return ""
		default:
			language, found = b.Language, true
		}
	}
	return language
}
