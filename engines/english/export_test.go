package english

import (
	"context"
	"strings"

	"github.com/voicewright/voicewright/engines/english/internal/dictionary"
	"github.com/voicewright/voicewright/engines/english/internal/token"
)

// SpeakTagged returns the phonemes of tokens (text, tag, white space) before the last step (ɾ and ʔ stay); a word that the
// dictionary does not know sounds as ❓.
func SpeakTagged(d *dictionary.Dictionary, tokens [][3]string) (string, error) {
	in := make([]token.Token, len(tokens))
	tags := make([]string, len(tokens))
	for i, t := range tokens {
		in[i], tags[i] = token.Token{Text: t[0], Space: t[2] != ""}, t[1]
	}
	p := pronouncer{dictionary: d, guess: func(context.Context, string) (string, error) { return "❓", nil }}
	groups := group(in, tags, d.British)
	err := p.pronounce(context.Background(), groups)
	stress(groups)
	var out strings.Builder
	join(&out, groups)
	return out.String(), err
}

// Symbols is all that Phonemes may return.
const Symbols = vocabulary
