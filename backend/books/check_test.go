package books_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
)

func TestSuspects(t *testing.T) {
	s := newLab(t)
	m := backend.Manuscript{ManuscriptMeta: backend.ManuscriptMeta{Title: "Kings", Language: "en"}, Blocks: []backend.Block{
		headingBlock("Chapter XIV", 1),
		textBlock("Then Thorfinn met Henry VIII of the QZXK, and NASA too. THE WHOLE CREW WAS LOUD. Nobody saw Thorfinn's boat in May."),
		textBlock("He said Nobody came. They say nobody did, and a CD lay there. It was Æthelred the king."),
		{Kind: backend.BlockNote, Spans: []backend.Span{{Text: "The note of Ragnar XXI", Class: backend.ClassNotes}}},
		headingBlock("Chapter II", 1), textBlock("The second of Sigurd."),
	}}
	v := s.create(m)
	yes := true
	_, err := s.ChangeChapter(t.Context(), v.ID, v.Chapters[1].ID, books.ChapterPatch{Skipped: &yes})
	require.NoError(t, err)
	found := func() (out []string) {
		list, err := s.Check(t.Context(), v.ID)
		require.NoError(t, err)
		for _, d := range list {
			require.Contains(t, d.Sample, d.Word)
			out = append(out, fmt.Sprintf("%s %s %d", d.Kind, d.Word, d.Count))
		}
		return out
	}
	require.Equal(t, []string{"capitals CD 1", "capitals QZXK 1", "roman VIII 1", "roman XIV 1", "name Thorfinn 2", "name Henry 1", "name Æthelred 1"}, found())

	o := backend.BookOptions{ProfileID: s.Profile.ID, Read: []backend.TextClass{backend.ClassNotes}}
	o.Pronunciations = map[string]string{"thorfinn": "tor fin", "Æthelred": "ethel red"}
	_, err = s.Change(t.Context(), v.ID, books.Patch{Options: &o})
	require.NoError(t, err)
	require.Equal(t, []string{"capitals CD 1", "capitals QZXK 1", "roman VIII 1", "roman XIV 1", "roman XXI 1", "name Henry 1", "name Ragnar 1"}, found())

	german := "de"
	_, err = s.Change(t.Context(), v.ID, books.Patch{BookDetailsPatch: backend.BookDetailsPatch{Language: &german}})
	require.NoError(t, err)
	require.Equal(t, []string{"capitals CD 1", "capitals QZXK 1", "roman VIII 1", "roman XIV 1", "roman XXI 1"}, found())
	_, err = s.Check(t.Context(), "nobody")
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(err))
}
