package extract_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
)

// readBook returns the manuscript of a file.
func readBook(t *testing.T, name, content string) extract.Book {
	t.Helper()
	book, err := (&extract.Extractor{}).Book(t.Context(), name, "", spooled(t, content))
	require.NoError(t, err, name)
	return book
}

// begins returns the titles in the table of contents.
func begins(book extract.Book) []backend.Section {
	var all []backend.Section
	for _, b := range book.Blocks {
		all = append(all, b.Begins...)
	}
	return all
}

// wordsOf returns the words of a manuscript of some classes, all where none is named.
func wordsOf(book extract.Book, classes ...backend.TextClass) []string {
	var words []string
	for _, b := range book.Blocks {
		text := ""
		for _, span := range b.Spans {
			for _, class := range classes {
				if span.Class == class {
					text += span.Text
				}
			}
			if len(classes) == 0 {
				text += span.Text
			}
		}
		words = append(words, backend.Words(text)...)
	}
	return words
}

func TestTextBooks(t *testing.T) {
	book := readBook(t, "trip.txt", "The Trip\n\nby Anna Bell\n\nChapter 1\nThe Way\n\nIt was a long way to the ri-\nver.\n\nChapter 2\n\nThey were home.\n")
	require.Equal(t, []backend.Section{{Title: "Chapter 1. The Way", Level: 1}, {Title: "Chapter 2", Level: 1}}, begins(book))
	require.Equal(t, backend.ManuscriptMeta{Title: "The Trip", Authors: []string{"Anna Bell"}}, book.ManuscriptMeta)
	require.Contains(t, wordsOf(book), "river")

	book = readBook(t, "My notes.txt", "It was so.")
	require.Equal(t, "My notes", book.Title)
	_, err := (&extract.Extractor{}).Book(t.Context(), "a.txt", "", spooled(t, ""))
	require.Equal(t, backend.CodeNothingToSpeak, backend.CodeOf(err))

	book = readBook(t, "play.fountain", "Title: The Trip\n\nINT. HOUSE - DAY\n\nANNA\nHello.\n\n[[a note]]\n\nEXT. ROAD - NIGHT\n\nShe walks.\n")
	require.Equal(t, []backend.Section{{Title: "INT. HOUSE - DAY", Level: 1}, {Title: "EXT. ROAD - NIGHT", Level: 1}}, begins(book))
	require.Equal(t, "The Trip", book.Title)
	require.Equal(t, "txt", book.Format)
	require.Equal(t, []extract.Note{{
		Code: "script_notes", Detail: "2 words of notes, synopses and what is commented out were left out.", Params: map[string]any{"count": 2},
	}}, book.Notes)
}
