package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// TestBackupOfBooks restores a book with its text, its sound, its former states and its cover on another machine.
func TestBackupOfBooks(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("say", "The first chapter.", "-o", "a.wav")
	generation := u.history()[0]["id"].(string)
	library := func(data string, use func(db *sqlite.DB)) {
		db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(data, "voicewright.db")})
		require.NoError(t, err)
		use(db)
		require.NoError(t, db.Close())
	}
	text := backend.NewBookText([]backend.Block{{Kind: backend.BlockParagraph, Spans: []backend.Span{{Text: "The first chapter."}}}})
	var book backend.Book
	library(u.data, func(db *sqlite.DB) {
		b, err := db.CreateBook(t.Context(), backend.Book{
			BookDetails: backend.BookDetails{Title: "The Book"}, Cover: "cover.png",
			Chapters: []backend.BookChapter{{
				ID: "c1", Title: "One", Text: text.Key, Parts: []backend.BookPart{{Generation: generation}},
			}},
		}, []backend.BookText{text})
		require.NoError(t, err)
		require.NoError(t, db.AddBookGeneration(t.Context(), b.ID, generation))
		require.NoError(t, db.SetBookPlace(t.Context(), b.ID, backend.BookPlace{ChapterID: "c1", Seconds: 1.5}))
		b, err = db.SaveBook(t.Context(), b, nil, new(b.State()))
		require.NoError(t, err)
		book, err = db.Book(t.Context(), b.ID)
		require.NoError(t, err)
	})
	cover := filepath.Join("books", book.ID, "cover.png")
	require.NoError(t, os.MkdirAll(filepath.Join(u.data, "books", book.ID), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(u.data, cover), []byte("picture"), 0o600))
	require.Empty(t, u.mustRunJSON("backup", "library.zip")["missing"])

	other := newUser(t)
	other.mustRun("restore", filepath.Join(u.dir, "library.zip"))
	library(other.data, func(db *sqlite.DB) {
		b, err := db.Book(t.Context(), book.ID)
		require.NoError(t, err)
		require.Equal(t, book, b)
		require.Equal(t, []any{1, 1.5}, []any{b.Undos, b.Place.Seconds})
		texts, err := db.BookTexts(t.Context(), b.ID, []string{text.Key})
		require.NoError(t, err)
		require.Equal(t, text.Blocks, texts[text.Key])
		ids, err := db.BookGenerations(t.Context(), b.ID)
		require.NoError(t, err)
		require.Equal(t, []string{generation}, ids)
	})
	picture, err := os.ReadFile(filepath.Join(other.data, cover))
	require.NoError(t, err)
	require.Equal(t, "picture", string(picture))
	require.FileExists(t, other.history()[0]["audio_path"].(string))
}
