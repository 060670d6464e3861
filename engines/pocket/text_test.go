package pocket

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/python"
)

func TestClean(t *testing.T) {
	f := openKit(t, "int8").frontend
	for in, want := range map[string]string{
		"“Curly” and ‘single’…":        `"Curly" and 'single'...`,
		"a – b — c":                    "a – b — c", // the tokenizer knows them
		"«guillemets»":                 `"guillemets"`,
		"cafe\u0301":                   "café",
		"ﬁne ½":                        "fine 1/2",
		"I ❤️ it 👍🏽.":                  "I    it   .",
		"zero\u200bwidth\ufeff\u00ad":  "zerowidth",
		"bell\x07, null\x00":           "bell, null",
		"日本語 Привет":                   "日本語 Привет",
		"line\nend\ttab":               "line\nend\ttab",
		"broken \xff\xfe bytes":        "broken   bytes",
		"nonbreaking\u00a0space\u2028": "nonbreaking\u00a0space\u2028",
	} {
		require.Equal(t, want, f.clean(in), "text %q", in)
	}
	require.Empty(t, f.pieces("... — 😀 !?"))
	require.Len(t, f.pieces("\n\n One. \n ... \n Two."), 1)
}

func TestSplit(t *testing.T) {
	f := openKit(t, "int8").frontend
	for _, tt := range []struct {
		text    string
		longest int
		want    []string
	}{
		{"It costs $3.50 for 2.5 kg. Good.", 16, []string{"It costs $3.50 for 2.5 kg.", "Good."}},
		{"(Fine.) Done. Dr. Smith left.", 9, []string{"(Fine.) Done.", "Dr. Smith left."}},
		{"One two three four five six seven eight", 6, []string{"One two three four five", "six seven eight"}},
		{"We use C++/C#/F#/.NET here. Yahoo!Japan too.", 100, []string{"We use C++/C#/F#/.NET here. Yahoo!Japan too."}},
		{"你好。你叫？好。 再见。", 100, []string{"你好。你叫？好。 再见。"}},
		{"", 50, nil},
		{" \n ", 50, nil},
	} {
		got := f.split(tt.text, tt.longest)
		require.Equal(t, tt.want, got)
	}
	word := strings.Repeat("x", 300)
	parts := f.split("The "+word+" end", 20)
	require.Equal(t, "The"+word+"end", strings.ReplaceAll(strings.Join(parts, ""), " ", ""))
}

// Where nothing else fits, words are cut between characters that are displayed as one.
func TestSplitKeepsCharactersWhole(t *testing.T) {
	f := openKit(t, "int8").frontend
	for _, cluster := range []string{"ក្រុ", "ক্ষ", "🇩🇪", "👩‍👩‍👧", "नि", "e\u0323\u0302"} {
		var whole strings.Builder
		for _, part := range f.split(strings.Repeat(cluster, 60), 40) {
			require.Zero(t, len(part)%len(cluster), "%q of %q", part, cluster)
			whole.WriteString(part)
		}
		require.Equal(t, strings.Repeat(cluster, 60), whole.String())
	}
	for _, part := range f.split("a"+strings.Repeat("\u0301", 300), 20) {
		require.True(t, f.fits(part, 20))
	}
}

// FuzzSplit: every letter of a text is in one part, and no part is longer than the limit.
func FuzzSplit(f *testing.F) {
	front := openKit(f, "int8").frontend
	f.Add("Hello there, world. This is it; and 2.5 more!", 9)
	f.Add("Hello  here! wi00ba", 1) // a small w takes one token more than a large one
	f.Add("“日本語。 — 😀\x00"+strings.Repeat("ab", 99), 12)
	f.Fuzz(func(t *testing.T, text string, longest int) {
		longest = 8 + min(max(longest, 0), 100)
		if len(text) > 2000 {
			return
		}
		text = front.clean(text)
		parts := front.split(text, longest)
		bare := func(s string) string { return strings.Join(python.Fields(s), "") }
		require.Equal(t, bare(text), bare(strings.Join(parts, " ")))
		for _, part := range parts {
			require.True(t, front.fits(part, longest), "%q", part)
		}
	})
}
