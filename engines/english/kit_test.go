package english_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/english"
	"github.com/voicewright/voicewright/engines/english/internal/dictionary"
)

// goldenLine is one line of dictionary.jsonl: the phonemes of misaki 0.9.4 for a word or for a sentence with known tags.
type goldenLine struct {
	Kind, Text, Word, Tag, Result string
	British                       bool
	FutureVowel                   *bool `json:"future_vowel"`
	FutureTo                      bool  `json:"future_to"`
	Phonemes                      *string
	Features                      map[string]any
	Tokens                        [][3]string `json:"tokens_tags_whitespace"`
}

// misaki returns the lines of a file in the kit's folder kokoro/misaki.
func misaki[T any](t testing.TB, file string) []T {
	t.Helper()
	return enginetest.Lines[T](t, filepath.Join(enginetest.Kit(t, "kokoro/misaki", "testdata"), file))
}

// dictionaries returns the British dictionary (true) and the American one (false).
func dictionaries(t testing.TB) map[bool]*dictionary.Dictionary {
	t.Helper()
	both := make(map[bool]*dictionary.Dictionary)
	for _, british := range []bool{false, true} {
		d, err := dictionary.Open(british)
		require.NoError(t, err)
		both[british] = d
	}
	return both
}

func TestEveryWordSoundsAsTheReferenceSaysIt(t *testing.T) {
	enginetest.Parity(t)
	both := dictionaries(t)
	checked := 0
	for _, g := range misaki[goldenLine](t, "dictionary.jsonl") {
		if g.Kind != "word" {
			continue
		}
		checked++
		next := dictionary.Next{To: g.FutureTo}
		switch {
		case g.FutureVowel == nil:
		case *g.FutureVowel:
			next.Onset = dictionary.Vowel
		default:
			next.Onset = dictionary.Consonant
		}
		got, ok := both[g.British].Pronounce(dictionary.Word{Text: g.Word, Tag: g.Tag, First: true}, next)
		if g.Phonemes == nil {
			require.False(t, ok, "%s %s: %s", g.Word, g.Tag, got)
			continue
		}
		require.Equal(t, *g.Phonemes, got, "%s %s %+v", g.Word, g.Tag, next)
	}
	require.Positive(t, checked)
	t.Logf("%d words", checked)
}

func TestTaggedSentencesSoundAsTheReferenceSaysThem(t *testing.T) {
	enginetest.Parity(t)
	both := dictionaries(t)
	checked := 0
	for _, g := range misaki[goldenLine](t, "dictionary.jsonl") {
		if g.Kind != "g2p" || len(g.Features) > 0 {
			continue
		}
		checked++
		got, err := english.SpeakTagged(both[g.British], g.Tokens)
		require.NoError(t, err)
		// The colon of 10:30 is unknown to the reference; here it has no sound.
		require.Equal(t, strings.Replace(g.Result, "n❓ ", "n ", 1), strings.NewReplacer("ɾ", "T", "ʔ", "t").Replace(got), g.Text)
	}
	require.Positive(t, checked)
	t.Logf("%d sentences", checked)
}

// intended are words of the kit's sentences that are read otherwise on purpose than the small tagger of the kit has them: read
// is no past after "to" and "will", a close shop is near, units are said in full, telephone numbers digit by digit, quotes open.
var intended = map[string]bool{
	"ɹˈɛd": true, "klˈOz": true, "klˈQz": true, "fˈIvwˌʌn": true, "hˈʌndɹəd": true, "fˈɪfti": true, "nˌIndi": true, "nˌInti": true,
	"nˌIn": true, "”stˈɑp”": true, "”stˈɒp”": true,
}

// score compares the phonemes of plain text with the reference word by word, for words that the reference knows.
func score(t testing.TB) (words, exact, other int, misses []string) {
	t.Helper()
	e := english.New(nil)
	for _, g := range misaki[goldenLine](t, "dictionary.jsonl") {
		if g.Kind != "g2p" || len(g.Features) > 0 {
			continue
		}
		sound, err := e.Phonemes(t.Context(), g.Text, g.British)
		require.NoError(t, err)
		got := map[string]int{}
		for _, w := range strings.Fields(sound) {
			got[w]++
		}
		for _, w := range strings.Fields(g.Result) {
			switch {
			case strings.Contains(w, "❓"):
				continue
			case got[w] > 0:
				got[w]--
				exact++
			case intended[w]:
				other++
			default:
				misses = append(misses, w+" in "+g.Text+" => "+sound)
			}
			words++
		}
	}
	return words, exact, other, misses
}

func TestPlainTextSoundsAsTheReferenceSaysIt(t *testing.T) {
	enginetest.Parity(t)
	words, exact, other, misses := score(t)
	t.Logf("%d words: %d exact, %d different on purpose, missed %q", words, exact, other, misses)
	require.GreaterOrEqual(t, float64(exact), 0.98*float64(words-other))
	require.LessOrEqual(t, len(misses), words/100)
}

func TestFromEspeakIsTheMapOfTheReference(t *testing.T) {
	enginetest.Parity(t)
	type pair struct {
		Lang, Text string
		Library    string `json:"ipa_tie_1_52_0"`
		Mapped     string `json:"misaki_1_52_0"`
		Command    string `json:"ipa_tie_cli_1_51"`
		CommandTo  string `json:"misaki_cli_1_51"`
	}
	for _, p := range misaki[pair](t, "e2m.jsonl") {
		convert := english.FromEspeakForeign
		if strings.HasPrefix(p.Lang, "en-") {
			convert = func(s string) string { return english.FromEspeak(s, p.Lang == "en-gb") }
		}
		require.Equal(t, p.Mapped, convert(p.Library), "%s: %s", p.Lang, p.Text)
		require.Equal(t, p.CommandTo, convert(p.Command), "%s: %s", p.Lang, p.Text)
	}
}
