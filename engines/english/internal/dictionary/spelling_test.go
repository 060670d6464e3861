package dictionary_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/english/internal/dictionary"
)

func TestRulesAreNotFarFromTheDictionary(t *testing.T) {
	d, err := dictionary.Open(false)
	require.NoError(t, err)
	bare := strings.NewReplacer("ˈ", "", "ˌ", "", "ᵻ", "ɪ", "ɾ", "t", "ᵊ", "ə")
	wrong, all, i := 0, 0, 0
	for line := range strings.Lines(d.Lines()) {
		word, phonemes, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if i++; i%29 != 0 || strings.ContainsAny(phonemes, "~=") || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
			continue
		}
		want := []rune(bare.Replace(phonemes))
		wrong += enginetest.EditDistance([]rune(bare.Replace(d.ByRules(word))), want)
		all += len(want)
	}
	t.Logf("%d of %d phonemes wrong: %.1f %%", wrong, all, 100*float64(wrong)/float64(all))
	require.Less(t, float64(wrong), 0.18*float64(all))
}
