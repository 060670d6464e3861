package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// TestPathsAreThoseOfPlace: every path that is read is the one that Place returns.
func TestPathsAreThoseOfPlace(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db, err := sqlite.Open(ctx, sqlite.Options{
		Path: filepath.Join(t.TempDir(), "voicewright.db"), Place: func(path string) string { return "/placed" + path },
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	g, err := db.CreateGeneration(ctx, backend.Generation{Text: "x", AudioPath: "/a.wav"})
	require.NoError(t, err)
	transcript, err := db.CreateTranscript(ctx, backend.Transcript{Title: "x", AudioPath: "/t.wav"})
	require.NoError(t, err)
	script, err := db.CreateScript(ctx, backend.Script{AudioPath: "/s.wav"})
	require.NoError(t, err)
	_, err = db.CreateGeneration(ctx, backend.Generation{Text: "without audio"})
	require.NoError(t, err)

	one, err := db.Generation(ctx, g.ID)
	require.NoError(t, err)
	require.Equal(t, "/placed/a.wav", one.AudioPath)
	for _, f := range []backend.GenerationFilter{{}, {Search: "x"}, {Brief: true}} {
		list, err := db.Generations(ctx, f)
		require.NoError(t, err)
		require.NotEmpty(t, list.Items)
		for _, item := range list.Items {
			require.Contains(t, []string{"", "/placed/a.wav"}, item.AudioPath)
		}
	}
	heardAgain, err := db.Transcript(ctx, transcript.ID)
	require.NoError(t, err)
	require.Equal(t, "/placed/t.wav", heardAgain.AudioPath)
	joined, err := db.Script(ctx, script.ID)
	require.NoError(t, err)
	require.Equal(t, "/placed/s.wav", joined.AudioPath)
	paths, err := db.AudioPaths(ctx)
	require.NoError(t, err)
	require.Equal(t, map[string]string{g.ID: "/placed/a.wav"}, paths)
	paths, err = db.TranscriptPaths(ctx)
	require.NoError(t, err)
	require.Equal(t, map[string]string{transcript.ID: "/placed/t.wav"}, paths)
	scripts, err := db.ScriptPaths(ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"/placed/s.wav"}, scripts)
	removed, err := db.DeleteTranscripts(ctx, []string{transcript.ID})
	require.NoError(t, err)
	require.Equal(t, "/placed/t.wav", removed[0].AudioPath)
	deleted, err := db.DeleteGenerations(ctx, []string{g.ID})
	require.NoError(t, err)
	require.Equal(t, "/placed/a.wav", deleted[0].AudioPath)
}

// TestStoredPathsStay: a file that cannot be used at the moment, as of a disk that is not there, is found again later, whatever
// was changed meanwhile.
func TestStoredPathsStay(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "voicewright.db")
	open := func(place func(string) string) *sqlite.DB {
		db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Place: place})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, db.Close()) })
		return db
	}
	db := open(nil)
	g, err := db.CreateGeneration(ctx, backend.Generation{Text: "x", AudioPath: "/a.wav", Status: backend.StatusComplete})
	require.NoError(t, err)
	revised, err := db.CreateGeneration(ctx, backend.Generation{Text: "x", AudioPath: "/b1.wav", Status: backend.StatusComplete})
	require.NoError(t, err)
	_, err = db.ReviseGeneration(ctx, revised.ID, func(g *backend.Generation) error {
		g.AudioPath = "/b2.wav"
		return nil
	})
	require.NoError(t, err)
	transcript, err := db.CreateTranscript(ctx, backend.Transcript{Title: "x", AudioPath: "/t.wav", Status: backend.StatusComplete})
	require.NoError(t, err)
	script, err := db.CreateScript(ctx, backend.Script{AudioPath: "/s.wav"})
	require.NoError(t, err)
	require.NoError(t, db.Close())

	db = open(func(string) string { return "/missing" })
	title := "other"
	for _, id := range []string{g.ID, revised.ID} {
		changed, err := db.PatchGeneration(ctx, id, backend.GenerationPatch{Title: &title})
		require.NoError(t, err)
		require.Equal(t, "/missing", changed.AudioPath)
	}
	_, err = db.ReviseGeneration(ctx, g.ID, func(g *backend.Generation) error {
		g.AudioPath = "/a2.wav"
		return nil
	})
	require.NoError(t, err)
	undone, err := db.UndoRevision(ctx, revised.ID)
	require.NoError(t, err)
	require.Equal(t, "/missing", undone.AudioPath)
	_, err = db.UpdateTranscript(ctx, transcript.ID, func(t *backend.Transcript) error {
		t.Title = title
		return nil
	})
	require.NoError(t, err)
	_, err = db.UpdateScript(ctx, script.ID, func(s *backend.Script) error {
		s.Title = title
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, db.Close())

	db = open(nil)
	generations, err := db.AudioPaths(ctx)
	require.NoError(t, err)
	require.Equal(t, map[string]string{g.ID: "/a2.wav", revised.ID: "/b1.wav"}, generations)
	former, ok, err := db.FormerVersion(ctx, g.ID)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "/a.wav", former.AudioPath)
	transcripts, err := db.TranscriptPaths(ctx)
	require.NoError(t, err)
	require.Equal(t, map[string]string{transcript.ID: "/t.wav"}, transcripts)
	scripts, err := db.ScriptPaths(ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"/s.wav"}, scripts)
}
