package books_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
)

func TestGenerateBook(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(3, 2))
	require.Equal(t, "new new new", states(v))
	require.Equal(t, []string{"Chapter 1", "Chapter 2", "Chapter 3"}, titles(v))
	require.Equal(t, "Ann Author", v.Author)

	v = s.generate(v.ID)
	require.Equal(t, "done done done", states(v))
	require.Equal(t, books.StateDone, v.State)
	require.Positive(t, v.Seconds)
	require.InDelta(t, 1, v.Progress, 0)
	g := s.Stored(v.Chapters[1].Generations[0])
	require.Equal(t, "# Chapter 2\n\n"+paragraph(1, 0)+"\n\n"+paragraph(1, 1), g.Text)
	require.Equal(t, v.ID, g.Request.BookID)

	spoken := s.engine.Total()
	v = s.generate(v.ID)
	require.Equal(t, spoken, s.engine.Total(), "what is done is not generated again")
	require.Equal(t, "done done done", states(v))
}

func TestWordsAreAccountedFor(t *testing.T) {
	s := newLab(t)
	m := manuscript(1, 1)
	m.Blocks = append(m.Blocks,
		backend.Block{Kind: backend.BlockParagraph, Spans: []backend.Span{
			{Text: "He said so"},
			{Text: "12", Class: backend.ClassNoteMarks},
			{Text: ", and "},
			{Text: "(Smith, 2020)", Class: backend.ClassCitations},
			{Text: " left [laughs] at <p>."},
		}},
		backend.Block{Kind: backend.BlockNote, Spans: []backend.Span{{Text: "12 A note of six words.", Class: backend.ClassNotes}}},
		backend.Block{Kind: backend.BlockScene},
		backend.Block{Kind: backend.BlockParagraph, Spans: []backend.Span{{Say: "T"}, {Text: "he "}, {Text: "漢字", Say: "kanji"}, {Text: " end."}}},
	)
	v := s.create(m)
	body, _ := backend.CountWords(m.Blocks)
	require.Equal(t, body, v.Words.Body)
	left := 0
	for _, l := range v.Words.LeftOut {
		left += l.Words
		require.NotEmpty(t, l.Sample)
		require.Equal(t, string(l.Class), l.Switch)
	}
	require.Equal(t, body, v.Words.Kept+left)
	require.Len(t, v.Words.LeftOut, 2)

	text := s.Stored(s.generate(v.ID).Chapters[0].Generations[0]).Text
	require.Equal(t, "# Chapter 1\n\n"+paragraph(0, 0)+"\n\nHe said so, and left (laughs) at (p).\n\n***\n\nThe [[漢字|kanji]] end.", text)

	parts, err := s.Spoken(t.Context(), v.ID, v.Chapters[0].ID)
	require.NoError(t, err)
	require.Equal(t, []string{text}, parts)

	options := v.Options
	options.Read = []backend.TextClass{backend.ClassNotes}
	v, err = s.Change(t.Context(), v.ID, books.Patch{Options: &options})
	require.NoError(t, err)
	require.Equal(t, "changed", states(v))
	require.Equal(t, []books.LeftOut{{Class: "notes", Words: 6, Sample: "12 A note of six words.", Switch: "notes"}}, v.Words.Read)
	require.Equal(t, body, v.Words.Body)
	text = s.Stored(s.generate(v.ID).Chapters[0].Generations[0]).Text
	require.Contains(t, text, "12 A note of six words.")
	v, err = s.Undo(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, "done", states(v), "the former sound is still there")
	before := v.Words
	_, err = s.Update(t.Context(), v.ID, manuscript(1, 1), backend.BookSource{Name: "other.txt"})
	require.NoError(t, err)
	v, err = s.Undo(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, before, v.Words, "with the samples")
}

func TestChangesOfChapters(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(4, 3))
	v = s.generate(v.ID)
	first := v.Chapters[0].ID

	v, err := s.Merge(t.Context(), v.ID, first)
	require.NoError(t, err)
	require.Equal(t, "changed done done", states(v))
	v, err = s.Undo(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, "done done done done", states(v))

	v, err = s.Move(t.Context(), v.ID, first, 3)
	require.NoError(t, err)
	require.Equal(t, "done done done done", states(v))
	require.Equal(t, []string{"Chapter 2", "Chapter 3", "Chapter 4", "Chapter 1"}, titles(v))

	v, err = s.Split(t.Context(), v.ID, first, 2, "")
	require.NoError(t, err)
	require.Equal(t, []string{"Chapter 2", "Chapter 3", "Chapter 4", "Chapter 1", "Chapter 1 (2)"}, titles(v))
	require.Equal(t, "done done done changed new", states(v))

	v, err = s.ChangeChapter(t.Context(), v.ID, first, books.ChapterPatch{Title: new("The First")})
	require.NoError(t, err)
	_, blocks, err := s.Chapter(t.Context(), v.ID, first)
	require.NoError(t, err)
	require.Equal(t, "The First", blocks[0].Spans[0].Text)

	v, err = s.ChangeChapter(t.Context(), v.ID, v.Chapters[4].ID, books.ChapterPatch{Skipped: new(true)})
	require.NoError(t, err)
	require.Equal(t, books.ClassSkipped, v.Words.LeftOut[0].Class)
	require.Equal(t, v.Words.Body, v.Words.Kept+v.Words.LeftOut[0].Words)
	v = s.generate(v.ID)
	require.Equal(t, "done done done done new", states(v))
	require.Equal(t, books.StateDone, v.State)

	for range 4 {
		v, err = s.Undo(t.Context(), v.ID)
		require.NoError(t, err)
	}
	require.Equal(t, "done done done done", states(v))
	require.Equal(t, "Chapter 1", v.Chapters[0].Title)
	_, err = s.Undo(t.Context(), v.ID)
	require.Equal(t, backend.CodeNothingToUndo, backend.CodeOf(err))
}

func TestStudioEditsStayInTheBook(t *testing.T) {
	s := newLab(t)
	m := manuscript(2, 3)
	m.Blocks[2].Spans = append(m.Blocks[2].Spans, backend.Span{Text: "7", Class: backend.ClassNoteMarks})
	v := s.generate(s.create(m).ID)
	id := v.Chapters[0].Generations[0]
	text := s.Stored(id).Text
	_, g := s.Revised(id, strings.Replace(text, "second sentence about koloaa", "better sentence about [pause 1s] koloaa", 1))
	require.Contains(t, g.Text, "better")

	v, err := s.Book(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, "done done", states(v))
	_, blocks, err := s.Chapter(t.Context(), v.ID, v.Chapters[0].ID)
	require.NoError(t, err)
	require.Contains(t, blocks[1].Spans[0].Text, "better sentence")
	require.Equal(t, m.Blocks[2], blocks[2], "the other paragraphs stay as they are")
	require.Equal(t, 1, v.Words.LeftOut[0].Words)

	v, err = s.EditBlock(t.Context(), v.ID, v.Chapters[0].ID, 3, "The end.")
	require.NoError(t, err)
	require.Equal(t, "changed done", states(v))
	v = s.generate(v.ID)
	require.Equal(t, "done done", states(v))
	require.Contains(t, s.Stored(v.Chapters[0].Generations[0]).Text, "better sentence about [pause 1s] koloaa")
}

// TestChangesInBothPlaces changes a chapter in the book, and its former text in the Studio.
func TestChangesInBothPlaces(t *testing.T) {
	s := newLab(t)
	v := s.generate(s.create(manuscript(1, 3)).ID)
	id := v.Chapters[0].Generations[0]
	v, err := s.EditBlock(t.Context(), v.ID, v.Chapters[0].ID, 3, "Changed in the book.")
	require.NoError(t, err)
	text := s.Stored(id).Text
	text = strings.Replace(text, paragraph(0, 0), "Changed in the Studio.", 1)
	text = strings.Replace(text, paragraph(0, 2), "Changed in both.", 1)
	s.Revised(id, text+"\n\nAdded in the Studio.")
	spoken := func() string {
		parts, err := s.Spoken(t.Context(), v.ID, v.Chapters[0].ID)
		require.NoError(t, err)
		return parts[0]
	}
	const begin = "# Chapter 1\n\nChanged in the Studio.\n\n"
	require.Equal(t, begin+paragraph(0, 1)+"\n\nChanged in both.\n\nAdded in the Studio.", spoken(), "the later change of a paragraph wins")

	// Two more changes before the book is read: what the first of them changed is there, too.
	v, err = s.EditBlock(t.Context(), v.ID, v.Chapters[0].ID, 4, "Changed again in the book.")
	require.NoError(t, err)
	first := strings.Replace(s.Stored(id).Text, paragraph(0, 1), "Changed secondly.", 1)
	s.Revised(id, first)
	s.Revised(id, strings.Replace(first, "Changed in the Studio.", "Changed thirdly.", 1))
	end := "\n\nChanged in both.\n\nChanged again in the book."
	require.Equal(t, "# Chapter 1\n\nChanged thirdly.\n\nChanged secondly."+end, spoken())
	v, err = s.Undo(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, begin+paragraph(0, 1)+end, spoken())
	for range 2 {
		v, err = s.Undo(t.Context(), v.ID)
		require.NoError(t, err)
	}
	require.Equal(t, "# Chapter 1\n\n"+paragraph(0, 0)+"\n\n"+paragraph(0, 1)+"\n\nChanged in the book.", spoken(), "what the Studio replaced is back")
	require.Equal(t, "changed", states(v))
	require.Equal(t, "done", states(s.generate(v.ID)))
}

// TestStudioEditOfASplitChapter changes a paragraph in the Studio whose chapter was split: it is changed where it is now.
func TestStudioEditOfASplitChapter(t *testing.T) {
	s := newLab(t)
	v := s.generate(s.create(manuscript(1, 4)).ID)
	id := v.Chapters[0].Generations[0]
	v, err := s.Split(t.Context(), v.ID, v.Chapters[0].ID, 3, "Second")
	require.NoError(t, err)
	s.Revised(id, strings.Replace(s.Stored(id).Text, paragraph(0, 3), "Changed in the Studio.", 1))
	v, err = s.Book(t.Context(), v.ID)
	require.NoError(t, err)
	parts, err := s.Spoken(t.Context(), v.ID, v.Chapters[1].ID)
	require.NoError(t, err)
	require.Equal(t, []string{"# Second\n\n" + paragraph(0, 2) + "\n\nChanged in the Studio."}, parts)
	parts, err = s.Spoken(t.Context(), v.ID, v.Chapters[0].ID)
	require.NoError(t, err)
	require.NotContains(t, parts[0], "Studio")
}

func TestDeleteBook(t *testing.T) {
	s := newLab(t)
	v := s.generate(s.create(manuscript(2, 1)).ID)
	other := s.create(manuscript(1, 1))
	require.Equal(t, v.Title, other.Title, "two books may have one title")
	require.NoError(t, s.remove(v.ID))
	_, err := s.Book(t.Context(), v.ID)
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(err))
	history, err := s.DB.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.Zero(t, history.Total)
	require.Empty(t, s.Files())
	list, err := s.List(t.Context(), backend.Page{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
}

func TestRestartGoesOn(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(4, 2))
	_, err := s.Generate(t.Context(), v.ID, books.GenerateRequest{})
	require.NoError(t, err)
	restarts := 0
	for n := 2; n < 14; n += 3 {
		restarts++
		require.Eventually(t, func() bool { return s.engine.Total() >= n }, waitLimit, waitStep)
		s.restart()
	}
	v = s.wait(v.ID)
	require.Equal(t, "done done done done", states(v))
	require.LessOrEqual(t, s.engine.Total(), len(s.engine.ByText)+2*restarts, "only what was being spoken is spoken again")
	history, err := s.DB.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.Equal(t, 4, history.Total, "nothing is left over")
}
