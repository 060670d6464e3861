package sqlite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// TestSearchFindsWhatIsThere compares what the index finds for many starts of words, in all orders and page by page, with the texts
// themselves, while texts are deleted. How a search is planned depends on how many rows a library seems to have.
func TestSearchFindsWhatIsThere(t *testing.T) {
	t.Parallel()
	for name, last := range map[string]int{"small": 0, "large": 1_000_000} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			require.NoError(t, db.Exec(context.Background(), fmt.Sprintf(
				`INSERT INTO sqlite_sequence (name, seq) VALUES ('generations', %d)`, last)))
			chance := rand.New(rand.NewPCG(1, 2))
			letters := []string{"a", "b", "A", "é", "ß", "e\u0301", "7", "東", "ー", "ทา", "ﾊﾟ", "İ", "😀", "'", `"`, "-", "\u0301", "\U00020000", "ж"}
			word := func(longest int) (s string) {
				for range 1 + chance.IntN(longest) {
					s += letters[min(chance.IntN(len(letters)), chance.IntN(len(letters)))]
				}
				return s
			}
			many := func() string { return strings.Repeat("z", 5) + string(rune('а'+chance.IntN(48))) } // Cyrillic
			filled := make([]backend.Generation, 300)
			for i := range filled {
				filled[i] = backend.Generation{
					ID: fmt.Sprintf("%032x", i), CreatedAt: time.Unix(int64(i), 0), Duration: float64(chance.IntN(9)), Favorite: i%3 == 0,
					Text: "abab" + word(8) + " " + word(6) + " " + word(9) + " " + many() + strings.Repeat(" zzzzz", i%2),
				}
			}
			require.NoError(t, db.Fill(context.Background(), filled))
			for round := range 180 {
				typed := []string{word(9), "abab" + word(3), "abab" + word(2) + " " + word(2), "zzzzz ababa", "zzzzz" + word(1), many()}[round%6]
				filled = checkSearch(t, db, filled, typed, round)
			}
		})
	}
}

// checkSearch returns the generations that are left.
func checkSearch(t *testing.T, db *sqlite.DB, all []backend.Generation, typed string, round int) []backend.Generation {
	t.Helper()
	if sqlite.Fold(typed) == "" {
		return all
	}
	f := backend.GenerationFilter{Search: typed, Page: backend.Page{Limit: 1 + round%40}}
	f.Sort = []backend.GenerationSort{backend.HistoryNewest, backend.HistoryOldest, backend.HistoryLongest}[round/6%3]
	if round%4 == 0 {
		f.Favorite = backend.Yes
	}
	var want []backend.Generation
	for _, g := range all {
		hit := !slices.ContainsFunc(strings.Fields(typed), func(w string) bool {
			return sqlite.Fold(w) != "" && sqlite.Highlight("", g.Text, w) == ""
		})
		if hit && (g.Favorite || f.Favorite != backend.Yes) {
			want = append(want, g)
		}
	}
	if f.Sort != backend.HistoryOldest {
		slices.Reverse(want)
	}
	if f.Sort == backend.HistoryLongest {
		slices.SortStableFunc(want, func(a, b backend.Generation) int { return int(b.Duration - a.Duration) })
	}
	var found []string
	for {
		list, err := db.Generations(context.Background(), f)
		require.NoError(t, err)
		require.Equal(t, len(want), list.Total, "%q", typed)
		for _, item := range list.Items {
			found = append(found, item.ID)
		}
		if list.NextCursor == nil {
			break
		}
		f.Cursor = *list.NextCursor
	}
	ids := make([]string, len(want))
	for i, g := range want {
		ids[i] = g.ID
	}
	require.Equal(t, strings.Join(ids, " "), strings.Join(found, " "), "%q", typed)
	if len(ids) > 0 && round%5 == 0 {
		_, err := db.DeleteGenerations(context.Background(), ids[:1])
		require.NoError(t, err)
		all = slices.DeleteFunc(slices.Clone(all), func(g backend.Generation) bool { return g.ID == ids[0] })
	}
	return all
}
