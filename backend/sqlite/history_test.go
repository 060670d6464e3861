package sqlite_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestHistoryFilters(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, g := range []backend.Generation{
		{ID: "0", ProfileID: "a", Engine: "piper", Status: backend.StatusComplete, Duration: 3, Text: "common"},
		{ID: "1", ProfileID: "b", Engine: "kokoro", Status: backend.StatusFailed, Favorite: true, Text: "common"},
		{ID: "2", ProfileID: "a", Engine: "hosted", Source: backend.SourceHosted, Status: backend.StatusComplete, Duration: 5, Text: "common rare"},
		{ID: "3", ProfileID: "a", Engine: "piper", Status: backend.StatusComplete, Duration: 3, Favorite: true, Text: "other"},
	} {
		g.CreatedAt = start.Add(time.Duration(i) * time.Hour)
		_, err := db.CreateGeneration(ctx, g)
		require.NoError(t, err)
	}
	type filter = backend.GenerationFilter
	cases := []struct {
		name   string
		filter filter
		want   string
	}{
		{"newest first", filter{}, "3210"},
		{"oldest", filter{Sort: backend.HistoryOldest}, "0123"},
		{"longest", filter{Sort: backend.HistoryLongest}, "2301"},
		{"shortest", filter{Sort: backend.HistoryShortest}, "1032"},
		{"profile", filter{ProfileID: "a"}, "320"},
		{"engine", filter{Engine: "piper"}, "30"},
		{"source", filter{Source: backend.SourceHosted}, "2"},
		{"status", filter{Status: backend.StatusFailed}, "1"},
		{"favorites", filter{Favorite: backend.Yes}, "31"},
		{"no favorites", filter{Favorite: backend.No}, "20"},
		{"from", filter{From: start.Add(2 * time.Hour)}, "32"},
		{"to is not part of it", filter{To: start.Add(2 * time.Hour)}, "10"},
		{"from and to, oldest", filter{From: start.Add(time.Hour), To: start.Add(3 * time.Hour), Sort: backend.HistoryOldest}, "12"},
		{"several", filter{ProfileID: "a", Engine: "piper", Favorite: backend.No, Status: backend.StatusComplete}, "0"},
		{"several, longest", filter{ProfileID: "a", Sort: backend.HistoryLongest}, "230"},
		{"engine, longest", filter{Engine: "piper", Sort: backend.HistoryLongest}, "30"},
		{"engine and more, shortest", filter{Engine: "piper", ProfileID: "a", Favorite: backend.No, Sort: backend.HistoryShortest}, "0"},
		{"search", filter{Search: "comm"}, "210"},
		{"search, oldest", filter{Search: "comm", Sort: backend.HistoryOldest}, "012"},
		{"search, longest", filter{Search: "comm", Sort: backend.HistoryLongest}, "201"},
		{"search in a profile", filter{Search: "comm", ProfileID: "a"}, "20"},
		{"search in a profile, shortest", filter{Search: "comm", ProfileID: "a", Sort: backend.HistoryShortest}, "02"},
		{"search of nothing", filter{Search: "comm", Engine: "x"}, ""},
		{"blank search", filter{Search: "  "}, "3210"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, limit := range []int{0, 1} {
				f, got := c.filter, ""
				f.Limit = limit
				for {
					list, err := db.Generations(ctx, f)
					require.NoError(t, err)
					require.Equal(t, len(c.want), list.Total)
					require.False(t, list.TotalCapped)
					for _, item := range list.Items {
						got += item.ID
					}
					if list.NextCursor == nil {
						break
					}
					f.Cursor = *list.NextCursor
				}
				require.Equal(t, c.want, got)
			}
		})
	}
}
