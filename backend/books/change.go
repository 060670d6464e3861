package books

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books/prose"
)

// Patch changes the given fields of a book only.
type Patch struct {
	backend.BookDetailsPatch
	Options *backend.BookOptions `json:"options,omitempty" doc:"replace those of the book"`
	Depth   *int                 `json:"depth,omitempty" minimum:"1" doc:"entries of the table of contents down to this level begin a chapter"`
}

// Change changes a book. Another depth cuts it again; chapters whose text stays keep everything. Errors: not_found, ValidationError,
// profile_not_found.
func (s *Service) Change(ctx context.Context, id string, patch Patch) (View, error) {
	if patch.Options != nil {
		if err := s.checkOptions(ctx, patch.Options); err != nil {
			return View{}, err
		}
	}
	undoable := patch.Options != nil || patch.Depth != nil
	b, err := s.change(ctx, id, undoable, func(e *edition) error {
		language := e.Language
		patch.Apply(&e.BookDetails)
		e.Title = backend.OneLine(e.Title)
		if err := e.Check(); err != nil {
			return err
		}
		if e.Language != language {
			if err := e.recount(ctx); err != nil {
				return err
			}
		}
		if patch.Options != nil {
			if err := e.setOptions(ctx, *patch.Options); err != nil {
				return err
			}
		}
		if patch.Depth != nil {
			return e.setDepth(ctx, *patch.Depth)
		}
		return nil
	})
	if err != nil {
		return View{}, err
	}
	return s.view(ctx, b)
}

// recount counts the words of all chapters again, in another language.
func (e *edition) recount(ctx context.Context) error {
	if err := e.readAll(ctx); err != nil {
		return err
	}
	for i := range e.Chapters {
		c := &e.Chapters[i]
		c.Counts = prose.Count(e.texts[c.Text], e.Language)
		e.refresh(c, e.texts[c.Text])
	}
	return nil
}

// setOptions replaces the options of a book.
func (e *edition) setOptions(ctx context.Context, o backend.BookOptions) error {
	before := e.Options
	e.Options = o
	if !reflect.DeepEqual(before.Read, o.Read) || before.Language != o.Language || !maps.Equal(before.Pronunciations, o.Pronunciations) {
		return e.refreshAll(ctx)
	}
	for i := range e.Chapters {
		e.Chapters[i].Failure = nil
	}
	return nil
}

// setDepth cuts a book again.
func (e *edition) setDepth(ctx context.Context, depth int) error {
	if depth < 1 || depth > len(e.Depths) {
		return backend.Invalid("value_error", "Input should be a level of the table of contents", "body", "depth")
	}
	if depth == e.Depth {
		return nil
	}
	blocks, err := e.allBlocks(ctx)
	if err != nil {
		return err
	}
	e.Depth = depth
	e.recut(blocks, &prose.Former{Chapters: e.Chapters, Texts: e.texts})
	return e.checkChapters()
}

// allBlocks returns the text of a book in order.
func (e *edition) allBlocks(ctx context.Context) ([]backend.Block, error) {
	if err := e.readAll(ctx); err != nil {
		return nil, err
	}
	var all []backend.Block
	for _, c := range e.Chapters {
		all = append(all, e.texts[c.Text]...)
	}
	return all, nil
}

// UpdateReport is what an update of a book found, in chapters.
type UpdateReport struct {
	Same    int `json:"same"`
	Changed int `json:"changed"`
	New     int `json:"new"`
	Removed int `json:"removed"`
}

// Updated is a book after Update.
type Updated struct {
	View
	Report UpdateReport `json:"report"`
}

// Update replaces the text of a book by that of a changed file. Chapters are matched by their content, and keep options, sound and titles
// that the user changed; details of the book stay. Changes of its text are replaced; Undo brings them back. Errors: those of Create.
func (s *Service) Update(ctx context.Context, id string, m backend.Manuscript, source backend.BookSource) (Updated, error) {
	if err := checkManuscript(m); err != nil {
		return Updated{}, err
	}
	var out Updated
	b, err := s.change(ctx, id, true, func(e *edition) error {
		if err := e.readAll(ctx); err != nil {
			return err
		}
		before := &prose.Former{Chapters: e.Chapters, Texts: e.texts, Loose: true}
		e.Source, e.Samples = source, prose.Samples(m.Blocks)
		e.Depths, _ = prose.Depths(m.Blocks, e.Title, e.Language)
		e.Depth = min(e.Depth, len(e.Depths))
		from := e.recut(m.Blocks, before)
		out.Report = report(before.Chapters, from, e.Chapters)
		return e.checkChapters()
	})
	if err != nil {
		return Updated{}, err
	}
	out.View, err = s.view(ctx, b)
	return out, err
}

// report counts what became of chapters.
func report(before []backend.BookChapter, from []int, now []backend.BookChapter) UpdateReport {
	r := UpdateReport{Removed: len(before)}
	for i, old := range from {
		switch {
		case old < 0:
			r.New++
			continue
		case slices.Equal(before[old].Asks, now[i].Asks):
			r.Same++
		default:
			r.Changed++
		}
		r.Removed--
	}
	return r
}
