package extract

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/charset"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/classes"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/extract/internal/plaintext"
	"github.com/voicewright/voicewright/backend/hyphen"
)

// source is a file that is being read. Its reader returns the text and fills in what else it finds out about the document, or
// fills in the manuscript.
type source struct {
	raw   []byte
	zip   io.ReaderAt // the file where it is a zip file
	size  int64       // of zip, in bytes
	limit int64       // bytes that the file may expand to
	doc   Document
	book  backend.Manuscript // that Extractor.Book returns

	leftOut parts.Counts

	encoding  string   // that the user gave, empty for none
	encodings []string // in which the file or its parts were read
	guessed   bool     // one of them
	bad       int      // characters that were not valid
}

// Note names a part of a file that was left out or changed.
type Note struct {
	Code   string         `json:"code" doc:"kind of the note"`
	Detail string         `json:"detail" doc:"one English sentence"`
	Params map[string]any `json:"params" doc:"the values in the sentence"`
}

// note adds a note to the document. The page words it by code and params, and shows the detail for a code that it does not know.
func (s *source) note(code, detail string, params map[string]any) {
	if params == nil {
		params = map[string]any{}
	}
	s.doc.Notes = append(s.doc.Notes, Note{Code: code, Detail: detail, Params: params})
}

// noteDamaged adds the note of a file whose end is missing, once.
func (s *source) noteDamaged() {
	const damaged = "damaged"
	if !slices.ContainsFunc(s.doc.Notes, func(n Note) bool { return n.Code == damaged }) {
		s.note(damaged, "The file is damaged: its end is missing.", nil)
	}
}

// format is a kind of file.
type format struct {
	name    string
	endings []string // with a dot, in lower case
	zip     bool     // the source has zip, and for a book no raw
	read    func(ctx context.Context, e *Extractor, s *source) (text string, err error)
	book    func(ctx context.Context, e *Extractor, s *source) error // nil where the text has all that the blocks need
}

// formats returns the kinds of files that are read: the only list of them. That of the page is fileTypes.
func formats() []format {
	return []format{
		{name: "txt", endings: []string{".txt"}, read: readText, book: bookOf(plaintext.Read)},
		{name: "txt", endings: []string{".fountain"}, read: readText, book: bookOfScreenplay},
		{name: "md", endings: []string{".md", ".markdown"}, read: readMarkdown, book: bookOfMarkdown},
		{name: "srt", endings: []string{".srt"}, read: readSubtitles},
		{name: "vtt", endings: []string{".vtt"}, read: readSubtitles},
		{name: "html", endings: []string{".html", ".htm", ".xhtml"}, read: readHTML, book: readHTMLBook},
		{name: "epub", endings: []string{".epub"}, zip: true, read: readBook, book: readEPUB},
		{name: "docx", endings: []string{".docx", ".docm"}, zip: true, read: readDocx, book: bookOfDocx},
		{name: "pdf", endings: []string{".pdf"}, read: readPDF, book: bookOfPDF},
	}
}

// formatOf returns the format of files with an ending.
func formatOf(ending string) (format, bool) {
	ending = strings.ToLower(ending)
	for _, f := range formats() {
		if slices.Contains(f.endings, ending) {
			return f, true
		}
	}
	return format{}, false
}

// Endings returns the endings of the files that are read, such as ".txt".
func Endings() []string {
	var all []string
	for _, f := range formats() {
		all = append(all, f.endings...)
	}
	return all
}

// EndingList returns the endings as a part of a sentence, as in ".txt, .md or .pdf".
func EndingList() string {
	all := Endings()
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " or " + all[last]
}

func readText(_ context.Context, _ *Extractor, s *source) (string, error) {
	text, err := s.text()
	return hyphen.Join(text, ""), err
}

// bookOf returns the reader of a book that is a text, whose divided words are joined.
func bookOf(read func(text string) backend.Manuscript) func(context.Context, *Extractor, *source) error {
	return func(ctx context.Context, e *Extractor, s *source) error {
		text, err := readText(ctx, e, s)
		s.book = read(text)
		classes.Sections(s.book.Blocks, nil)
		return err
	}
}

// bookOfScreenplay reads a screenplay.
func bookOfScreenplay(ctx context.Context, e *Extractor, s *source) error {
	left := 0
	err := bookOf(func(text string) (m backend.Manuscript) {
		m, left = plaintext.Fountain(text)
		return m
	})(ctx, e, s)
	if left > 0 {
		s.note("script_notes", counted(left, "%d word of notes, synopses and what is commented out was left out.",
			"%d words of notes, synopses and what is commented out were left out."), map[string]any{"count": left})
	}
	return err
}

func readMarkdown(_ context.Context, _ *Extractor, s *source) (text string, err error) {
	if text, err = s.text(); err != nil {
		return "", err
	}
	text, s.doc.Title = markdown(hyphen.Join(text, ""), s.doc.Title, s.leftOut)
	s.noteLeftOut()
	return text, nil
}

func readSubtitles(_ context.Context, _ *Extractor, s *source) (string, error) { return subtitles(s) }

func readHTML(_ context.Context, _ *Extractor, s *source) (string, error) {
	text, err := s.decode(s.raw, charset.Declared(s.raw))
	if err != nil {
		return "", err
	}
	p := s.readPage(text, nil)
	s.doc.Title = cmp.Or(p.title, p.heading, s.doc.Title)
	s.noteLeftOut()
	return p.out.String(), nil
}

// readHTMLBook fills in the manuscript of an HTML file, whose sections begin with its headings below that of the title.
func readHTMLBook(_ context.Context, _ *Extractor, s *source) error {
	text, err := s.decode(s.raw, charset.Declared(s.raw))
	if err != nil {
		return err
	}
	page := newPageBook(nil)
	p := s.readPage(text, page)
	s.book.Blocks, _ = page.finish()
	if len(s.book.Blocks) > maxBlocks {
		return errTooMuch()
	}
	s.book.Title, s.book.Language, s.book.Description = cmp.Or(p.title, p.heading), page.head["language"], page.head["description"]
	if author := page.head["author"]; author != "" {
		s.book.Authors = []string{author}
	}
	blocks.BeginBelowTitleOf(s.book.Blocks, s.book.Title)
	classes.Sections(s.book.Blocks, nil)
	s.noteLeftOut()
	return nil
}

func readBook(ctx context.Context, _ *Extractor, s *source) (string, error) { return book(ctx, s) }
