package httpapi

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/books/suspects"
)

// coverRoute serves the cover of a book, with the token or a signature.
const coverRoute = "/books/{book_id}/cover"

// maxCoverUpload is the largest picture that is received, in bytes, so that the error for a large one can say what is wrong with it.
const maxCoverUpload = 3 * backend.MaxCover

func (h *bookHandlers) chapterRoutes(r *router) {
	get(r, "/books/{book_id}/check", "check-book", "Words that may be spoken wrongly", h.check)
	get(r, "/books/{book_id}/chapters/{chapter_id}", "book-chapter", "Get a chapter with its text", h.chapter)
	patch(r, "/books/{book_id}/chapters/{chapter_id}", "patch-book-chapter", "Rename or skip a chapter, or change its options", h.patchChapter)
	patch(r, "/books/{book_id}/chapters/{chapter_id}/blocks/{n}", "patch-book-block", "Replace the text of a block of a chapter", h.patchBlock)
	post(r, "/books/{book_id}/chapters/{chapter_id}/split", "split-book-chapter", "Make a chapter of the end of another one", h.splitChapter)
	post(r, "/books/{book_id}/chapters/{chapter_id}/merge", "merge-book-chapters", "Join a chapter with the next one", h.mergeChapters)
	post(r, "/books/{book_id}/chapters/{chapter_id}/move", "move-book-chapter", "Move a chapter to another place", h.moveChapter)
}

type checkBookOutput struct {
	Body List[suspects.Suspect] `nameHint:"SuspectWords"`
}

func (h *bookHandlers) check(ctx context.Context, in *BookPath) (*checkBookOutput, error) {
	list, err := h.service.Check(ctx, string(in.ID))
	if err != nil {
		return nil, err
	}
	return &checkBookOutput{whole(list)}, nil
}

// ChapterPath is the id of a chapter and of its book in a path; it is exported for huma.
type ChapterPath struct {
	BookPath
	ChapterID ID `path:"chapter_id"`
}

// BookChapterText is a chapter as the API shows it by itself.
type BookChapterText struct {
	books.Chapter
	Blocks []backend.Block `json:"blocks" doc:"its text in order; their numbers count from 0"`
}

type chapterOutput struct {
	Body BookChapterText
}

func (h *bookHandlers) chapter(ctx context.Context, in *ChapterPath) (*chapterOutput, error) {
	c, blocks, err := h.service.Chapter(ctx, string(in.ID), string(in.ChapterID))
	if err != nil {
		return nil, err
	}
	return &chapterOutput{BookChapterText{c, append([]backend.Block{}, blocks...)}}, nil
}

type patchChapterInput struct {
	ChapterPath
	Body struct {
		books.ChapterPatch
	} `nameHint:"BookChapterChanges"`
}

func (h *bookHandlers) patchChapter(ctx context.Context, in *patchChapterInput) (*bookOutput, error) {
	if err := checkBookOptions(in.Body.Options); err != nil {
		return nil, err
	}
	return h.bookAnswer(h.service.ChangeChapter(ctx, string(in.ID), string(in.ChapterID), in.Body.ChapterPatch))
}

type patchBlockInput struct {
	ChapterPath
	N    int `path:"n" minimum:"0" doc:"number of the block, from 0"`
	Body struct {
		Text string `json:"text" doc:"what is spoken, with its markup; empty: the block is removed"`
	} `nameHint:"BookBlockChanges"`
}

func (h *bookHandlers) patchBlock(ctx context.Context, in *patchBlockInput) (*bookOutput, error) {
	return h.bookAnswer(h.service.EditBlock(ctx, string(in.ID), string(in.ChapterID), in.N, in.Body.Text))
}

type splitChapterInput struct {
	ChapterPath
	Body struct {
		Block int    `json:"block" minimum:"1" doc:"number of the block, from 0, with which the new chapter begins"`
		Title string `json:"title,omitempty" maxLength:"1000" doc:"default: the block where it is a heading, else that of the chapter"`
	} `nameHint:"SplitBookChapter"`
}

func (h *bookHandlers) splitChapter(ctx context.Context, in *splitChapterInput) (*bookOutput, error) {
	return h.bookAnswer(h.service.Split(ctx, string(in.ID), string(in.ChapterID), in.Body.Block, in.Body.Title))
}

func (h *bookHandlers) mergeChapters(ctx context.Context, in *ChapterPath) (*bookOutput, error) {
	return h.bookAnswer(h.service.Merge(ctx, string(in.ID), string(in.ChapterID)))
}

type moveChapterInput struct {
	ChapterPath
	Body struct {
		To int `json:"to" minimum:"0" doc:"its place among the chapters, from 0"`
	} `nameHint:"MoveBookChapter"`
}

func (h *bookHandlers) moveChapter(ctx context.Context, in *moveChapterInput) (*bookOutput, error) {
	return h.bookAnswer(h.service.Move(ctx, string(in.ID), string(in.ChapterID), in.Body.To))
}

type setPlaceInput struct {
	BookPath
	Body struct {
		ChapterID ID      `json:"chapter_id"`
		Seconds   float64 `json:"seconds" minimum:"0" doc:"from the beginning of the chapter"`
	} `nameHint:"SetBookPlace"`
}

func (h *bookHandlers) setPlace(ctx context.Context, in *setPlaceInput) (*struct{}, error) {
	return nil, h.service.SetPlace(ctx, string(in.ID), backend.BookPlace{ChapterID: string(in.Body.ChapterID), Seconds: in.Body.Seconds})
}

type setCoverInput struct {
	BookPath
	Body struct{} `nameHint:"BookCover"`
}

func (h *bookHandlers) setCover(ctx context.Context, in *setCoverInput) (*bookOutput, error) {
	file := uploadOf(ctx)
	if file.path == "" {
		return nil, backend.Invalid("missing", "Field required", "body", "file")
	}
	f, err := os.Open(file.path)
	if err != nil {
		return nil, backend.FileError("open the uploaded file", "the data directory", err)
	}
	defer func() { _ = f.Close() }()
	picture, err := io.ReadAll(io.LimitReader(f, backend.MaxCover+1))
	if err != nil {
		return nil, backend.FileError("read the uploaded file", "the data directory", err)
	}
	return h.bookAnswer(h.service.SetCover(ctx, string(in.ID), picture))
}

func (h *bookHandlers) deleteCover(ctx context.Context, in *BookPath) (*bookOutput, error) {
	return h.bookAnswer(h.service.RemoveCover(ctx, string(in.ID)))
}

var pictureTypes = map[string]string{".jpg": "image/jpeg", ".png": "image/png"}

func (h *bookHandlers) cover(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r, "book_id")
	var path string
	if err == nil {
		path, err = h.service.CoverFile(r.Context(), id)
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = backend.E(backend.CodeNotFound, "The cover of the book is missing.", "Choose a picture.").WithCause(err)
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		h.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", pictureTypes[filepath.Ext(path)])
	w.Header().Set("Cache-Control", "private")
	h.serveContent(w, r, info.ModTime(), f)
}
