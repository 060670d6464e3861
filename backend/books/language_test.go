package books_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
)

// TestLanguagesOfChapters makes a book with a chapter in another language, which the file states.
func TestLanguagesOfChapters(t *testing.T) {
	s := newLab(t)
	m := manuscript(3, 2)
	for i := 3; i < 6; i++ {
		m.Blocks[i].Language = "fr"
	}
	m.Blocks[8].Language = "de" // a part of a chapter is none
	v := s.create(m)
	require.Equal(t, []string{"", "fr", ""}, []string{v.Chapters[0].Language, v.Chapters[1].Language, v.Chapters[2].Language})
	require.Equal(t, "en", v.Options.Language)
	v = s.generate(v.ID)
	require.Equal(t, "done done done", states(v), "a voice that does not speak it reads on")

	v, err := s.ChangeChapter(t.Context(), v.ID, v.Chapters[1].ID, books.ChapterPatch{Options: &backend.BookOptions{Language: "fr"}})
	require.NoError(t, err)
	require.Equal(t, "done changed done", states(v))
	v = s.generate(v.ID)
	require.Equal(t, "done failed done", states(v))
	require.Equal(t, backend.CodeLanguageNotSupported, v.Chapters[1].Error.Code, "the language is that of the speech")
	require.Len(t, v.Chapters[1].Generations, 1, "the former sound stays")
}
