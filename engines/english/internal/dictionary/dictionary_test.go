package dictionary_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/english/internal/dictionary"
)

func TestPronounce(t *testing.T) {
	both := map[bool]*dictionary.Dictionary{}
	for _, british := range []bool{false, true} {
		d, err := dictionary.Open(british)
		require.NoError(t, err)
		both[british] = d
	}
	end, beforeVowel, beforeConsonant := dictionary.Next{}, dictionary.Next{Onset: dictionary.Vowel}, dictionary.Next{Onset: dictionary.Consonant}
	for _, c := range []struct {
		british bool
		word    dictionary.Word
		next    dictionary.Next
		want    string // empty: unknown
	}{
		{false, dictionary.Word{Text: "dog"}, end, "dˈɔɡ"},
		{true, dictionary.Word{Text: "dog"}, end, "dˈɒɡ"},
		{false, dictionary.Word{Text: "record", Tag: "NN"}, end, "ɹˈɛkəɹd"},
		{false, dictionary.Word{Text: "record", Tag: "VB"}, end, "ɹəkˈɔɹd"},
		{false, dictionary.Word{Text: "the"}, beforeVowel, "ði"},
		{false, dictionary.Word{Text: "the"}, beforeConsonant, "ðə"},
		{false, dictionary.Word{Text: "to"}, beforeVowel, "tʊ"},
		{false, dictionary.Word{Text: "a", Tag: "DT"}, end, "ɐ"},
		{false, dictionary.Word{Text: "in", Tag: "IN"}, end, "ˈɪn"},
		{false, dictionary.Word{Text: "used", Tag: "VBD"}, dictionary.Next{Onset: dictionary.Consonant, To: true}, "jˈust"},
		{false, dictionary.Word{Text: "FBI", Tag: "NNP"}, end, "ˌɛfbˌiˈI"},
		{false, dictionary.Word{Text: "&"}, end, "ænd"},
		{false, dictionary.Word{Text: "blorbify"}, end, ""},
		{false, dictionary.Word{Text: "1999", First: true}, end, "nˌIntˈin nˈIndi nˈIn"},
		{false, dictionary.Word{Text: "747"}, end, "sˈɛvən fˈɔɹɾi sˈɛvən"},
		{false, dictionary.Word{Text: "1.50", Currency: "$", First: true}, end, "wˈʌn dˈɑləɹ ænd fˈɪfti sˈɛnts"},
	} {
		got, _ := both[c.british].Pronounce(c.word, c.next)
		assert.Equal(t, c.want, got, "%+v %+v", c.word, c.next)
	}
}

func TestNumbersAreReadAsTheirWords(t *testing.T) {
	for digits, want := range map[string]string{
		"0":        "zero",
		"342":      "three hundred forty two",
		"1905":     "nineteen oh five",
		"0850":     "eight fifty",
		"0805":     "eight oh five",
		"0012":     "twelve",
		"2005":     "two thousand five",
		"15,000":   "fifteen thousand",
		"-5":       "minus five",
		"22nd":     "twenty second",
		"1990s":    "nineteen ninety",
		"1.2.3":    "one two three",
		"10.50":    "ten point five",
		"3.0":      "three point zero",
		"00700000": "seven hundred thousand",
	} {
		assert.Equal(t, want, dictionary.NumberWords(digits), digits)
	}
}
