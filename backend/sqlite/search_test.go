package sqlite_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

func TestSearch(t *testing.T) {
	t.Parallel()
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

func TestSearchCarriesHighlights(t *testing.T) {
	t.Parallel()
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

func TestSearchOfAnEmptyLibrary(t *testing.T) {
	t.Parallel()
	db := open(t)
	for _, typed := range []string{"voicework", "voi", "voicework strasse"} {
		require.Empty(t, search(t, db, typed))
		list, err := db.Transcripts(context.Background(), backend.TranscriptFilter{Search: typed})
		require.NoError(t, err)
		require.Empty(t, list.Items)
	}
}

// TestSearchOfLongStarts finds words by starts that few and many words have.
func TestSearchOfLongStarts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	var all []string
	for i := range 40 {
		g, err := db.CreateGeneration(ctx, backend.Generation{Text: fmt.Sprintf("voicework%02d stra\u00dfe%d", i, i%3)})
		require.NoError(t, err)
		all = append([]string{g.ID}, all...) // as they are listed
	}
	at := func(endings ...int) (ids []string) {
		for i, id := range all {
			if slices.Contains(endings, (len(all)-1-i)%3) {
				ids = append(ids, id)
			}
		}
		return ids
	}
	require.Equal(t, all, search(t, db, "voicework"), "many words")
	require.Equal(t, at(0, 1, 2), search(t, db, "strass voic"), "three words")
	require.Equal(t, at(1), search(t, db, "STRASSE1 voicew"))
	require.Equal(t, all[30:], search(t, db, "voicework0"), "ten words")
	require.Empty(t, search(t, db, "voiceworks"))
	_, err := db.DeleteGenerations(ctx, all[39:])
	require.NoError(t, err)
	require.Equal(t, all[30:39], search(t, db, "voicework0"), "the index still has the word")
}
