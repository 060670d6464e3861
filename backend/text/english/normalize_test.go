package english_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/backend/text/english"
	"github.com/voicewright/voicewright/backend/text/internal/texttest"
)

const goldenFile = "testdata/normalize.tsv"

func TestNormalizeGolden(t *testing.T) {
	lines := texttest.Golden(t, goldenFile)
	require.GreaterOrEqual(t, len(lines), 300)
	for _, line := range lines {
		t.Run(line[0]+"/"+line[1], func(t *testing.T) {
			require.Equal(t, line[2], english.Normalize(line[1]))
			require.Equal(t, line[2], english.Normalize(line[2]), "what is spelled out stays")
		})
	}
}

// tokens returns the tokens of the golden lines, and others.
func tokens(t testing.TB) []string {
	var all []string
	for _, line := range texttest.Golden(t, goldenFile) {
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
		require.Equal(t, want, english.Normalize(in))
	}
	require.Len(t, text.Sentences(english.Normalize("2. Two things")), 1, "no pause behind the number")
}

func TestNormalizeLeavesItsOwnWordsAlone(t *testing.T) {
	words := tokens(t)
	rapid.Check(t, func(t *rapid.T) {
		glue := rapid.SampledFrom([]string{" ", "", ". ", ", "}).Draw(t, "glue")
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 6).Draw(t, "words"), glue)
		once := english.Normalize(s)
		require.Equal(t, once, english.Normalize(once), "%q", s)
	})
}

// TestNormalizeReadsHeightsBehindLetters reads what people run together, and reads no letters of its own as a contraction.
func TestNormalizeReadsHeightsBehindLetters(t *testing.T) {
	for in, want := range map[string]string{
		"The6′2″":       "The six feet two inches",
		"is6'2\" tall":  "is six feet two inches tall",
		"a6’2” man":     "a six feet two inches man",
		"x5′11″":        "x five feet eleven inches",
		"of-5′1″":       "of-five feet one inch",
		"The6′2":        "The six feet two inches",
		"The6′0″,1′1″":  "The six feet zero inches,one foot one inch",
		"The6′long":     "The six'long",
		"The6´s":        "The six's",
		"B2′s":          "B two's",
		"don′t":         "don't",
		"6′2″":          "six feet two inches",
		"MP3'5":         "M P three'five",
		"\"room B5'2\"": "\"room B five'two\"",
	} {
		got := english.Normalize(in)
		require.Equal(t, want, got, in)
		require.Equal(t, want, english.Normalize(got), in)
	}
}

func TestNormalizeKeepsPlainWords(t *testing.T) {
	word := rapid.StringMatching(`[A-Z]?[a-zé]{4,12}('[a-z])?[,;:!?]?`)
	rapid.Check(t, func(t *rapid.T) {
		glue := rapid.SampledFrom([]string{" ", "\n", "  ", " — ", " “"}).Draw(t, "glue")
		s := strings.Join(rapid.SliceOf(word).Draw(t, "words"), glue)
		require.Equal(t, s, english.Normalize(s))
	})
}

func TestNormalizeKeepsOtherScripts(t *testing.T) {
	for _, s := range []string{
		"你好，世界。", "Привет, мир!", "مرحبا بالعالم", "שלום עולם", "สวัสดี", "नमस्ते दुनिया", "안녕하세요", "e\u0301a\u0308",
		"می\u200cخواهم", "Straße und Übung",
	} {
		require.Equal(t, s, english.Normalize(s))
	}
}

func TestNormalizeOfBrokenBytes(t *testing.T) {
	require.Equal(t, "a\ufffdb five", english.Normalize("a\xffb 5"))
}

func FuzzNormalize(f *testing.F) {
	for _, line := range texttest.Golden(f, goldenFile) {
		f.Add(line[1])
	}
	for _, s := range texttest.Hostile() {
		f.Add(s[:min(len(s), 200)])
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := english.Normalize(s)
		require.True(t, utf8.ValidString(once))
		require.Equal(t, once, english.Normalize(once))
	})
}

func TestNormalizeOfHostileTexts(t *testing.T) {
	for _, s := range texttest.Hostile() {
		require.True(t, utf8.ValidString(english.Normalize(s)))
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
				english.Normalize(s)
			}
		})
	}
}
