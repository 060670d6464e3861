package books_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
)

// TestDictionary corrects words in the user's dictionary after a book was spoken: only passages with them are spoken again.
func TestDictionary(t *testing.T) {
	s := newLab(t)
	v := s.generate(s.create(manuscript(3, 2)).ID)
	state := func() string {
		now, err := s.Book(t.Context(), v.ID)
		require.NoError(t, err)
		return states(now)
	}
	name := studiotest.Word(21) // of the second paragraph of the second chapter
	require.Contains(t, paragraph(1, 1), name)
	word, err := s.DB.CreatePronunciation(t.Context(), backend.Pronunciation{Word: strings.ToUpper(name[:1]) + name[1:], Respelling: "other"})
	require.NoError(t, err)
	require.Equal(t, "done changed done", state())
	before := s.calls()
	s.Words, err = s.DB.AllPronunciations(t.Context())
	require.NoError(t, err)
	v = s.generate(v.ID)
	require.Equal(t, "done done done", states(v))
	require.Equal(t, []string{"It has a second sentence about other too.", "This is the other passage of the book."}, s.spoken(before))

	_, err = s.DB.CreatePronunciation(t.Context(), backend.Pronunciation{Word: studiotest.Word(0), Respelling: "autre", Language: "fr"})
	require.NoError(t, err)
	require.Equal(t, "done done done", state(), "a word of another language")
	_, err = s.DB.CreatePronunciation(t.Context(), backend.Pronunciation{Word: name[:len(name)-1], Respelling: "part"})
	require.NoError(t, err)
	require.Equal(t, "done done done", state(), "a part of a word is none")

	_, err = s.DB.UpdatePronunciation(t.Context(), word.ID, backend.PronunciationPatch{Respelling: new("third")})
	require.NoError(t, err)
	require.Equal(t, "done changed done", state())
	_, err = s.DB.UpdatePronunciation(t.Context(), word.ID, backend.PronunciationPatch{Respelling: new("other")})
	require.NoError(t, err)
	require.Equal(t, "done done done", state(), "it was changed back")

	// The book has the word itself: the dictionary does not matter for it.
	options := v.Options
	options.Pronunciations = map[string]string{name: "mine"}
	v, err = s.Change(t.Context(), v.ID, books.Patch{Options: &options})
	require.NoError(t, err)
	require.Equal(t, books.StateDone, s.generate(v.ID).State)
	require.NoError(t, s.DB.DeletePronunciation(t.Context(), word.ID))
	require.Equal(t, "done done done", state())

	v, err = s.Undo(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, "changed", string(v.Chapters[1].State), "its sound was of the word that was deleted")
}

// TestDictionaryOfAnOlderVersion opens a book that was spoken before its words were noticed: its sound stays.
func TestDictionaryOfAnOlderVersion(t *testing.T) {
	s := newLab(t)
	_, err := s.DB.CreatePronunciation(t.Context(), backend.Pronunciation{Word: studiotest.Word(0), Respelling: "other"})
	require.NoError(t, err)
	v := s.generate(s.create(manuscript(2, 1)).ID)
	b, err := s.DB.Book(t.Context(), v.ID)
	require.NoError(t, err)
	b.Dictionary = ""
	for i := range b.Chapters {
		c := &b.Chapters[i]
		c.Words = ""
		c.Parts[0].Voice = b.VoiceKey(c)
	}
	_, err = s.DB.SaveBook(t.Context(), b, nil, nil)
	require.NoError(t, err)
	v, err = s.Book(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, "done done", states(v))
}
