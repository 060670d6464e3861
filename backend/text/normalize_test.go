package text_test

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/text"
)

// golden gives the lines of testdata/normalize.tsv: kind, written, spoken.
func golden(t testing.TB) [][]string {
	data, err := os.ReadFile("testdata/normalize.tsv")
	require.NoError(t, err)
	var lines [][]string
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Len(t, fields, 3, line)
		lines = append(lines, fields)
	}
	return lines
}

func TestNormalizeGolden(t *testing.T) {
	lines := golden(t)
	require.GreaterOrEqual(t, len(lines), 300)
	for _, line := range lines {
		t.Run(line[0]+"/"+line[1], func(t *testing.T) {
			require.Equal(t, line[2], text.Normalize(line[1]))
			require.Equal(t, line[2], text.Normalize(line[2]), "what is spelled out stays")
		})
	}
}

// tokens are what the golden lines are made of.
func tokens(t testing.TB) []string {
	var all []string
	for _, line := range golden(t) {
		all = append(all, strings.Fields(line[1])...)
	}
	return append(all, "\n", "\n\n", ",", ".", "(", ")", "\"", "'", "-", "–", "/", "&", "5", "I", "V", "X", "A", "FBI", "THE", "the", "a")
}

func TestNormalizeReadsTheNumberOfAnItemWithIt(t *testing.T) {
	for in, want := range map[string]string{
		"2. Two things":     "two, Two things",
		"12. eggs":          "twelve, eggs",
		"1984. It was cold": "nineteen eighty-four. It was cold",
		"See 2. Two things": "See two. Two things",
		"2.":                "two.",
	} {
		require.Equal(t, want, text.Normalize(in))
	}
	require.Len(t, text.Sentences(text.Normalize("2. Two things")), 1, "no pause behind the number")
}

func TestNormalizeLeavesItsOwnWordsAlone(t *testing.T) {
	words := tokens(t)
	rapid.Check(t, func(t *rapid.T) {
		glue := rapid.SampledFrom([]string{" ", "", ". ", ", "}).Draw(t, "glue")
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 6).Draw(t, "words"), glue)
		once := text.Normalize(s)
		require.Equal(t, once, text.Normalize(once), "%q", s)
	})
}

func TestNormalizeKeepsPlainWords(t *testing.T) {
	word := rapid.StringMatching(`[A-Z]?[a-zé]{4,12}('[a-z])?[,;:!?]?`)
	rapid.Check(t, func(t *rapid.T) {
		glue := rapid.SampledFrom([]string{" ", "\n", "  ", " — ", " “"}).Draw(t, "glue")
		s := strings.Join(rapid.SliceOf(word).Draw(t, "words"), glue)
		require.Equal(t, s, text.Normalize(s))
	})
}

func TestNormalizeKeepsOtherScripts(t *testing.T) {
	for _, s := range []string{
		"你好，世界。", "Привет, мир!", "مرحبا بالعالم", "שלום עולם", "สวัสดี", "नमस्ते दुनिया", "안녕하세요", "e\u0301a\u0308",
		"می\u200cخواهم", "Straße und Übung",
	} {
		require.Equal(t, s, text.Normalize(s))
	}
}

func TestNormalizeOfBrokenBytes(t *testing.T) {
	require.Equal(t, "a\ufffdb five", text.Normalize("a\xffb 5"))
}

func FuzzNormalize(f *testing.F) {
	for _, line := range golden(f) {
		f.Add(line[1])
	}
	for _, s := range hostile() {
		f.Add(s[:min(len(s), 200)])
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := text.Normalize(s)
		require.True(t, utf8.ValidString(once))
		require.Equal(t, once, text.Normalize(once))
	})
}

// hostile are long texts that could cost more than their length.
func hostile() []string {
	var all []string
	for _, unit := range []string{
		"a", "5", "5 ", "5-", "5.", "5,555,", "1/", "1 1/2 ", "(", "((555) ", "\"", "'", "'90", "$", "$5-", "-", "-5", "+", "+1 ", ".", ".5",
		"@", "a@b.c", "#", "#a", "/", "/a", "a.", "A.", "a_b", "_", "[", "[[", "[[a", "[[a|b]]", "[laugh", "<", "<p", "<p a=\"", "<break ",
		"]", ">", "=", "a=", "*", "&", "&amp;", "😀", "👨‍👩‍👧", "\u0301", "\u200d", "²", "½", "5²", "5½", "XVI ", "Henry I", "AB", "ABCs ", "aB",
		"Dr. ", "St. ", "No. ", "Jan. ", "Mon., ", "5:55", "5:55-", "5 am", "5x5", "5 x ", "5e", "10^", "0x", "http://", "www.", "12 March ",
		"\xff", "5'5", "5° ", "5 km/", "sq ", "sq sq", "\n", "字", "العربية ", "a-", "e.g.", "p.m. ", "USD 5", "1.1.",
	} {
		all = append(all, strings.Repeat(unit, 200_000/len(unit)))
	}
	return append(all, strings.Repeat("x", 5000), strings.Repeat("X", 5000))
}

func TestNormalizeOfHostileTexts(t *testing.T) {
	for _, s := range hostile() {
		require.True(t, utf8.ValidString(text.Normalize(s)))
	}
}

func BenchmarkNormalize(b *testing.B) {
	for name, s := range map[string]string{
		"prose":   strings.Repeat("The quick brown fox, says Dr. Smith, jumps over\nthe lazy dog. Doesn't it? ", 1000),
		"numbers": strings.Repeat("On 3/14/2024 at 3:30 pm the FBI paid $3.50 for 2 lbs, see https://example.com/a_b. ", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				text.Normalize(s)
			}
		})
	}
}
