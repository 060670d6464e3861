package wer_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/wer"
)

func TestCompare(t *testing.T) {
	tests := []struct {
		name, language, text, heard string
		want                        float64
		dropped, repeated           string
	}{
		{"equal", "en", "First low then mid.", " First low then mid.", 0, "", ""},
		{"case and punctuation", "en-GB", "“Well-known: Dr. Who?”", "well known doctor who", 0, "", ""},
		{"numbers", "en", "It costs $25 in 1999, the 3rd time", "It costs twenty five dollars in nineteen ninety-nine, the third time", 0, "", ""},
		{"and in numbers", "en", "105 men", "one hundred and five men", 0, "", ""},
		{"contractions", "en", "I don't think it's theirs; we'll see.", "I do not think it is theirs, we will see", 0, "", ""},
		{"spelling", "en", "The colour of the theatre was grey; they travelled and realised it.", "The color of the theater was gray, they traveled and realized it.", 0, "", ""},
		{"hesitation and noises", "en", "Yes, we can.", "[music] Uh, yes, um, we can. (applause)", 0, "", ""},
		{"written together", "en", "every day at the web site", "everyday at the website", 0, "", ""},
		{"one other word", "en", "one two three four", "one two tree four", 0.25, "", ""},
		{"a dropped word", "en", "one two three four", "one two four", 0.25, "three", ""},
		{"nothing heard", "en", "First low then mid.", "", 1, "first low then mid", ""},
		{"a repeated word", "en", "the cat sat", "the the cat sat", 1. / 3, "", "the"},
		{"all of it twice", "en", "First low then mid.", "First low then mid. First low then mid.", 1, "", "first low then mid"},
		{"a repeated phrase", "en", "I went home early today", "I went home I went home early today", 0.6, "", "i went home"},
		{"an added word", "en", "the cat sat", "the old cat sat", 1. / 3, "", ""},
		{"nothing to say", "en", "...", "", 0, "", ""},
		{"nothing to say but heard", "en", "...", "thank you", 1, "", ""},
		{"German", "de", "Schöne Grüße aus Köln, 3 Straßen", "schöne grüsse aus köln 3 strassen", 0, "", ""},
		{"umlauts matter", "de", "schon schön", "schon schon", 0.5, "", ""},
		{"French", "fr", "L'été, c'est l’eau.", "l'été c'est l'eau", 0, "", ""},
		{"Japanese by character", "ja", "木曜日、停戦会談は", "木曜日停戦会談", 1. / 8, "は", ""},
		{"Chinese in full width", "zh-CN", "你好，ＡＢ１２！", "你好 ab12", 0, "", ""},
		{"composed or not", "fr", "e\u0301te\u0301", "été", 0, "", ""},
		{"Hindi keeps its marks", "hi", "नमस्ते दुनिया", "नमस्ते, दुनिया!", 0, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := wer.Compare(test.language, test.text, test.heard)
			require.InDelta(t, test.want, got.WER, 1e-9, "%+v", got)
			require.ElementsMatch(t, strings.Fields(test.dropped), wer.List(got.Dropped))
			require.ElementsMatch(t, strings.Fields(test.repeated), wer.List(got.Repeated))
		})
	}
}

func TestPositions(t *testing.T) {
	got := wer.Compare("en", "one two three four five six", "one two two three four six")
	require.Equal(t, []wer.Word{{Text: "five", Index: 4}}, got.Dropped)
	require.Len(t, got.Repeated, 1)
	require.Contains(t, []int{1, 2}, got.Repeated[0].Index)
	require.Equal(t, 6, got.Words)
}

// The written form counts where it is nearer to what was heard.
func TestBest(t *testing.T) {
	got := wer.Best("de", "er wohnt in der 3. Etage", "er wohnt in der dritten Etage", "Er wohnt in der 3. Etage.")
	require.Zero(t, got.WER)
	require.Equal(t, 1.0, wer.Best("de", "", "eins", "1").WER)
}

func drawWords(t *rapid.T, label string) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"low", "mid", "high", "none", "first", "next"}), 0, 20).Draw(t, label)
}

func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawWords(t, "text"), drawWords(t, "heard")
		language := rapid.SampledFrom([]string{"en", "de", "ja"}).Draw(t, "language")
		there := wer.Compare(language, strings.Join(a, " "), strings.Join(b, ", "))
		back := wer.Compare(language, strings.Join(b, " "), strings.Join(a, " "))
		require.Zero(t, wer.Compare(language, strings.Join(a, " "), strings.ToUpper(strings.Join(a, "... "))).WER)
		require.Equal(t, len(a), there.Words)
		if len(a) > 0 && len(b) > 0 {
			errors := there.WER * float64(len(a))
			require.InDelta(t, errors, back.WER*float64(len(b)), 1e-6, "the distance is symmetric")
			require.LessOrEqual(t, errors, float64(max(len(a), len(b)))+1e-6)
			require.GreaterOrEqual(t, errors, float64(max(len(a)-len(b), len(b)-len(a)))-1e-6)
		}
		for _, w := range there.Dropped {
			require.Equal(t, a[w.Index], w.Text)
		}
		for _, w := range there.Repeated {
			require.Equal(t, b[w.Index], w.Text)
		}
	})
}

// A take that was spoken twice has all its words repeated.
func TestDoubledText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said := rapid.Permutation([]string{"low", "mid", "high", "none", "first", "next"}).Draw(t, "text")
		got := wer.Compare("en", strings.Join(said, " "), strings.Join(append(said, said...), " "))
		require.Equal(t, 1.0, got.WER)
		require.ElementsMatch(t, said, wer.List(got.Repeated))
	})
}

func FuzzCompare(f *testing.F) {
	f.Add("en", "It's 3 o'clock.", "it is three oclock")
	f.Add("ja", "木曜日", "\xff\u0301")
	f.Fuzz(func(t *testing.T, language, text, heard string) {
		if len(text)+len(heard) > 2000 || !utf8.ValidString(text) {
			t.Skip()
		}
		if got := wer.Compare(language, text, heard); got.WER < 0 {
			t.Fatalf("%+v", got)
		}
	})
}
