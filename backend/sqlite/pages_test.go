package sqlite_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

func TestWrongPages(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	for range 3 {
		_, err := db.CreateGeneration(ctx, backend.Generation{Text: "x"})
		require.NoError(t, err)
	}
	_, err := db.AddPresets(ctx, presets("e", 3))
	require.NoError(t, err)
	history, err := db.Generations(ctx, backend.GenerationFilter{Page: backend.Page{Limit: 1}})
	require.NoError(t, err)
	profiles, err := db.Profiles(ctx, backend.ProfileFilter{Page: backend.Page{Limit: 1}})
	require.NoError(t, err)

	encode := base64.RawURLEncoding.EncodeToString
	invalid := func(err error, field string) {
		t.Helper()
		var e *backend.ValidationError
		require.ErrorAs(t, err, &e)
		require.Equal(t, []string{"query", field}, e.Fields[0].Loc)
	}
	for _, cursor := range []string{
		"x", "%%%", "null", encode([]byte("null")), encode([]byte("{}")), encode([]byte(`{"l":"history","s":"newest","q":0}`)),
		encode([]byte(`{"l":"history","s":"newest","q":1,"x":1}`)), encode([]byte(`{"l":"history","s":"newest","q":1}{}`)),
		encode([]byte(`{"l":"history","s":"longest","n":1,"q":1}`)), *history.NextCursor + "A", *profiles.NextCursor,
	} {
		_, err := db.Generations(ctx, backend.GenerationFilter{Page: backend.Page{Cursor: cursor}})
		invalid(err, "cursor")
	}
	_, err = db.Profiles(ctx, backend.ProfileFilter{Page: backend.Page{Cursor: *history.NextCursor}})
	invalid(err, "cursor")
	_, err = db.Generations(ctx, backend.GenerationFilter{
		Sort: backend.HistoryOldest, Page: backend.Page{Cursor: *history.NextCursor},
	})
	invalid(err, "cursor")
	for _, limit := range []int{-1, backend.MaxPageLimit + 1} {
		_, err = db.Generations(ctx, backend.GenerationFilter{Page: backend.Page{Limit: limit}})
		invalid(err, "limit")
		_, err = db.Profiles(ctx, backend.ProfileFilter{Page: backend.Page{Limit: limit}})
		invalid(err, "limit")
	}
	_, err = db.Generations(ctx, backend.GenerationFilter{Sort: "rank"})
	invalid(err, "sort")
	_, err = db.Profiles(ctx, backend.ProfileFilter{Sort: "rank"})
	invalid(err, "sort")
}

func TestTotalIsCapped(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	batch := make([]backend.Generation, backend.TotalCap+5)
	for i := range batch {
		batch[i] = backend.Generation{ID: fmt.Sprint(i), Text: "word", Duration: float64(i), Engine: "e"}
	}
	require.NoError(t, db.Fill(ctx, batch[:backend.TotalCap]))
	filters := []backend.GenerationFilter{
		{},
		{Search: "word"},
		{Engine: "e"},
		{Search: "wor", Engine: "e"},
		{Search: "word", Sort: backend.HistoryLongest},
		{Engine: "e", Sort: backend.HistoryLongest},
	}
	for _, capped := range []bool{false, true} {
		for _, f := range filters {
			list, err := db.Generations(ctx, f)
			require.NoError(t, err)
			require.Equal(t, backend.TotalCap, list.Total)
			require.Equal(t, capped, list.TotalCapped)
			require.Len(t, list.Items, backend.DefaultPageLimit)
		}
		if capped {
			require.Equal(t, backend.TotalCap+5, countParts(t, db, backend.GenerationFilter{Search: "word"}),
				"the parts go on behind the counted ones")
		}
		if !capped {
			require.NoError(t, db.Fill(ctx, batch[backend.TotalCap:]))
		}
	}
}

// countParts walks over all parts of a list and counts what is in them.
func countParts(t *testing.T, db *sqlite.DB, f backend.GenerationFilter) int {
	t.Helper()
	seen := map[string]bool{}
	f.Limit = backend.MaxPageLimit
	for {
		list, err := db.Generations(context.Background(), f)
		require.NoError(t, err)
		for _, item := range list.Items {
			require.False(t, seen[item.ID], "each is seen once")
			seen[item.ID] = true
		}
		if list.NextCursor == nil {
			return len(seen)
		}
		f.Cursor = *list.NextCursor
	}
}

// TestHistoryPages walks over the history in parts of any size and order, with and without a search and filters,
// while new generations come in: each that was there at the start is seen once, in order.
func TestHistoryPages(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	rapid.Check(t, func(r *rapid.T) {
		require.NoError(r, db.Exec(ctx, `DELETE FROM generations; DELETE FROM history_search`))
		n := rapid.IntRange(0, 40).Draw(r, "rows")
		var want []backend.Generation
		f := backend.GenerationFilter{
			Sort: rapid.SampledFrom([]backend.GenerationSort{
				"", backend.HistoryNewest, backend.HistoryOldest, backend.HistoryLongest, backend.HistoryShortest,
			}).Draw(r, "sort"),
			Search: rapid.SampledFrom([]string{"", "even", "wor"}).Draw(r, "search"),
			Engine: rapid.SampledFrom([]string{"", "e0"}).Draw(r, "engine"),
		}
		f.Limit = rapid.IntRange(1, 12).Draw(r, "limit")
		for i := range n {
			g, err := db.CreateGeneration(ctx, backend.Generation{
				Text: "word " + []string{"even", "odd"}[i%2], Engine: fmt.Sprintf("e%d", i%3),
				Duration: rapid.SampledFrom([]float64{0, 1.0 / 3, 2.5}).Draw(r, "duration"),
			})
			require.NoError(r, err)
			if (f.Search != "even" || i%2 == 0) && (f.Engine == "" || i%3 == 0) {
				want = append(want, g)
			}
		}
		sortHistory(want, f.Sort)
		insert := f.Sort == "" || f.Sort == backend.HistoryNewest
		var seen []string
		for {
			list, err := db.Generations(ctx, f)
			require.NoError(r, err)
			require.LessOrEqual(r, len(list.Items), f.Limit)
			for _, item := range list.Items {
				seen = append(seen, item.ID)
			}
			if list.NextCursor == nil {
				break
			}
			f.Cursor = *list.NextCursor
			if insert {
				_, err := db.CreateGeneration(ctx, backend.Generation{Text: "word even", Engine: "e0"})
				require.NoError(r, err)
			}
		}
		require.Equal(r, idsOf(want), seen)
	})
}

func idsOf(list []backend.Generation) []string {
	var ids []string
	for _, g := range list {
		ids = append(ids, g.ID)
	}
	return ids
}

// sortHistory puts generations in order of acceptance into the order of a list.
func sortHistory(list []backend.Generation, sort backend.GenerationSort) {
	if sort != backend.HistoryOldest && sort != backend.HistoryShortest {
		slices.Reverse(list)
	}
	slices.SortStableFunc(list, func(a, b backend.Generation) int {
		switch {
		case sort == backend.HistoryLongest && a.Duration != b.Duration:
			return int(10 * (b.Duration - a.Duration))
		case sort == backend.HistoryShortest && a.Duration != b.Duration:
			return int(10 * (a.Duration - b.Duration))
		}
		return 0
	})
}
