package sqlite_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

func TestSearch(t *testing.T) {
	ctx := context.Background()
	db := open(t)
	texts := []string{
		"Çalışma odasında ışık açık kaldı.",
		"Die Straße nach Österreich, größer als sonst.",
		"Don't stop; l'homme qui rit. ﬁnal Ⅷ ½",
		"東京は今日も晴れています。コーヒーを飲む。ﾊﾟﾝ",
		"Привет, мир! Ёлка и йод.",
		"안녕하세요 세계",
		"สวัสดีชาวโลก",
		"हिन्दी में लिखा",
		"مُحَمَّدٌ يقرأ",
		"Ærø og smørrebrød, Łódź, Đà Nẵng",
		`say "hello" AND (NOT that*) - col:umn ^x`,
		"e\u0301cole de\u0301compose\u0301e",
		"ΟΔΥΣΣΕΥΣ σοφός",
	}
	ids := map[string]int{}
	for i, text := range texts {
		g, err := db.CreateGeneration(ctx, backend.Generation{Text: text, Title: fmt.Sprintf("Nummer%d", i)})
		require.NoError(t, err)
		ids[g.ID] = i
	}
	cases := []struct {
		typed string
		want  []int
	}{
		{"calisma", []int{0}},
		{"ÇALIŞMA", []int{0}},
		{"isik acik", []int{0}},
		{"IŞIK", []int{0}},
		{"strasse", []int{1}},
		{"STRASSE oster", []int{1}},
		{"grösser", []int{1}},
		{"don't", []int{2}},
		{"don’t", []int{2}},
		{"homme", []int{2}},
		{"final viii 1", []int{2}},
		{"東京", []int{3}},
		{"今日も", []int{3}},
		{"京東", nil},
		{"コーヒー", []int{3}},
		{"パン", []int{3}},
		{"ハン", nil},
		{"привет", []int{4}},
		{"елка иод", []int{4}},
		{"안녕", []int{5}},
		{"ชาวโลก", []int{6}},
		{"हिन्दी", []int{7}},
		{"हन्द", nil},
		{"محمد", []int{8}},
		{"aero smorre", []int{9}},
		{"lodz da nang", []int{9}},
		{"ecole decomposee", []int{11}},
		{"école", []int{11}},
		{"οδυσσευσ σοφος", []int{12}},
		{"nummer3 東京", []int{3}},
		{"nummer1", []int{1, 10, 11, 12}},
		{`"hello`, []int{10}},
		{"AND OR NOT", nil},
		{"and", []int{10}},
		{"(not that*)", []int{10}},
		{"col:umn", []int{10}},
		{"text:hello", nil},
		{"NEAR(hello, 2)", nil},
		{"* ^ ( ) \" ' - : {", nil},
		{"\x00\xff", nil},
		{"hello\x00", []int{10}},
	}
	for _, c := range cases {
		t.Run(c.typed, func(t *testing.T) {
			var found []int
			for _, id := range search(t, db, c.typed) {
				found = append(found, ids[id])
			}
			slices.Sort(found)
			require.Equal(t, c.want, found)
		})
	}
}

func TestHighlight(t *testing.T) {
	long := strings.Repeat("lorem ipsum dolor ", 40)
	cases := []struct{ name, title, text, typed, want string }{
		{"every hit", "", "A rose is a rose.", "rose", "A <mark>rose</mark> is a <mark>rose</mark>."},
		{"as it was written", "", "Çalışma odası", "calis", "<mark>Çalışma</mark> odası"},
		{"no html of the text", "", `<b>x</b> & "y" <mark>`, "x", `&lt;b&gt;<mark>x</mark>&lt;/b&gt; &amp; "y" &lt;mark&gt;`},
		{"a run without spaces", "", "今日の東京は晴れ", "東京", "今日の<mark>東京</mark>は晴れ"},
		{"only where the run is whole", "", "京の東京", "東京", "京の<mark>東京</mark>"},
		{"words that follow each other", "", "I don't, don x", "don't", "I <mark>don't</mark>, don x"},
		{"title when the text has none", "My rose", "text", "rose", "My <mark>rose</mark>"},
		{"terms within each other", "", "a b-c d", "c b-c", "a <mark>b-c</mark> d"},
		{"nothing", "title", "text", "zzz", ""},
		{
			"around the first hit", "", long + "needle " + long, "needle",
			"…" + "ipsum dolor lorem ipsum dolor lorem ipsum dolor " + "<mark>needle</mark> " +
				strings.TrimSpace(long[:102]) + "…",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, sqlite.Highlight(c.title, c.text, c.typed))
		})
	}
}

func TestSearchCarriesHighlights(t *testing.T) {
	ctx := context.Background()
	db := open(t)
	_, err := db.CreateGeneration(ctx, backend.Generation{Text: "one rose"})
	require.NoError(t, err)
	list, err := db.Generations(ctx, backend.GenerationFilter{Search: "ros"})
	require.NoError(t, err)
	require.Equal(t, "one <mark>rose</mark>", list.Items[0].Highlight)
	list, err = db.Generations(ctx, backend.GenerationFilter{})
	require.NoError(t, err)
	require.Empty(t, list.Items[0].Highlight)
}

// FuzzSearch types anything: it is never an error, a text is found by itself, and a highlight without its marks
// is a part of the escaped text.
func FuzzSearch(f *testing.F) {
	for _, s := range []string{"a", `"`, "東京 x", "don't AND", "½ ﷺ", "e\u0301", "\xff", "ﾊﾟ", "a* NEAR(b)", "İI ıi", "\u0301"} {
		f.Add(s, s)
		f.Add("some words "+s+" more", s)
	}
	ctx := context.Background()
	db := open(f)
	f.Fuzz(func(t *testing.T, text, typed string) {
		g, err := db.CreateGeneration(ctx, backend.Generation{Text: text})
		require.NoError(t, err)
		defer func() {
			_, err := db.DeleteGenerations(ctx, []string{g.ID})
			require.NoError(t, err)
		}()
		found := search(t, db, typed)
		if sqlite.Fold(typed) == "" {
			require.Equal(t, strings.TrimSpace(typed) == "", len(found) == 1)
		}
		if sqlite.Fold(text) != "" && len(strings.Fields(text)) < 30 {
			require.Equal(t, []string{g.ID}, search(t, db, text))
			marked := sqlite.Highlight("", text, text)
			require.Contains(t, marked, "<mark>")
			bare := strings.NewReplacer("<mark>", "", "</mark>", "", "&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(marked)
			require.Contains(t, text, strings.TrimSuffix(strings.TrimPrefix(bare, "…"), "…"))
		}
	})
}

func TestHistoryFilters(t *testing.T) {
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
	yes, no := true, false
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
		{"favorites", filter{Favorite: &yes}, "31"},
		{"no favorites", filter{Favorite: &no}, "20"},
		{"from", filter{From: start.Add(2 * time.Hour)}, "32"},
		{"to is not part of it", filter{To: start.Add(2 * time.Hour)}, "10"},
		{"from and to, oldest", filter{From: start.Add(time.Hour), To: start.Add(3 * time.Hour), Sort: backend.HistoryOldest}, "12"},
		{"several", filter{ProfileID: "a", Engine: "piper", Favorite: &no, Status: backend.StatusComplete}, "0"},
		{"several, longest", filter{ProfileID: "a", Sort: backend.HistoryLongest}, "230"},
		{"engine, longest", filter{Engine: "piper", Sort: backend.HistoryLongest}, "30"},
		{"engine and more, shortest", filter{Engine: "piper", ProfileID: "a", Favorite: &no, Sort: backend.HistoryShortest}, "0"},
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

func TestWrongPages(t *testing.T) {
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
