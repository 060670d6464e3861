package sqlite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// createBook stores a book with a chapter that has a generation, and a former state.
func createBook(t *testing.T, db *sqlite.DB, generation string) backend.Book {
	t.Helper()
	text := backend.NewBookText([]backend.Block{{Kind: backend.BlockParagraph, Spans: []backend.Span{{Text: "Grüße"}}}})
	b, err := db.CreateBook(t.Context(), backend.Book{
		BookDetails: backend.BookDetails{Title: "Ein Buch", Author: "Ömer"}, Cover: "cover.jpg",
		Chapters: []backend.BookChapter{{
			ID: "c1", Title: "One", Level: 1, Text: text.Key, Asks: []string{"t"},
			Parts: []backend.BookPart{{Generation: generation, Text: "t", Voice: "v"}},
		}},
	}, []backend.BookText{text})
	require.NoError(t, err)
	require.NoError(t, db.AddBookGeneration(t.Context(), b.ID, generation))
	changed := b
	changed.Chapters = []backend.BookChapter{b.Chapters[0]}
	changed.Chapters[0].Title = "Uno"
	changed, err = db.SaveBook(t.Context(), changed, nil, new(b.State()))
	require.NoError(t, err)
	return changed
}

func TestBooks(t *testing.T) {
	t.Parallel()
	db := open(t)
	g, err := db.CreateGeneration(t.Context(), backend.Generation{Text: "Grüße", Status: backend.StatusComplete})
	require.NoError(t, err)
	b := createBook(t, db, g.ID)
	require.Equal(t, 1, b.Undos)
	stored, err := db.Book(t.Context(), b.ID)
	require.NoError(t, err)
	require.Equal(t, b, stored)
	list, err := db.Books(t.Context(), backend.Page{})
	require.NoError(t, err)
	require.Equal(t, []backend.Book{b}, list.Items)
	covers, err := db.BookCovers(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string]string{b.ID: "cover.jpg"}, covers)
	b.Place = backend.BookPlace{ChapterID: "c1", Seconds: 1.5}
	require.NoError(t, db.SetBookPlace(t.Context(), b.ID, b.Place))
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(db.SetBookPlace(t.Context(), "unknown", b.Place)))
	stored, err = db.Book(t.Context(), b.ID)
	require.NoError(t, err)
	require.Equal(t, b, stored, "listening is no change")
	require.NoError(t, db.CheckRows(t.Context()))
	require.NoError(t, db.CheckNames(t.Context()))

	expired, err := db.ExpireGenerations(t.Context(), []string{g.ID})
	require.NoError(t, err)
	require.Empty(t, expired, "history that a book needs is not deleted by itself")
	other, err := db.CreateGeneration(t.Context(), backend.Generation{Status: backend.StatusComplete, Text: "Another one."})
	require.NoError(t, err)
	for of, want := range map[backend.OptionalBool][]string{backend.Yes: {g.ID}, backend.No: {other.ID}, "": {other.ID, g.ID}} {
		found, err := db.Generations(t.Context(), backend.GenerationFilter{OfBook: of})
		require.NoError(t, err)
		var ids []string
		for _, hit := range found.Items {
			ids = append(ids, hit.ID)
		}
		require.Equal(t, want, ids)
	}
	counted, err := db.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, []int{counted.Books, counted.Generations})
	requireSpare := func(want ...string) {
		t.Helper()
		spare, err := db.SpareBookGenerations(t.Context(), b.ID)
		require.NoError(t, err)
		require.ElementsMatch(t, want, spare)
		dropped, err := db.DropBookGenerations(t.Context(), b.ID, append(spare, g.ID))
		require.NoError(t, err)
		require.Len(t, dropped, len(want))
	}
	requireSpare()
	require.NoError(t, db.AddBookGeneration(t.Context(), b.ID, other.ID))
	requireSpare(other.ID)
	requireSpare()
	b.Chapters[0].Parts = nil
	place := b.Place
	b.Place = backend.BookPlace{}
	b, err = db.SaveBook(t.Context(), b, nil, nil)
	require.NoError(t, err)
	stored, err = db.Book(t.Context(), b.ID)
	require.NoError(t, err)
	require.Equal(t, place, stored.Place, "a change leaves the place where it is")
	requireSpare() // a former state has it

	text := backend.NewBookText([]backend.Block{{Kind: backend.BlockScene}})
	former := b.Chapters[0].Text
	b.Chapters[0].Text = text.Key
	b, err = db.SaveBook(t.Context(), b, []backend.BookText{text}, nil)
	require.NoError(t, err)
	texts, err := db.BookTexts(t.Context(), b.ID, []string{former, text.Key, "unknown"})
	require.NoError(t, err)
	require.Len(t, texts, 2, "the former state has its text")

	undone, err := db.UndoBook(t.Context(), b.ID, func(b *backend.Book, to backend.BookState) { b.Chapters = to.Chapters })
	require.NoError(t, err)
	require.Equal(t, "One", undone.Chapters[0].Title)
	_, err = db.UndoBook(t.Context(), b.ID, func(*backend.Book, backend.BookState) {})
	require.Equal(t, backend.CodeNothingToUndo, backend.CodeOf(err))

	require.NoError(t, db.DeleteBook(t.Context(), b.ID))
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(db.DeleteBook(t.Context(), b.ID)))
	expired, err = db.ExpireGenerations(t.Context(), []string{g.ID})
	require.NoError(t, err)
	require.Len(t, expired, 1)
}
