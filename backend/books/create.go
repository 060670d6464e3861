package books

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books/covers"
	"github.com/voicewright/voicewright/backend/books/prose"
)

// The limits of a book.
const (
	MaxCharacters = 2_000_000
	MaxChapters   = 10_000
)

// NewBook is a book to create.
type NewBook struct {
	Manuscript backend.Manuscript
	Source     backend.BookSource
	Details    backend.BookDetailsPatch // over those of the manuscript
	Options    backend.BookOptions
	Depth      int    // 0 = the best one
	Chapters   string // the numbers of those that are made, such as 3-5,8; the others are skipped; "" = all
}

// Create stores the book of a manuscript. A cover that is broken or too large is left out. Errors: ValidationError, nothing_to_speak,
// body_too_large.
func (s *Service) Create(ctx context.Context, n NewBook) (View, error) {
	if err := checkManuscript(n.Manuscript); err != nil {
		return View{}, err
	}
	e, err := newEdition(ctx, s.o, backend.Book{ID: s.o.NewID(), Source: n.Source, Options: n.Options})
	if err != nil {
		return View{}, err
	}
	e.Dictionary = e.words.Key
	e.BookDetails = detailsOf(n.Manuscript.ManuscriptMeta, n.Source)
	n.Details.Apply(&e.BookDetails)
	e.Title = backend.OneLine(e.Title)
	if err := e.Check(); err != nil {
		return View{}, err
	}
	if err := s.checkOptions(ctx, &e.Options); err != nil {
		return View{}, err
	}
	e.Language = cmp.Or(e.Language, prose.ScriptLanguage(n.Manuscript.Blocks))
	if tag, ok := backend.CanonicalLanguage(e.Language); ok && backend.KnownLanguage(e.Language) && e.Options.Language == "" {
		e.Options.Language = tag
	}
	e.Samples = prose.Samples(n.Manuscript.Blocks)
	e.Depths, e.Depth = prose.Depths(n.Manuscript.Blocks, e.Title, e.Language)
	if n.Depth > 0 {
		e.Depth = min(n.Depth, len(e.Depths))
	}
	e.recut(n.Manuscript.Blocks, nil)
	if err := e.checkChapters(); err != nil {
		return View{}, err
	}
	if err := e.choose(n.Chapters); err != nil {
		return View{}, err
	}
	if c := n.Manuscript.Cover; c != nil {
		if name := covers.Name(c.Data); backend.CheckCover(c.Data) == nil {
			if err := s.covers.Write(e.ID, name, c.Data); err != nil {
				return View{}, err
			}
			e.Cover = name
		}
	}
	b, err := s.o.Store.CreateBook(ctx, e.Book, e.added)
	if err != nil {
		s.covers.Remove(e.ID)
		return View{}, err
	}
	s.notify(b.ID)
	return s.view(ctx, b)
}

// checkManuscript returns an error for a manuscript without words, and for one that is too long.
func checkManuscript(m backend.Manuscript) error {
	n := 0
	for _, b := range m.Blocks {
		for _, span := range b.Spans {
			n += utf8.RuneCountInString(span.Text)
		}
	}
	switch {
	case !prose.HasWords(m.Blocks):
		return backend.E(backend.CodeNothingToSpeak, "The file has no letter or digit that could be spoken.",
			"A file of pictures needs text recognition first; choose another file.")
	case n > MaxCharacters:
		return backend.E(backend.CodeBodyTooLarge, "The book has more than 2,000,000 characters.", "Divide it into several files.").
			With("limit", MaxCharacters)
	}
	return nil
}

func (e *edition) checkChapters() error {
	if len(e.Chapters) <= MaxChapters {
		return nil
	}
	remedy := "Choose a flatter depth."
	if e.Depth <= 1 {
		remedy = "Divide it into several files, or let only chapters have headings."
	}
	return backend.E(backend.CodeBodyTooLarge, "The book has more than 10,000 chapters.", remedy).With("limit", MaxChapters)
}

// detailsOf returns the details of a manuscript. A file without a title is named after itself.
func detailsOf(m backend.ManuscriptMeta, source backend.BookSource) backend.BookDetails {
	name := strings.TrimSuffix(filepath.Base(source.Name), filepath.Ext(source.Name))
	cutTo := func(s string, limit int) string {
		if runes := []rune(s); len(runes) > limit {
			return string(runes[:limit])
		}
		return s
	}
	const short, long = backend.MaxBookDetail, backend.MaxBookDescription
	return backend.BookDetails{
		Title:    cutTo(cmp.Or(backend.OneLine(m.Title), backend.OneLine(name), "Untitled"), short),
		Author:   cutTo(strings.Join(m.Authors, ", "), short),
		Language: cutTo(m.Language, short), Description: cutTo(m.Description, long), Publisher: cutTo(m.Publisher, short),
		Year: cutTo(m.Year, short), ISBN: cutTo(m.ISBN, short), Series: cutTo(m.Series, short), SeriesPart: cutTo(m.SeriesPart, short),
	}
}

// checkOptions checks options, and adds the name of their profile. Errors: ValidationError, profile_not_found.
func (s *Service) checkOptions(ctx context.Context, o *backend.BookOptions) error {
	o.ProfileName = ""
	if o.ProfileID != "" {
		p, err := s.o.Store.Profile(ctx, o.ProfileID)
		if err != nil {
			return err
		}
		o.ProfileName = p.Name
	}
	if o.Speed != nil && (*o.Speed < 0.25 || *o.Speed > 4) {
		return backend.Invalid("value_error", "Input should be between 0.25 and 4", "body", "options", "speed")
	}
	for _, class := range o.Read {
		if !slices.Contains(backend.TextClasses(), class) {
			return backend.Invalid("enum", "Input should be a class of words", "body", "options", "read")
		}
	}
	for name, pause := range map[string]*float64{
		"sentence": o.Pauses.Sentence, "paragraph": o.Pauses.Paragraph, "heading": o.Pauses.Heading, "scene": o.Pauses.Scene,
		"chapter": o.ChapterPause,
	} {
		if pause != nil && (*pause < 0 || *pause > 10) {
			return backend.Invalid("value_error", "Input should be between 0 and 10", "body", "options", name)
		}
	}
	return nil
}

// SetCover replaces the cover of a book. Errors: not_found, unsupported_media, body_too_large.
func (s *Service) SetCover(ctx context.Context, id string, data []byte) (View, error) {
	if err := backend.CheckWholeCover(data); err != nil {
		return View{}, err
	}
	name := covers.Name(data)
	return s.changeCover(ctx, id, func(e *edition) error {
		e.Cover = name
		return s.covers.Write(id, name, data)
	})
}

// RemoveCover removes the cover of a book. Error: not_found.
func (s *Service) RemoveCover(ctx context.Context, id string) (View, error) {
	return s.changeCover(ctx, id, func(e *edition) error {
		e.Cover = ""
		return nil
	})
}

func (s *Service) changeCover(ctx context.Context, id string, change func(e *edition) error) (View, error) {
	b, err := s.change(ctx, id, false, change)
	if err != nil {
		return View{}, err
	}
	s.keepCover(ctx, id)
	return s.view(ctx, b)
}

// keepCover removes the former pictures of a book, which are needed until it has the new one.
func (s *Service) keepCover(ctx context.Context, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now, err := s.o.Store.Book(ctx, id); err == nil {
		s.covers.Keep(id, now.Cover)
	}
}

// CoverFile returns the path of the cover of a book. Errors: not_found, also for a book without one.
func (s *Service) CoverFile(ctx context.Context, id string) (string, error) {
	b, err := s.o.Store.Book(ctx, id)
	if err != nil {
		return "", err
	}
	if b.Cover == "" {
		return "", backend.E(backend.CodeNotFound, "The book has no cover.", "Choose a picture.").With("id", id)
	}
	return s.covers.Path(id, b.Cover), nil
}
