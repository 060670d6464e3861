package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/extract"
	"github.com/voicewright/voicewright/backend/httpapi/docs"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/uploads"
)

// bookHandlers are the routes of audiobooks.
type bookHandlers struct {
	*responder
	service *books.Service
	uploads *uploads.Reader
	forms   *forms
	events  *events.Streams
	links   *Links
}

func (h *bookHandlers) routes(r *router) {
	if h.service == nil || h.uploads == nil {
		return
	}
	file := "A form with the part `file`: " + extract.EndingList() + ", up to 500 MB for EPUB and Word files, up to 50 MB for others. "
	post(r, "/books", "create-book", "Make a book of a file", h.createBook, h.forms.acceptForm(extract.MaxBook, "NewBook"),
		status(http.StatusCreated), describe(file+"Every word of the file is in `words`, kept or left out."))
	get(r, "/books", "books", "List the books, last changed first", h.books)
	get(r, "/books/{book_id}", "book", "Get a book with its chapters", h.book)
	patch(r, "/books/{book_id}", "patch-book", "Change details, options or depth", h.patchBook)
	del(r, "/books/{book_id}", "delete-book", "Delete a book with its generations", h.deleteBook)
	post(r, "/books/{book_id}/update", "update-book", "Replace the text of a book by that of a changed file", h.updateBook,
		h.forms.acceptForm(extract.MaxBook, "BookUpdate"), describe(file+"Chapters are matched by their content: only what changed is "+
			"generated again. `undo` brings the text before back."))
	post(r, "/books/{book_id}/undo", "undo-book", "Undo the last change of chapters, options, depth or text", h.undoBook)
	post(r, "/books/{book_id}/generate", "generate-book", "Generate chapters, one after the other", h.generateBook,
		status(http.StatusAccepted), describe("Behind what else is generated. It goes on after a stop of the program; chapters that "+
			"are done stay as they are. `accept_credits` is the price of `/quote`, where that asks for it."))
	post(r, "/books/{book_id}/quote", "quote-book", "The price of generating chapters with hosted voices", h.quoteBook,
		describe("Takes the body of `/generate`. Passages that are taken from earlier generations cost nothing, nor do local voices."))
	post(r, "/books/{book_id}/stop", "stop-book", "Stop generating a book; what is finished stays", h.stopBook)
	put(r, "/books/{book_id}/place", "set-book-place", "Remember where somebody listens to a book", h.setPlace, status(http.StatusNoContent),
		describe("It is no change of the book: no event says it, and `updated_at` stays."))
	put(r, coverRoute, "set-book-cover", "Replace the cover of a book", h.setCover, h.forms.acceptForm(maxCoverUpload, "BookCover"),
		describe("A form with a JPEG or PNG picture of at most 20 MB as the part `file`."))
	del(r, coverRoute, "delete-book-cover", "Remove the cover of a book", h.deleteCover)
	r.file(coverRoute, "book-cover", "The cover of a book", h.cover, returnsFile("image/jpeg", "image/png"),
		queryParam("exp", "when the signature expires, in Unix seconds"), queryParam("sig", "the signature"),
		describe("Accepts the token, or `exp` and `sig` as in `cover_url`."))
	h.chapterRoutes(r)
}

// Book is a book as the API shows it.
type Book struct {
	books.View
	BookLinks
}

// BookLinks are the addresses of a book's files; it is exported for huma.
type BookLinks struct {
	CoverURL string `json:"cover_url,omitempty" doc:"a path that works without a token for one hour; absent without a cover"`
}

// BookRow is a book in a list.
type BookRow struct {
	BookSummary
	BookLinks
	Chapters chaptersDone `json:"chapters" doc:"that are not skipped"`
}

// BookSummary is a book without its chapters; it is exported for huma.
type BookSummary = books.Summary

// chaptersDone counts chapters.
type chaptersDone struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

func (h *bookHandlers) view(v books.View) Book { return Book{v, h.linksOf(v.Summary)} }

func (h *bookHandlers) linksOf(b books.Summary) BookLinks {
	if !b.HasCover {
		return BookLinks{}
	}
	return BookLinks{h.links.signedURL("/books/" + b.ID + "/cover")}
}

type bookOutput struct {
	Body Book
}

func (h *bookHandlers) bookAnswer(v books.View, err error) (*bookOutput, error) {
	if err != nil {
		return nil, err
	}
	return &bookOutput{h.view(v)}, nil
}

// textClasses are classes of words, as a list or separated by commas.
type textClasses []backend.TextClass

// Schema implements huma.SchemaProvider.
func (textClasses) Schema(huma.Registry) *huma.Schema {
	return docs.Words(backend.TextClasses()...)
}

// UnmarshalJSON reads both forms.
func (c *textClasses) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		return json.Unmarshal(data, (*[]backend.TextClass)(c))
	}
	for class := range strings.SplitSeq(text, ",") {
		*c = append(*c, backend.TextClass(strings.TrimSpace(class)))
	}
	return nil
}

// check returns a ValidationError for a class that does not exist.
func (c textClasses) check() error {
	known := backend.TextClasses()
	for _, class := range c {
		if !slices.Contains(known, class) {
			return backend.Invalid("enum", "Input should be a class of words", "body", "read")
		}
	}
	return nil
}

// NewBookFields are the fields of the form of a new book; it is exported for huma.
type NewBookFields struct {
	Encoding  string      `json:"encoding,omitempty" maxLength:"100" doc:"character encoding of the file, such as windows-1251; default: the one that is found"`
	Title     *string     `json:"title,omitempty" maxLength:"1000" doc:"default: that of the file"`
	Author    *string     `json:"author,omitempty" maxLength:"1000" doc:"default: that of the file"`
	Language  *string     `json:"language,omitempty" maxLength:"35" doc:"BCP 47; default: that of the file"`
	ProfileID ID          `json:"profile_id,omitempty" doc:"the voice profile"`
	Voice     string      `json:"voice,omitempty" maxLength:"200" doc:"MODEL:VOICE instead of the profile's voice"`
	Speed     *float64    `json:"speed,omitempty" minimum:"0.25" maximum:"4"`
	Read      textClasses `json:"read,omitempty" doc:"classes of words that are read aloud, as a list or separated by commas"`
	Depth     int         `json:"depth,omitempty" minimum:"1" doc:"entries of the table of contents down to this level begin a chapter; default: the best one"`
	Chapters  string      `json:"chapters,omitempty" maxLength:"1000" doc:"numbers of chapters such as 3-5,8: the others are skipped"`
}

type createBookInput struct {
	Body struct{ NewBookFields } `required:"true" nameHint:"NewBook"`
}

// CreatedBook is a new book as the API shows it.
type CreatedBook struct {
	Book
	Notes []extract.Note `json:"notes" doc:"what was changed in the file, or could not be read"`
}

type createdBookOutput struct {
	Body CreatedBook
}

func (h *bookHandlers) createBook(ctx context.Context, in *createBookInput) (*createdBookOutput, error) {
	f := in.Body.NewBookFields
	if err := f.Read.check(); err != nil {
		return nil, err
	}
	read, source, err := h.readBook(ctx, f.Encoding)
	if err != nil {
		return nil, err
	}
	v, err := h.service.Create(ctx, books.NewBook{
		Manuscript: read.Manuscript, Source: source, Depth: f.Depth, Chapters: f.Chapters,
		Details: backend.BookDetailsPatch{Title: f.Title, Author: f.Author, Language: f.Language},
		Options: backend.BookOptions{ProfileID: string(f.ProfileID), Voice: f.Voice, Speed: f.Speed, Read: f.Read},
	})
	if err != nil {
		return nil, err
	}
	return &createdBookOutput{CreatedBook{h.view(v), read.Notes}}, nil
}

// readBook returns the manuscript of the file of the form.
func (h *bookHandlers) readBook(ctx context.Context, encoding string) (extract.Book, backend.BookSource, error) {
	file := uploadOf(ctx)
	if file.path == "" {
		return extract.Book{}, backend.BookSource{}, backend.Invalid("missing", "Field required", "body", "file")
	}
	read, source, err := h.uploads.Book(ctx, file.name, encoding, file.path)
	source.Name = cutText(source.Name)
	return read, source, err
}

type booksInput struct {
	Paging
}

type booksOutput struct {
	Body List[BookRow] `nameHint:"Books"`
}

func (h *bookHandlers) books(ctx context.Context, in *booksInput) (*booksOutput, error) {
	list, err := h.service.List(ctx, in.page())
	if err != nil {
		return nil, err
	}
	return &booksOutput{mapList(list, func(v books.View) BookRow {
		row := BookRow{BookSummary: v.Summary, BookLinks: h.linksOf(v.Summary)}
		for _, c := range v.Chapters {
			if !c.Skipped {
				row.Chapters.Total++
			}
			if !c.Skipped && c.State == books.StateDone {
				row.Chapters.Done++
			}
		}
		return row
	})}, nil
}

// BookPath is the id of a book in a path; it is exported for huma.
type BookPath struct {
	ID ID `path:"book_id"`
}

func (h *bookHandlers) book(ctx context.Context, in *BookPath) (*bookOutput, error) {
	return h.bookAnswer(h.service.Book(ctx, string(in.ID)))
}

type patchBookInput struct {
	BookPath
	Body struct {
		books.Patch
	} `nameHint:"BookChanges"`
}

func (h *bookHandlers) patchBook(ctx context.Context, in *patchBookInput) (*bookOutput, error) {
	if err := checkBookOptions(in.Body.Options); err != nil {
		return nil, err
	}
	return h.bookAnswer(h.service.Change(ctx, string(in.ID), in.Body.Patch))
}

// checkBookOptions checks the words of options, and writes the id of their profile as it is stored.
func checkBookOptions(o *backend.BookOptions) error {
	if o == nil {
		return nil
	}
	o.ProfileID = canonicalID(o.ProfileID)
	return checkWords(o.Pronunciations, "options")
}

func (h *bookHandlers) deleteBook(ctx context.Context, in *BookPath) (*struct{}, error) {
	n, err := h.service.Delete(ctx, string(in.ID))
	h.events.History(n)
	return nil, err
}

type updateBookInput struct {
	BookPath
	Body struct {
		Encoding string `json:"encoding,omitempty" maxLength:"100" doc:"character encoding of the file, such as windows-1251; default: the one that is found"`
	} `required:"true" nameHint:"BookUpdate"`
}

// UpdatedBook is a book after an update as the API shows it.
type UpdatedBook struct {
	Book
	Report books.UpdateReport `json:"report" doc:"what the file has, in chapters"`
	Notes  []extract.Note     `json:"notes" doc:"what was changed in the file, or could not be read"`
}

type updatedBookOutput struct {
	Body UpdatedBook
}

func (h *bookHandlers) updateBook(ctx context.Context, in *updateBookInput) (*updatedBookOutput, error) {
	read, source, err := h.readBook(ctx, in.Body.Encoding)
	if err != nil {
		return nil, err
	}
	u, err := h.service.Update(ctx, string(in.ID), read.Manuscript, source)
	if err != nil {
		return nil, err
	}
	return &updatedBookOutput{UpdatedBook{h.view(u.View), u.Report, read.Notes}}, nil
}

func (h *bookHandlers) undoBook(ctx context.Context, in *BookPath) (*bookOutput, error) {
	return h.bookAnswer(h.service.Undo(ctx, string(in.ID)))
}

type generateBookInput struct {
	BookPath
	Body struct{ books.GenerateRequest } `nameHint:"GenerateBook"`
}

// request returns the request with the ids of chapters as they are stored.
func (in *generateBookInput) request() books.GenerateRequest {
	request := in.Body.GenerateRequest
	request.Chapters = slices.Clone(request.Chapters)
	for i, id := range request.Chapters {
		request.Chapters[i] = canonicalID(id)
	}
	return request
}

func (h *bookHandlers) generateBook(ctx context.Context, in *generateBookInput) (*bookOutput, error) {
	return h.bookAnswer(h.service.Generate(ctx, string(in.ID), in.request()))
}

func (h *bookHandlers) quoteBook(ctx context.Context, in *generateBookInput) (*quoteOutput, error) {
	quote, err := h.service.Quote(ctx, string(in.ID), in.request())
	return &quoteOutput{HostedQuote(quote)}, err
}

func (h *bookHandlers) stopBook(ctx context.Context, in *BookPath) (*bookOutput, error) {
	return h.bookAnswer(h.service.Stop(ctx, string(in.ID)))
}
