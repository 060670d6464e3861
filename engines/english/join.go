package english

import (
	"strings"

	"github.com/voicewright/voicewright/engines/english/internal/token"
)

// join appends the phonemes of groups, with the white space between them.
func join(out *strings.Builder, groups [][]part) {
	for _, g := range groups {
		var phonemes strings.Builder
		for _, t := range g {
			if t.word && t.phonemes != "" && phonemes.Len() > 0 && !strings.HasSuffix(phonemes.String(), " ") {
				phonemes.WriteByte(' ')
			}
			phonemes.WriteString(t.phonemes)
		}
		out.WriteString(phonemes.String())
		if g[len(g)-1].space {
			out.WriteByte(' ')
		}
	}
}

// kokoroStops replaces the flap and the glottal stop, for which Kokoro's models have other symbols.
var kokoroStops = strings.NewReplacer("ɾ", "T", "ʔ", "t")

// finish returns phonemes in the symbols of Kokoro's models with single spaces; marks alone have no sound.
func finish(phonemes string) string {
	phonemes = kokoro(kokoroStops.Replace(phonemes))
	if !token.Readable(phonemes) {
		return ""
	}
	return strings.Join(strings.Fields(phonemes), " ")
}
