package words_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/sqlite/internal/words"
)

func TestHighlight(t *testing.T) {
	t.Parallel()
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
			terms, _ := words.Parse(c.typed)
			require.Equal(t, c.want, words.Highlight(c.title, c.text, terms))
		})
	}
}
