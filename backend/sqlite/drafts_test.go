package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// TestBriefDrafts is what a menu asks for.
func TestBriefDrafts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, _ := openAtTimes(t)
	for i := range 3 {
		_, err := db.CreateDraft(ctx, backend.Draft{Name: fmt.Sprint(i), Content: content(t, `{"kind":"script","text":"`+strings.Repeat("long ", 30)+`"}`)})
		require.NoError(t, err)
	}
	for _, brief := range []bool{false, true} {
		all := walk(t, 2, func(p backend.Page) (backend.List[backend.Draft], error) {
			return db.Drafts(ctx, backend.DraftFilter{Brief: brief, Page: p})
		})
		require.Len(t, all, 3)
		for i, d := range all {
			require.Equal(t, fmt.Sprint(2-i), d.Name)
			require.Equal(t, brief, d.Content["text"] == nil)
			require.Equal(t, `"script"`, string(d.Content["kind"]))
		}
	}
}

// TestDraftsPageByBytes: a hundred drafts may have 4 MB each, and a part of the list is held in memory.
func TestDraftsPageByBytes(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, _ := openAtTimes(t)
	for i := range 5 {
		_, err := db.CreateDraft(ctx, backend.Draft{Name: fmt.Sprint(i), Content: content(t, `{"kind":"text","text":"`+strings.Repeat("x", 4<<20-100)+`"}`)})
		require.NoError(t, err)
	}
	first, err := db.Drafts(ctx, backend.DraftFilter{Page: backend.Page{Limit: 200}})
	require.NoError(t, err)
	require.Len(t, first.Items, 3)
	require.Equal(t, 5, first.Total)
	require.NotNil(t, first.NextCursor)
	remaining, err := db.Drafts(ctx, backend.DraftFilter{Page: backend.Page{Limit: 200, Cursor: *first.NextCursor}})
	require.NoError(t, err)
	require.Len(t, remaining.Items, 2)
	require.Nil(t, remaining.NextCursor)
	require.Equal(t, "4", first.Items[0].Name)
	require.Equal(t, "0", remaining.Items[1].Name)

	brief, err := db.Drafts(ctx, backend.DraftFilter{Brief: true, Page: backend.Page{Limit: 200}})
	require.NoError(t, err)
	require.Len(t, brief.Items, 5, "of a menu nothing is left out")
}

// openStanding opens an empty library whose clock shows what at holds.
func openStanding(t *testing.T, at *atomic.Pointer[time.Time]) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{
		Path: filepath.Join(t.TempDir(), "voicewright.db"), Now: func() time.Time { return *at.Load() },
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// TestDraftChangedElsewhere saves from two windows in the same millisecond, and with a clock that was put back.
func TestDraftChangedElsewhere(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	var now atomic.Pointer[time.Time]
	start := time.Date(2026, 11, 20, 12, 0, 0, 123_456_789, time.UTC)
	now.Store(&start)
	db := openStanding(t, &now)
	made, err := db.CreateDraft(ctx, backend.Draft{Name: "One", Content: content(t, `{"text":"a"}`)})
	require.NoError(t, err)
	first, err := db.UpdateDraft(ctx, made.ID, backend.DraftPatch{Content: content(t, `{"text":"b"}`), IfUpdatedAt: &made.UpdatedAt})
	require.NoError(t, err)
	require.True(t, first.UpdatedAt.After(made.UpdatedAt), "the clock stands still")
	earlier := start.Add(-time.Hour)
	now.Store(&earlier)
	second, err := db.UpdateDraft(ctx, made.ID, backend.DraftPatch{Name: new("Two"), IfUpdatedAt: &first.UpdatedAt})
	require.NoError(t, err)
	require.True(t, second.UpdatedAt.After(first.UpdatedAt), "the clock was put back")

	for _, stale := range []time.Time{made.UpdatedAt, first.UpdatedAt, second.UpdatedAt.Add(time.Nanosecond), {}} {
		for _, patch := range []backend.DraftPatch{{Content: content(t, `{"text":"lost"}`)}, {Name: new(" ")}, {}} {
			patch.IfUpdatedAt = &stale
			_, err := db.UpdateDraft(ctx, made.ID, patch)
			require.Equal(t, backend.CodeDraftChanged, backend.CodeOf(err), stale)
			require.Equal(t, map[string]any{"name": "Two", "updated_at": second.UpdatedAt}, backend.AsError(err).Params)
			require.NotEmpty(t, backend.AsError(err).Remedy)
		}
	}
	elsewhere := second.UpdatedAt.In(time.FixedZone("", 3600))
	same, err := db.UpdateDraft(ctx, made.ID, backend.DraftPatch{IfUpdatedAt: &elsewhere})
	require.NoError(t, err)
	require.Equal(t, second, same)
	stored, err := db.Draft(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, second, stored)
	require.JSONEq(t, `"b"`, string(stored.Content["text"]))

	require.NoError(t, db.DeleteDraft(ctx, made.ID))
	_, err = db.UpdateDraft(ctx, made.ID, backend.DraftPatch{IfUpdatedAt: &second.UpdatedAt})
	require.Equal(t, backend.CodeDraftNotFound, backend.CodeOf(err))
}

// TestOneOfManyChangesWins sends changes of one state of a draft at once.
func TestOneOfManyChangesWins(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := new(atomic.Pointer[time.Time])
	now.Store(new(time.Now()))
	db := openStanding(t, now)
	made, err := db.CreateDraft(ctx, backend.Draft{Name: "One"})
	require.NoError(t, err)
	var won, refused atomic.Int64
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			_, err := db.UpdateDraft(ctx, made.ID, backend.DraftPatch{Name: new(fmt.Sprint(i)), IfUpdatedAt: &made.UpdatedAt})
			switch backend.CodeOf(err) {
			case "":
				won.Add(1)
			case backend.CodeDraftChanged:
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, won.Load())
	require.EqualValues(t, 11, refused.Load())
}
