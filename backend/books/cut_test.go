package books_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/speech"
)

// nested returns a book of two parts with three chapters each, which have many words.
func nested(words int, word string) backend.Manuscript {
	m := backend.Manuscript{ManuscriptMeta: backend.ManuscriptMeta{Title: "Nested", Language: "en"}}
	m.Blocks = append(m.Blocks, textBlock("A dedication."))
	for part := range 2 {
		for chapter := range 3 {
			h := headingBlock(fmt.Sprintf("Chapter %d", chapter+1), 2)
			if chapter == 0 { // the part has no place of its own
				h.Begins = append([]backend.Section{{Title: fmt.Sprintf("Part %d", part+1), Level: 1}}, h.Begins...)
			}
			m.Blocks = append(m.Blocks, h, textBlock(strings.Repeat(word, words)+"."))
		}
	}
	return m
}

// TestDepth cuts a book at the flattest level with chapters of a good length, and at others on request.
func TestDepth(t *testing.T) {
	s := newLab(t)
	v := s.create(nested(300, "word "))
	require.Equal(t, 1, v.Depth, "chapters of 300 words are too short")
	require.Equal(t, []int{3, 7}, v.Depths)
	require.Equal(t, []string{"Nested", "Part 1", "Part 2"}, titles(v), "text before the first chapter is one of its own")

	v = s.create(nested(9000, "word "))
	require.Equal(t, 2, v.Depth)
	require.Equal(t, []string{
		"Nested", "Part 1: Chapter 1", "Chapter 2", "Chapter 3", "Part 2: Chapter 1", "Chapter 2", "Chapter 3",
	}, titles(v))
	last := v.Chapters[6].ID
	v, err := s.Change(t.Context(), v.ID, books.Patch{Depth: new(1)})
	require.NoError(t, err)
	require.Len(t, v.Chapters, 3)
	v, err = s.Undo(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, last, v.Chapters[6].ID)
	_, err = s.Change(t.Context(), v.ID, books.Patch{Depth: new(3)})
	require.Error(t, err)

	m := nested(2000, "字")
	m.Language = "zh-Hans"
	v = s.create(m)
	require.Equal(t, 1, v.Depth)
	require.Equal(t, 2000*6, v.Chapters[1].Words+v.Chapters[2].Words-2*3*len("Chapter1"), "characters count")
}

// TestLongChapter cuts a chapter of 300,000 characters into generations, within a paragraph at sentences.
func TestLongChapter(t *testing.T) {
	s := newLab(t)
	m := manuscript(1, 1)
	m.Blocks = append(m.Blocks, textBlock(strings.Repeat("This is one sentence of a very long paragraph. ", 4000)),
		textBlock(strings.Repeat("x", 120_000)))
	v := s.create(m)
	require.Greater(t, v.Chapters[0].Characters, 300_000)
	b, err := s.DB.Book(t.Context(), v.ID)
	require.NoError(t, err)
	require.Len(t, b.Chapters[0].Asks, 4)
}

// TestRefusals creates books of bad input.
func TestRefusals(t *testing.T) {
	s := newLab(t)
	create := func(m backend.Manuscript) error {
		_, err := s.Create(t.Context(), books.NewBook{Manuscript: m})
		return err
	}
	require.ErrorIs(t, create(backend.Manuscript{}), speech.ErrNothing)
	require.ErrorIs(t, create(backend.Manuscript{Blocks: []backend.Block{{Kind: backend.BlockImage}}}), speech.ErrNothing)
	long := manuscript(1, 1)
	long.Blocks = append(long.Blocks, textBlock(strings.Repeat("a", books.MaxCharacters)))
	require.Equal(t, backend.CodeBodyTooLarge, backend.CodeOf(create(long)))
	many := backend.Manuscript{}
	for i := range books.MaxChapters + 1 {
		many.Blocks = append(many.Blocks, headingBlock(fmt.Sprint(i), 1))
	}
	require.Equal(t, backend.CodeBodyTooLarge, backend.CodeOf(create(many)))

	v, err := s.Create(t.Context(), books.NewBook{Manuscript: manuscript(1, 1)})
	require.NoError(t, err)
	_, err = s.Generate(t.Context(), v.ID, books.GenerateRequest{})
	require.ErrorContains(t, err, "no voice")
	_, err = s.Book(t.Context(), "unknown")
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(err))
	_, err = s.Merge(t.Context(), v.ID, v.Chapters[0].ID)
	require.ErrorContains(t, err, "last chapter")
	_, err = s.Move(t.Context(), v.ID, "unknown", 0)
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(err))
}

// TestTitles stores titles of 300 bytes, and names a book without one after its file.
func TestTitles(t *testing.T) {
	s := newLab(t)
	title := strings.Repeat("日", 100)
	m := manuscript(1, 1)
	m.Title = title
	m.Blocks[0].Spans[0].Text, m.Blocks[0].Begins[0].Title = title, title
	v := s.generate(s.create(m).ID)
	require.Equal(t, title, v.Title)
	require.Equal(t, title, v.Chapters[0].Title)
	require.Equal(t, "done", states(v))
	m.Title = ""
	require.Equal(t, "book", s.create(m).Title)
}

// TestCover stores a picture, and leaves a broken one out.
func TestCover(t *testing.T) {
	s := newLab(t)
	m := manuscript(1, 1)
	m.Cover = &backend.Cover{MediaType: "image/jpeg", Data: []byte("broken")}
	v := s.create(m)
	require.False(t, v.HasCover)
	_, err := s.SetCover(t.Context(), v.ID, []byte("broken"))
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
	_, err = s.SetCover(t.Context(), v.ID, make([]byte, 50<<20))
	require.Equal(t, backend.CodeBodyTooLarge, backend.CodeOf(err))
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 4))))
	_, err = s.SetCover(t.Context(), v.ID, picture.Bytes()[:picture.Len()-16])
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), "its end is missing")
	v, err = s.SetCover(t.Context(), v.ID, picture.Bytes())
	require.NoError(t, err)
	require.True(t, v.HasCover)
	file, err := s.CoverFile(t.Context(), v.ID)
	require.NoError(t, err)
	require.FileExists(t, file)
	require.NoError(t, s.remove(v.ID))
	_, err = os.Stat(file)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestUndoKeepsTheLastChanges makes more changes than can be undone.
func TestUndoKeepsTheLastChanges(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(2, 1))
	var err error
	for i := range backend.MaxBookStates + 5 {
		v, err = s.EditBlock(t.Context(), v.ID, v.Chapters[0].ID, 1, fmt.Sprintf("Text number %d.", i))
		require.NoError(t, err)
	}
	require.Equal(t, backend.MaxBookStates, v.Undos)
	for range backend.MaxBookStates {
		v, err = s.Undo(t.Context(), v.ID)
		require.NoError(t, err)
	}
	require.Zero(t, v.Undos)
	_, blocks, err := s.Chapter(t.Context(), v.ID, v.Chapters[0].ID)
	require.NoError(t, err)
	require.Equal(t, "Text number 4.", blocks[1].Spans[0].Text)
}

// TestStopAndGoOn stops a book and generates it further.
func TestStopAndGoOn(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(3, 2))
	_, err := s.Generate(t.Context(), v.ID, books.GenerateRequest{})
	require.NoError(t, err)
	require.Eventually(t, func() bool { return s.engine.Total() >= 5 }, waitLimit, waitStep)
	v, err = s.Stop(t.Context(), v.ID)
	require.NoError(t, err)
	require.False(t, v.Generating)
	require.NotContains(t, states(v), "failed")
	require.Equal(t, "done done done", states(s.generate(v.ID)))
	for text, n := range s.engine.ByText {
		require.LessOrEqual(t, n, 2, text)
	}
}
