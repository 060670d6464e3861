package espeak_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines/espeak"
)

// espeak-ng speaks each sentence of the abbreviations of nine languages without a break at a full stop.
func TestAbbreviationsAreOneSentence(t *testing.T) {
	file, err := os.ReadFile("../../backend/text/testdata/abbreviations.tsv")
	require.NoError(t, err)
	p := espeak.NewPhonemizer()
	defer p.Close()
	for line := range strings.Lines(string(file)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		for _, blank := range []string{" ", "\u00a0", "\u202f", "\u2009", "\u2003", "\n", ""} {
			written := strings.ReplaceAll(fields[1], "_", blank)
			voice, ok := espeak.VoiceFor(fields[0])
			require.True(t, ok, fields[0])
			spoken := text.Speak(written, text.SpeakOptions{Language: fields[0], Phonemes: true}).Text
			if fields[0] != "en" {
				require.Len(t, strings.Fields(spoken), len(strings.Fields(written)), "the words stay")
			}
			sentences, err := p.Phonemize(t.Context(), spoken, voice)
			require.NoError(t, err)
			require.Len(t, sentences, 1, "%s: %s", fields[0], spoken)
		}
	}
}
