package books

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books/prose"
)

// maxTitle is the longest title of a chapter, in characters.
const maxTitle = backend.MaxBookDetail

// ChapterPatch changes the given fields of a chapter only.
type ChapterPatch struct {
	Title   *string              `json:"title,omitempty" minLength:"1" maxLength:"1000"`
	Skipped *bool                `json:"skipped,omitempty" doc:"true: the chapter is not part of the audiobook"`
	Options *backend.BookOptions `json:"options,omitempty" doc:"replace those of the chapter; empty fields are those of the book"`
}

// ChangeChapter changes a chapter. Errors: not_found, ValidationError, profile_not_found.
func (s *Service) ChangeChapter(ctx context.Context, id, chapter string, patch ChapterPatch) (View, error) {
	if patch.Options != nil {
		if err := s.checkOptions(ctx, patch.Options); err != nil {
			return View{}, err
		}
	}
	return s.editChapter(ctx, id, chapter, func(e *edition, i int, blocks []backend.Block) error {
		c := &e.Chapters[i]
		if patch.Skipped != nil {
			c.Skipped, c.Wanted = *patch.Skipped, c.Wanted && !*patch.Skipped
		}
		if patch.Options != nil {
			c.Options = *patch.Options
		}
		if patch.Title != nil {
			return e.rename(c, blocks, *patch.Title)
		}
		e.refresh(c, blocks)
		return nil
	})
}

// editChapter is edit with the index and the text of a chapter.
func (s *Service) editChapter(
	ctx context.Context, id, chapter string, change func(e *edition, i int, blocks []backend.Block) error,
) (View, error) {
	return s.edit(ctx, id, func(e *edition) error {
		i, err := e.chapter(chapter)
		if err != nil {
			return err
		}
		blocks, err := e.blocks(ctx, e.Chapters[i].Text)
		if err != nil {
			return err
		}
		return change(e, i, slices.Clone(blocks))
	})
}

// checkTitle returns a title without needless white space. Error: ValidationError.
func checkTitle(title string) (string, error) {
	title = backend.OneLine(title)
	switch n := utf8.RuneCountInString(title); {
	case n == 0:
		return "", backend.Invalid("string_too_short", "String should have at least 1 character", "body", "title")
	case n > maxTitle:
		return "", backend.Invalid("string_too_long", "String should have at most 1000 characters", "body", "title")
	}
	return title, nil
}

// rename changes the title of a chapter, and the heading that its text begins with.
func (e *edition) rename(c *backend.BookChapter, blocks []backend.Block, title string) error {
	title, err := checkTitle(title)
	if err != nil {
		return err
	}
	former := c.Title
	c.Title, c.Renamed = title, true
	if len(blocks) == 0 {
		e.setBlocks(c, blocks)
		return nil
	}
	blocks[0].Begins = e.begin(blocks[0], title, c.Level)
	if at := slices.IndexFunc(blocks, hasText); at >= 0 && blocks[at].Kind == backend.BlockHeading {
		for end := at + 1; end < len(blocks) && blocks[end].Kind == backend.BlockHeading && len(blocks[end].Begins) == 0 &&
			strings.Contains(former, backend.OneLine(prose.Plain(blocks[end]))); {
			blocks = slices.Delete(blocks, end, end+1)
		}
		written := []backend.Span{{Text: title, Markup: true}}
		blocks[at].Spans = append(written, prose.Silent(blocks[at].Spans, c.Options.Over(e.Options))...)
	}
	e.setBlocks(c, blocks)
	return nil
}

// begin returns the entries of the table of contents with which a block begins a chapter of this title.
func (e *edition) begin(b backend.Block, title string, level int) []backend.Section {
	return append([]backend.Section{{Title: title, Level: min(level, e.Depth)}}, e.deeper(b)...)
}

// deeper returns the entries that begin with a block below the depth of the book.
func (e *edition) deeper(b backend.Block) []backend.Section {
	return slices.DeleteFunc(slices.Clone(b.Begins), func(s backend.Section) bool { return s.Level <= e.Depth })
}

func hasText(b backend.Block) bool { return prose.HasWords([]backend.Block{b}) }

// EditBlock replaces the text of a block of a chapter; an empty one removes it. Errors: not_found, ValidationError.
func (s *Service) EditBlock(ctx context.Context, id, chapter string, block int, text string) (View, error) {
	if utf8.RuneCountInString(text) > MaxCharacters {
		return View{}, backend.Invalid("string_too_long", "String should have at most 2000000 characters", "body", "text")
	}
	return s.editChapter(ctx, id, chapter, func(e *edition, i int, blocks []backend.Block) error {
		if err := checkBlock(block, 0, len(blocks)); err != nil {
			return err
		}
		text = prose.Lines(text)
		c := &e.Chapters[i]
		silent := prose.Silent(blocks[block].Spans, c.Options.Over(e.Options))
		if blocks[block].Spans = silent; text != "" {
			blocks[block].Spans = append([]backend.Span{{Text: text, Markup: true}}, silent...)
		}
		if len(blocks[block].Spans) == 0 && blocks[block].Kind != backend.BlockScene && len(blocks) > 1 {
			begins := blocks[block].Begins
			blocks = slices.Delete(blocks, block, block+1)
			next := min(block, len(blocks)-1)
			blocks[next].Begins = append(slices.Clone(begins), blocks[next].Begins...)
		}
		e.setBlocks(c, blocks)
		return nil
	})
}

// checkBlock returns a ValidationError unless n is at least first and below end.
func checkBlock(n, first, end int) error {
	switch {
	case n < first:
		return backend.Invalid("greater_than_equal", "Input should be greater than or equal to "+strconv.Itoa(first), "body", "block")
	case n >= end:
		return backend.Invalid("less_than", "Input should be less than "+strconv.Itoa(end), "body", "block")
	}
	return nil
}

// Split makes a chapter of the blocks of another one from an index on. Without a title it is that of the block where it is a heading.
// Errors: not_found, ValidationError.
func (s *Service) Split(ctx context.Context, id, chapter string, block int, title string) (View, error) {
	return s.editChapter(ctx, id, chapter, func(e *edition, i int, blocks []backend.Block) error {
		if err := checkBlock(block, 1, len(blocks)); err != nil {
			return err
		}
		if len(e.Chapters) >= MaxChapters {
			return backend.Invalid("too_long", "A book has at most 10000 chapters", "body", "block")
		}
		c := &e.Chapters[i]
		second := backend.BookChapter{ID: e.newID(), Level: c.Level, Options: c.Options, Skipped: c.Skipped, Wanted: c.Wanted}
		others := slices.Clone(blocks[block:])
		title, err := checkTitle(cmp.Or(backend.OneLine(title), nameOf(others[0]), c.Title+" (2)"))
		if err != nil {
			return err
		}
		second.Title, second.Language, c.Accepted = title, languageOf(others), nil // the price was that of both
		others[0].Begins = e.begin(others[0], title, c.Level)
		e.setBlocks(c, blocks[:block])
		e.setBlocks(&second, others)
		e.Chapters = slices.Insert(e.Chapters, i+1, second)
		return nil
	})
}

// nameOf returns the title of a chapter that begins with a block, empty where it has none.
func nameOf(b backend.Block) string {
	for _, s := range b.Begins {
		if s.Title != "" {
			return backend.OneLine(s.Title)
		}
	}
	if b.Kind != backend.BlockHeading {
		return ""
	}
	title := []rune(backend.OneLine(prose.Plain(b)))
	return string(title[:min(len(title), maxTitle)])
}

// Merge joins a chapter with the next one. Errors: not_found, ValidationError for the last one.
func (s *Service) Merge(ctx context.Context, id, chapter string) (View, error) {
	return s.editChapter(ctx, id, chapter, func(e *edition, i int, blocks []backend.Block) error {
		if i+1 >= len(e.Chapters) {
			return backend.Invalid("value_error", "The last chapter has no next one", "path", "chapter_id")
		}
		c, next := &e.Chapters[i], e.Chapters[i+1]
		if err := e.checkMerge(*c, next); err != nil {
			return err
		}
		others, err := e.blocks(ctx, next.Text)
		if err != nil {
			return err
		}
		others = slices.Clone(others)
		if len(others) > 0 {
			others[0].Begins = e.deeper(others[0])
		}
		c.Parts = slices.Concat(c.Parts, next.Parts)
		c.Wanted, c.Accepted = c.Wanted || next.Wanted, nil // neither price is that of both
		if c.Language != next.Language {
			c.Language = ""
		}
		e.setBlocks(c, append(blocks, others...))
		e.Chapters = slices.Delete(e.Chapters, i+1, i+2)
		return nil
	})
}

// checkMerge returns a ValidationError for chapters of which one would be spoken otherwise than before.
func (e *edition) checkMerge(c, next backend.BookChapter) error {
	a, b := c.Options.Over(e.Options), next.Options.Over(e.Options)
	switch a.ProfileName, b.ProfileName = "", ""; {
	case c.Skipped != next.Skipped:
		return backend.Invalid("value_error", "One of the chapters is skipped: skip both or none, then merge them", "path", "chapter_id")
	case !reflect.DeepEqual(a, b):
		return backend.Invalid("value_error", "The chapters have different options: give both the same, then merge them", "path", "chapter_id")
	}
	return nil
}

// Move moves a chapter to a position, from 0. Errors: not_found, ValidationError.
func (s *Service) Move(ctx context.Context, id, chapter string, to int) (View, error) {
	return s.edit(ctx, id, func(e *edition) error {
		i, err := e.chapter(chapter)
		if err != nil {
			return err
		}
		if to < 0 || to >= len(e.Chapters) {
			return backend.Invalid("value_error", "Input should be a position of a chapter", "body", "to")
		}
		c := e.Chapters[i]
		e.Chapters = slices.Insert(slices.Delete(e.Chapters, i, i+1), to, c)
		return nil
	})
}

// Undo takes the last change of chapters, options or depth back. Sound that was generated since stays where it fits.
// Errors: not_found, nothing_to_undo.
func (s *Service) Undo(ctx context.Context, id string) (View, error) {
	var spare []string
	err := func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if _, err := s.stored(ctx, id); err != nil {
			return err
		}
		_, err := s.o.Store.UndoBook(ctx, id, restore)
		if err == nil {
			spare = runner{s}.spare(ctx, id)
		}
		return err
	}()
	if err != nil {
		return View{}, err
	}
	runner{s}.discard(ctx, id, spare)
	s.notify(id)
	return s.Book(ctx, id)
}

// restore puts a book back into a former state.
func restore(b *backend.Book, to backend.BookState) {
	now, spoken := map[string]backend.BookChapter{}, map[string]backend.BookPart{}
	for _, c := range b.Chapters {
		now[c.ID] = c
		for _, p := range c.Parts {
			spoken[p.Generation] = p
		}
	}
	b.Depth, b.Depths, b.Options, b.Source, b.Chapters = to.Depth, to.Depths, to.Options, to.Source, to.Chapters
	b.Dictionary = to.Dictionary
	if to.Samples != nil { // a state of an older version has none
		b.Samples = to.Samples
	}
	for i := range b.Chapters {
		c := &b.Chapters[i]
		last := now[c.ID]
		same := slices.Equal(last.Asks, c.Asks)
		if c.Wanted, c.Again, c.Failure = last.Wanted && !c.Skipped, last.Again, nil; same {
			c.Failure = last.Failure
		}
		c.Accepted = last.Accepted
		c.Parts = slices.Clone(c.Parts)
		for i, p := range c.Parts { // what the Studio made of it since is known
			if is, ok := spoken[p.Generation]; ok {
				c.Parts[i].Version, c.Parts[i].Text = is.Version, is.Text
			}
		}
		if len(c.Parts) == 0 || current(b, c, last.Parts) { // former sound is a donor at least
			c.Parts = last.Parts
		}
		c.Pending = slices.DeleteFunc(slices.Clone(last.Pending), func(p backend.BookPart) bool { return !asksFor(b, c, p) })
	}
}
