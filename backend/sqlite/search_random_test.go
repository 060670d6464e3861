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

// TestSearchFindsWhatIsThere compares what the index finds for many starts of words with the texts themselves, while texts are deleted.
func TestSearchFindsWhatIsThere(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	chance := rand.New(rand.NewPCG(1, 2))
	letters := []string{"a", "b", "A", "é", "ß", "e\u0301", "7", "東", "ー", "ทา", "ﾊﾟ", "İ", "😀", "'", `"`, "-", "\u0301", "\U00020000", "ж"}
	word := func(longest int) (s string) {
		for range 1 + chance.IntN(longest) {
			s += letters[min(chance.IntN(len(letters)), chance.IntN(len(letters)))]
		}
		return s
	}
	texts := map[string]string{}
	filled := make([]backend.Generation, 200)
	for i := range filled {
		id := fmt.Sprintf("%032x", i)
		texts[id] = "abab" + word(8) + " " + word(6) + " " + word(9)
		filled[i] = backend.Generation{ID: id, Text: texts[id], CreatedAt: time.Unix(int64(i), 0)}
	}
	require.NoError(t, db.Fill(ctx, filled))
	for round := range 150 {
		typed := []string{word(9), "abab" + word(3), "abab" + word(2) + " " + word(2)}[round%3]
		if sqlite.Fold(typed) == "" {
			continue
		}
		var want []string
		for id, text := range texts {
			if !slices.ContainsFunc(strings.Fields(typed), func(f string) bool {
				return sqlite.Fold(f) != "" && sqlite.Highlight("", text, f) == ""
			}) {
				want = append(want, id)
			}
		}
		list, err := db.Generations(ctx, backend.GenerationFilter{Search: typed, Page: backend.Page{Limit: 100}})
		require.NoError(t, err)
		require.Equal(t, len(want), list.Total, "%q", typed)
		for _, item := range list.Items {
			require.Contains(t, want, item.ID, "%q", typed)
		}
		if len(list.Items) > 0 && round%5 == 0 {
			_, err := db.DeleteGenerations(ctx, []string{list.Items[0].ID})
			require.NoError(t, err)
			delete(texts, list.Items[0].ID)
		}
	}
}
