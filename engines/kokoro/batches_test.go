package kokoro

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSplit(t *testing.T) {
	word := strings.Repeat("a", 99) // with its space a fifth of a batch
	sentence := strings.TrimSpace(strings.Repeat(word+" ", 3)) + "."
	clause := strings.TrimSpace(strings.Repeat(word+" ", 3)) + ","
	for name, tt := range map[string]struct {
		phonemes string
		want     []string
	}{
		"nothing":          {" ", nil},
		"white space":      {" a\n\tb  c ", []string{"a b c"}},
		"one batch":        {strings.Repeat("a", 510), []string{strings.Repeat("a", 510)}},
		"at sentences":     {sentence + " " + sentence, []string{sentence, sentence}},
		"at clauses":       {clause + " " + sentence, []string{clause, sentence}},
		"sentences before": {word + ". " + clause + " " + word + ". " + word, []string{word + ".", clause + " " + word + ". " + word}},
		"balanced":         {strings.TrimSpace(strings.Repeat(word+" ", 6)), []string{strings.TrimSpace(strings.Repeat(word+" ", 3)), strings.TrimSpace(strings.Repeat(word+" ", 3))}},
		"anywhere":         {strings.Repeat("ə", 1021), []string{strings.Repeat("ə", 510), strings.Repeat("ə", 510), "ə"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, split(tt.phonemes)) })
	}
}

// TestSplitLosesNothing: every batch fits, none is empty, and together they are the phonemes.
func TestSplitLosesNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[ˈəɹæ]{1,12}[,.!?…]?`), 0, 400).Draw(rt, "words")
		if rapid.Bool().Draw(rt, "long word") {
			words = append(words, strings.Repeat("ʃ", rapid.IntRange(1, 1500).Draw(rt, "letters")))
		}
		phonemes := strings.Join(words, " ")
		batches := split(phonemes)
		for _, b := range batches {
			require.NotEmpty(rt, b)
			require.LessOrEqual(rt, utf8.RuneCountInString(b), maxPhonemes)
		}
		require.Equal(rt, strings.ReplaceAll(phonemes, " ", ""), strings.ReplaceAll(strings.Join(batches, ""), " ", ""))
		if utf8.RuneCountInString(phonemes) <= maxPhonemes {
			require.LessOrEqual(rt, len(batches), 1)
		}
	})
}

// TestTrimKeepsTheSound: what is cut off at the ends is quiet, whatever the sound is.
func TestTrimKeepsTheSound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		before, sound, after := rapid.IntRange(0, 9000).Draw(rt, "before"), rapid.IntRange(1, 9000).Draw(rt, "sound"), rapid.IntRange(0, 9000).Draw(rt, "after")
		samples := make([]float32, before+sound+after)
		for i := range sound {
			samples[before+i] = 0.5
		}
		from, to := trim(samples)
		require.LessOrEqual(rt, from, before)
		require.GreaterOrEqual(rt, to, before+sound)
		require.LessOrEqual(rt, before-from, trimFrame)
		require.LessOrEqual(rt, to-before-sound, trimFrame)
	})
	for _, n := range []int{0, 1, 511, 512, 513} {
		from, to := trim(make([]float32, n))
		require.Equal(t, [2]int{0, n}, [2]int{from, to}, "silence is not cut")
	}
}
