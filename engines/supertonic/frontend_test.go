package supertonic

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCleanBesideTheKit(t *testing.T) {
	for text, want := range map[string]string{
		"e.g.,i.e.,@":     "for example, that is, at.",
		"i.e.g., x":       "i.for example, x.",
		"a\x1c\x1fb":      "a b.",
		"a\u2028b\u0085c": "a b c.",
		"x '' y":          "x' y.",
		"\"\"'' \"":       "\"' \"",
		"🤖 robot":         "robot.",
		"Hi. \n":          "Hi.",
		"a\xffb":          "a\ufffdb.",
	} {
		require.Equal(t, want, clean(text), "text %q", text)
	}
}

// TestSplitLosesNothing: pieces together are the text but for white space, and only a single sentence is too long.
func TestSplitLosesNothing(t *testing.T) {
	words := []string{"word", "Mr.", "J.", "end.", "so!", "why?", "\n", "\n\n", " ", "  ", "\t", "é", "한국어.", "Ph.D."}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(words)).Draw(t, "words"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		longest := rapid.IntRange(10, 60).Draw(t, "longest")
		pieces := split(text, longest)
		bare := func(s string) string { return strings.Join(strings.FieldsFunc(s, space), "") }
		require.Equal(t, bare(text), bare(strings.Join(pieces, " ")))
		for _, p := range pieces {
			require.NotEmpty(t, p)
			require.Equal(t, strings.TrimFunc(p, space), p)
			if utf8.RuneCountInString(p) > longest {
				require.Len(t, sentences(p), 1)
			}
		}
	})
}

// TestEndlessSentences: what has no end is cut, between words where there are some.
func TestEndlessSentences(t *testing.T) {
	words := bounded(strings.TrimSpace(strings.Repeat("éight ch ", 10_000)))
	require.Greater(t, len(words), 80)
	for _, p := range words {
		require.LessOrEqual(t, utf8.RuneCountInString(p), longestSentence)
		require.Empty(t, strings.Trim(strings.NewReplacer("éight", "", "ch", "").Replace(p), " "), "a word is cut: %q", p)
	}
	require.Equal(t, strings.TrimSpace(strings.Repeat("éight ch ", 10_000)), strings.Join(words, ""))
	letters := bounded(strings.Repeat("é", 2500))
	require.Equal(t, []string{strings.Repeat("é", 1000), strings.Repeat("é", 1000), strings.Repeat("é", 500)}, letters)
	whole := strings.Repeat("x", longestSentence)
	require.Equal(t, []string{whole}, bounded(whole))
	require.Equal(t, []string{""}, bounded(""))
}

// TestLength: a latent is just long enough for its samples, at all paces.
func TestLength(t *testing.T) {
	c, err := readConfig(kit(t, "repo", "onnx", "tts.json"))
	require.NoError(t, err)
	require.Equal(t, 144, c.channels())
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.Float32Range(0.001, longestSpeech).Draw(t, "seconds")
		pace := rapid.Float32Range(slowest, fastest).Draw(t, "pace")
		n := c.length(seconds, pace)
		require.InEpsilon(t, float64(seconds)/float64(pace)*44100, float64(n.samples), 1e-2+1/float64(seconds*20000))
		require.GreaterOrEqual(t, n.frames, n.ones)
		require.LessOrEqual(t, n.frames-n.ones, 1)
		require.Greater(t, n.frames*c.hop()+64, n.samples, "float32 rounds long speech by a few samples")
	})
}

func FuzzClean(f *testing.F) {
	for _, text := range []string{
		"", "Hello world", "“quoted” ‘single’", "e.g., mail@example.com", "♥☆ 😀 \u200d", "a  , b", "한국어", "ﬁne ½", "\xff", "<en>x</en>",
	} {
		f.Add(text)
	}
	table, err := readIndexer(kit(f, "repo", "onnx", "unicode_indexer.json"))
	require.NoError(f, err)
	front := &frontend{table: table, edition: edition{tagged: true}}
	f.Fuzz(func(t *testing.T, text string) {
		got := clean(text)
		last, _ := utf8.DecodeLastRuneInString(got)
		require.True(t, strings.ContainsRune(endings, last))
		require.NotContains(t, got, "  ")
		require.Equal(t, strings.TrimFunc(got, space), got)
		require.True(t, utf8.ValidString(got))
		for _, ids := range front.pieces(text, "ko") {
			require.NotEmpty(t, ids)
			for _, id := range ids {
				require.GreaterOrEqual(t, id, int64(0))
			}
		}
	})
}

func FuzzSplit(f *testing.F) {
	for _, text := range []string{"", "One. Two.", "Mr. X.\n\nY. z", "\u00a0 a.\u3000b", "\x1c.\x1d", "A. B! C? d", "日本。 x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out strings.Builder
		for _, p := range split(text, 20) {
			require.NotEmpty(t, p)
			require.Equal(t, strings.TrimFunc(p, space), p)
			out.WriteString(p)
		}
		bare := func(s string) string { return strings.Join(strings.FieldsFunc(s, space), "") }
		require.Equal(t, bare(text), bare(out.String()))
	})
}
