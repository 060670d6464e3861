package sqlite_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// raw makes settings of keys and values in turn; an empty value is nil.
func raw(pairs ...string) map[string]json.RawMessage {
	settings := map[string]json.RawMessage{}
	for i := 0; i < len(pairs); i += 2 {
		settings[pairs[i]] = nil
		if pairs[i+1] != "" {
			settings[pairs[i]] = json.RawMessage(pairs[i+1])
		}
	}
	return settings
}

// full is a generation with every field set.
func full() backend.Generation {
	credits, parent, seed, speed, normalize := int64(210), "parent", int64(7), 1.5, true
	return backend.Generation{
		ProfileID: "p", ProfileName: "Ada", Text: "Hello <there>", Language: "en", AudioPath: "/a.wav", Duration: 1.0 / 3,
		Seed: 1<<31 - 1, CreatedAt: time.UnixMilli(1_790_000_000_123).UTC(), Status: backend.StatusComplete, Progress: 1,
		Error:      &backend.Failure{Code: backend.CodeEngineFailed, Detail: "d", Remedy: "r", Params: map[string]any{"x": "y"}},
		SampleRate: 24000, Channels: 1, Format: "wav", ModelName: "kokoro", Engine: "kokoro", Voice: "af", Speed: 1.25,
		Source: backend.SourceHosted, Credits: &credits, Favorite: true, Title: "Titel", ParentID: &parent,
		Chunks: []backend.Chunk{{Text: "Hello", Start: 0.1, End: 0.2, Take: 1, Takes: 2}},
		Receipt: &backend.Receipt{
			AppVersion: "1", Seed: 7, ModelFiles: []backend.FileHash{{Path: "m", SHA256: "s"}}, Parameters: map[string]any{"a": 1.5},
			Chunks: []backend.ReceiptChunk{{Text: "Hello", ReceiptTake: backend.ReceiptTake{Seed: 8}}}, Runtimes: map[string]string{"ort": "1"}, Reproducible: true,
		},
		Partial: &backend.Partial{Chunks: 86, Total: 364, Seconds: 1204.25},
		Request: backend.GenerationRequest{
			GenerateOptions: backend.GenerateOptions{Voice: "kokoro:af", Seed: &seed, Speed: &speed, Normalize: &normalize},
		},
	}
}

func TestGenerationKeepsEveryField(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	made, err := db.CreateGeneration(ctx, full())
	require.NoError(t, err)
	want := full()
	want.ID = made.ID
	require.Equal(t, want, made)
	got, err := db.Generation(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, want, got)

	before := time.Now().Truncate(time.Millisecond)
	empty, err := db.CreateGeneration(ctx, backend.Generation{Text: "x"})
	require.NoError(t, err)
	require.Equal(t, backend.StatusQueued, empty.Status)
	require.Equal(t, backend.SourceLocal, empty.Source)
	require.False(t, empty.CreatedAt.Before(before) || empty.CreatedAt.After(time.Now()), empty.CreatedAt)
	got, err = db.Generation(ctx, empty.ID)
	require.NoError(t, err)
	require.Equal(t, empty, got)
	require.NotNil(t, got.Chunks, "an empty list, not null")

	_, err = db.CreateGeneration(ctx, made)
	require.Error(t, err, "an id is used once")
}

// TestUpdateGenerationKeepsTheStateTable tries every step between two states.
func TestUpdateGenerationKeepsTheStateTable(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	for _, from := range backend.Statuses() {
		for _, to := range backend.Statuses() {
			g, err := db.CreateGeneration(ctx, backend.Generation{Status: from, Text: "x"})
			require.NoError(t, err)
			_, err = db.UpdateGeneration(ctx, g.ID, func(g *backend.Generation) error {
				g.Status, g.Title = to, "changed"
				return nil
			})
			got, getErr := db.Generation(ctx, g.ID)
			require.NoError(t, getErr)
			if from == to || from.CanMove(to) {
				require.NoError(t, err)
				require.Equal(t, to, got.Status)
				require.Equal(t, "changed", got.Title)
			} else {
				require.Equal(t, backend.CodeNotInProgress, backend.CodeOf(err))
				require.Equal(t, g, got, "nothing is stored")
			}
		}
	}
}

func TestUpdateGeneration(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	g, err := db.CreateGeneration(ctx, backend.Generation{Text: "Erste Wörter"})
	require.NoError(t, err)

	mine := errors.New("mine")
	_, err = db.UpdateGeneration(ctx, g.ID, func(g *backend.Generation) error {
		g.Title = "lost"
		return mine
	})
	require.ErrorIs(t, err, mine)

	changed, err := db.UpdateGeneration(ctx, g.ID, func(c *backend.Generation) error {
		c.ID, c.CreatedAt, c.Title, c.Text, c.Chunks = "other", time.Now().Add(time.Hour), "Neuer Titel", "Zweiter Text", nil
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, g.ID, changed.ID)
	require.Equal(t, g.CreatedAt, changed.CreatedAt)
	require.Equal(t, []string{g.ID}, search(t, db, "titel zweiter"))
	require.Empty(t, search(t, db, "worter"))

	title, favorite := "Patched", true
	patched, err := db.PatchGeneration(ctx, g.ID, backend.GenerationPatch{Title: &title, Favorite: &favorite})
	require.NoError(t, err)
	require.True(t, patched.Favorite)
	require.Equal(t, []string{g.ID}, search(t, db, "patch"))
	require.Empty(t, search(t, db, "neuer"))

	for _, err := range []error{
		second(db.UpdateGeneration(ctx, "x", func(*backend.Generation) error { return nil })),
		second(db.PatchGeneration(ctx, "x", backend.GenerationPatch{})),
		second(db.Generation(ctx, "x")),
	} {
		require.Equal(t, backend.CodeGenerationNotFound, backend.CodeOf(err))
	}
}

func second(_ backend.Generation, err error) error { return err }

// search returns the ids of what a search finds.
func search(t testing.TB, db *sqlite.DB, typed string) []string {
	t.Helper()
	list, err := db.Generations(context.Background(), backend.GenerationFilter{Search: typed})
	require.NoError(t, err)
	require.Equal(t, len(list.Items), list.Total)
	ids := []string{}
	for _, item := range list.Items {
		ids = append(ids, item.ID)
	}
	return ids
}

func TestDeleteGenerations(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	var ids []string
	for i := range 5 {
		g, err := db.CreateGeneration(ctx, backend.Generation{Text: "word", AudioPath: fmt.Sprintf("/%d.wav", i)})
		require.NoError(t, err)
		ids = append(ids, g.ID)
	}
	deleted, err := db.DeleteGenerations(ctx, []string{ids[1], ids[3], "unknown", ids[1]})
	require.NoError(t, err)
	require.Len(t, deleted, 2)
	require.ElementsMatch(t, []string{"/1.wav", "/3.wav"}, []string{deleted[0].AudioPath, deleted[1].AudioPath})
	require.Equal(t, []string{ids[4], ids[2], ids[0]}, search(t, db, "word"))
	paths, err := db.AudioPaths(ctx)
	require.NoError(t, err)
	require.Equal(t, map[string]string{ids[0]: "/0.wav", ids[2]: "/2.wav", ids[4]: "/4.wav"}, paths)

	deleted, err = db.DeleteGenerations(ctx, nil)
	require.NoError(t, err)
	require.Empty(t, deleted)
	require.NoError(t, db.IntegrityCheck(ctx))
}

// TestExpireGenerations leaves what became a favourite, or is spoken again, since it was found to be old.
func TestExpireGenerations(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	var ids []string
	for _, g := range []backend.Generation{
		{Status: backend.StatusComplete},
		{Status: backend.StatusComplete, Favorite: true},
		{Status: backend.StatusFailed},
		{Status: backend.StatusQueued},
		{Status: backend.StatusGenerating},
		{Status: backend.StatusCancelled},
	} {
		g.Text = "word"
		g, err := db.CreateGeneration(ctx, g)
		require.NoError(t, err)
		ids = append(ids, g.ID)
	}
	expired, err := db.ExpireGenerations(ctx, ids)
	require.NoError(t, err)
	require.Len(t, expired, 3)
	require.Equal(t, []string{ids[4], ids[3], ids[1]}, search(t, db, "word"))
	require.NoError(t, db.IntegrityCheck(ctx))
}

func TestRecoverEndsWhatWasRunning(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "voicewright.db")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	require.NoError(t, err)
	status := map[string]backend.Status{}
	for _, s := range backend.Statuses() {
		g, err := db.CreateGeneration(ctx, backend.Generation{Status: s, Text: "x", Progress: 0.5})
		require.NoError(t, err)
		status[g.ID] = s
	}
	require.NoError(t, db.Close())

	db = openAt(t, path)
	ended, err := db.Recover(ctx)
	require.NoError(t, err)
	require.Len(t, ended, 4)
	for id, before := range status {
		g, err := db.Generation(ctx, id)
		require.NoError(t, err)
		if before.Ended() {
			require.Equal(t, before, g.Status)
			continue
		}
		require.Equal(t, backend.StatusFailed, g.Status)
		require.Equal(t, backend.CodeInterrupted, g.Error.Code)
		require.NotEmpty(t, g.Error.Remedy)
		require.InDelta(t, 0.5, g.Progress, 0)
	}
	ended, err = db.Recover(ctx)
	require.NoError(t, err)
	require.Empty(t, ended)
}

func TestStats(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	stats, err := db.Stats(ctx)
	require.NoError(t, err)
	require.Equal(t, backend.HistoryStats{ByEngine: map[string]int{}, ByProfile: map[string]int{}}, stats)

	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, g := range []backend.Generation{
		{Status: backend.StatusComplete, Engine: "piper", ProfileName: "Ada", Text: "größe", Duration: 2},
		{Status: backend.StatusFailed, Engine: "piper", ProfileName: "Bob", Text: "nothing", Duration: 0},
		{Status: backend.StatusQueued, ProfileName: "Ada", Text: "later"},
		{Status: backend.StatusComplete, Engine: "kokoro", ProfileName: "Ada", Text: "two", Duration: 1.5},
	} {
		g.CreatedAt = start.Add(time.Duration(i) * time.Hour)
		_, err := db.CreateGeneration(ctx, g)
		require.NoError(t, err)
	}
	stats, err = db.Stats(ctx)
	require.NoError(t, err)
	require.Equal(t, backend.HistoryStats{
		Generations: 4, Complete: 2, Failed: 1, Seconds: 3.5, Characters: 8,
		ByEngine: map[string]int{"piper": 2, "kokoro": 1}, ByProfile: map[string]int{"Ada": 3, "Bob": 1},
	}, stats)
}

// TestManyAtOnce writes and reads from eight callers and then counts what is there.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	shared, err := db.CreateGeneration(ctx, backend.Generation{Text: "shared"})
	require.NoError(t, err)
	const callers, rounds = 8, 20
	var wg sync.WaitGroup
	failures := make(chan error, callers*rounds*5)
	for c := range callers {
		wg.Go(func() {
			for i := range rounds {
				g, err := db.CreateGeneration(ctx, backend.Generation{Text: fmt.Sprintf("caller %d round %d", c, i)})
				failures <- err
				_, err = db.UpdateGeneration(ctx, shared.ID, func(g *backend.Generation) error {
					g.Seed++
					return nil
				})
				failures <- err
				_, err = db.Generations(ctx, backend.GenerationFilter{Search: "caller"})
				failures <- err
				_, err = db.Create(ctx, backend.Profile{Name: fmt.Sprintf("p %d %d", c, i)})
				failures <- err
				if i%2 == 0 {
					_, err = db.DeleteGenerations(ctx, []string{g.ID})
					failures <- err
				}
			}
		})
	}
	wg.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
	g, err := db.Generation(ctx, shared.ID)
	require.NoError(t, err)
	require.Equal(t, int64(callers*rounds), g.Seed, "no change was lost")
	list, err := db.Generations(ctx, backend.GenerationFilter{Search: "caller"})
	require.NoError(t, err)
	require.Equal(t, callers*rounds/2, list.Total)
	require.NoError(t, db.IntegrityCheck(ctx))
}

// TestCheckNames finds the ids of a library that somebody else made and that would lead out of the folder of takes.
func TestCheckNames(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"../../documents", "/etc", `..\\x`, ".", "a b"} {
		path := filepath.Join(t.TempDir(), "voicewright.db")
		db := openAt(t, path)
		_, err := db.CreateGeneration(t.Context(), full())
		require.NoError(t, err)
		require.NoError(t, db.CheckNames(t.Context()))
		_, err = db.CreateGeneration(t.Context(), backend.Generation{ID: id, Text: "x"})
		require.NoError(t, err)
		requireError(t, db.CheckNames(t.Context()), backend.CodeDatabaseCorrupt, path)
	}
}
