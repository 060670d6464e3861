package books_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestPlace remembers where somebody listens, over changes of the book.
func TestPlace(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(3, 1))
	require.Nil(t, v.Place)
	<-s.events
	last := v.Chapters[2].ID
	place := backend.BookPlace{ChapterID: last, Seconds: 12.5}
	require.NoError(t, s.SetPlace(t.Context(), v.ID, place))
	require.Empty(t, s.events, "nothing is shown otherwise")
	now, err := s.Book(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, &place, now.Place)
	require.Equal(t, v.UpdatedAt, now.UpdatedAt)

	require.Error(t, s.SetPlace(t.Context(), v.ID, backend.BookPlace{ChapterID: last, Seconds: -1}))
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(s.SetPlace(t.Context(), v.ID, backend.BookPlace{ChapterID: "unknown"})))
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(s.SetPlace(t.Context(), "unknown", place)))

	now, err = s.Move(t.Context(), v.ID, last, 1)
	require.NoError(t, err)
	require.Equal(t, &place, now.Place)
	now, err = s.Merge(t.Context(), v.ID, v.Chapters[0].ID)
	require.NoError(t, err)
	require.Nil(t, now.Place, "the chapter is gone")
	now, err = s.Undo(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, &place, now.Place)
}
