package httpapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
	voicestudio "github.com/voicewright/voicewright/backend/studio"
)

// TestGenerationsOfBooks marks a generation as one of a book, as the API shows it wherever it shows generations.
func TestGenerationsOfBooks(t *testing.T) {
	t.Parallel()
	var library *sqlite.DB
	s := newStudio(t, studioOptions{store: func(db *sqlite.DB) voicestudio.Store {
		library = db
		return db
	}})
	id := s.speak("Hello there.", "")["id"].(string)
	require.NotContains(t, s.do("GET", "/history", "").body, `"request"`)
	_, err := library.UpdateGeneration(t.Context(), id, func(g *backend.Generation) error {
		g.Request.BookID, g.Request.Donors = "b1", []string{"donor"}
		return nil
	})
	require.NoError(t, err)
	for _, path := range []string{"/history", "/history?full=true", "/generate/" + id} {
		body := s.do("GET", path, "").body
		require.Contains(t, body, `"request":{"book_id":"b1"}`, path)
		require.NotContains(t, body, "donor", path)
	}
}
