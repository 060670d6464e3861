package espeak_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStressOfTheLibrary compares clauses of function words with what espeak_TextToPhonemes of the library 1.51, which Piper
// calls, returns for them. The command alone puts a main stress on each.
func TestStressOfTheLibrary(t *testing.T) {
	p := newPhonemizer(t)
	for _, c := range []struct{ voice, text, want string }{
		{"en-us", "What?", "wˌʌt?"},
		{"en-us", "“What?”", "wˌʌt?"},
		{"en-us", "What’s it?", "wˌʌts ɪt?"},
		{"en-us", "When I am with her,", "wˌɛn aɪɐm wɪð hɜː, "},
		{"en-us", "But what?", "bˌʌt wˈʌt?"},
		{"en-us", "But, of course.", "bˌʌt, ʌv kˈoːɹs."},
		{"en-us", "Yes, sir.", "jˈɛs, sˌɜː."},
		{"en-us", "Hmm.", "həm."},
		{"en-us", "You?!", "juː?"},
		{"en-us", "To me?", "tə mˌiː?"},
		{"en-us", "Me!", "mˈiː!"},
		{"en-us", "One, or at one.", "wˈʌn, ɔːɹ æt wˈʌn."},
		{"en-us", "Would not, will you, why, that.", "wʊd nˈɑːt, wˈɪl juː, wˈaɪ, ðˈæt."},
		{"en-us", "Test 1.", "tˈɛst wˈʌn."},
		{"en-gb-x-rp", "And of, is.", "ænd ɒv, ɪz."},
		{"de", "und, der, Haus.", "ˈʊnt, dɛɾ, hˈaʊs."},
		{"ca", "de, casa.", "də, kˈazɐ."},
		{"pl", "i, dom.", "i, dˈɔm."},
		{"hu", "Előfordul, ház.", "ˈɛløːfordul, hˈaːz."},
	} {
		got, err := p.Phonemize(t.Context(), c.text, c.voice)
		require.NoError(t, err)
		require.Equal(t, c.want, strings.Join(flat(got), ""), "%s %s", c.voice, c.text)
	}
}
