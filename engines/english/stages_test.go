package english

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/english/internal/dictionary"
	"github.com/voicewright/voicewright/engines/english/internal/tag"
	"github.com/voicewright/voicewright/engines/english/internal/token"
)

// shown returns groups as text: parts divided by +, groups by a space, phonemes behind a colon where they are known.
func shown(groups [][]part) string {
	var all []string
	for _, g := range groups {
		var parts []string
		for _, p := range g {
			s := p.text + p.currency
			if p.known {
				s += ":" + p.phonemes
			}
			parts = append(parts, s)
		}
		all = append(all, strings.Join(parts, "+"))
	}
	return strings.Join(all, " ")
}

func TestStages(t *testing.T) {
	d, err := dictionary.Open(false)
	require.NoError(t, err)
	for _, c := range []struct{ text, grouped, pronounced, stressed, joined string }{
		{"A dog.", "A dog .:.", "A:ɐ dog:dˈɔɡ .:.", "A:ɐ dog:dˈɔɡ .:.", "ɐ dˈɔɡ."},
		{
			"$20 each", "$: 20$ each", "$: 20$:twˈɛnti dˈɑləɹz each:ˈiʧ", "$: 20$:twˈɛnti dˈɑləɹz each:ˈiʧ", "twˈɛnti dˈɑləɹz ˈiʧ",
		},
		{"T-shirt", "T+-+shirt", "T:tˈiʃˌɜɹt+-:+shirt:", "T:tˈiʃˌɜɹt+-:+shirt:", "tˈiʃˌɜɹt"},
		{"b2b", "b to b", "b:bˈi to:tə b:bˈi", "b:bˈi to:tə b:bˈi", "bˈitəbˈi"},
		{"B747", "B+747", "B:bˈi+747:sˈɛvən fˈɔɹɾi sˈɛvən", "B:bˈi+747:sˈɛvən fˈɔɹɾi sˈɛvən", "bˈi sˈɛvən fˈɔɹɾi sˈɛvən"},
		{"[[tˈɛst]]!", "tˈɛst:tˈɛst !:!", "tˈɛst:tˈɛst !:!", "tˈɛst:tˈɛst !:!", "tˈɛst!"},
	} {
		tokens := token.Tokenize(c.text)
		groups := group(tokens, tag.Tags(d, tokens), false)
		assert.Equal(t, c.grouped, shown(groups), c.text)
		require.NoError(t, newFallback(nil).pronouncer(d).pronounce(context.Background(), groups))
		assert.Equal(t, c.pronounced, shown(groups), c.text)
		stress(groups)
		assert.Equal(t, c.stressed, shown(groups), c.text)
		var out strings.Builder
		join(&out, groups)
		assert.Equal(t, c.joined, strings.TrimSpace(out.String()), c.text)
	}
}

func TestStressOfCompounds(t *testing.T) {
	for name, c := range map[string]struct {
		parts []part
		want  string
	}{
		"one letter and a word":   {[]part{{text: "T", phonemes: "tˈi"}, {text: "shirt", phonemes: "ʃˈɜɹt"}}, "tˈiʃˌɜɹt"},
		"two words":               {[]part{{text: "well", phonemes: "wˈɛl"}, {text: "known", phonemes: "nˈOn"}}, "wˌɛlnˈOn"},
		"one of two has a stress": {[]part{{text: "the", phonemes: "ðə"}, {text: "art", phonemes: "ˈɑɹt"}}, "ðəˈɑɹt"},
		"letters and digits":      {[]part{{text: "B", phonemes: "bˈi", known: true}, {text: "2", phonemes: "tˈu", known: true}}, "bˈi tˈu"},
		"a pause at the end":      {[]part{{text: "well", phonemes: "wˈɛl", known: true}, {text: "…"}}, "wˈɛl…"},
	} {
		groups := [][]part{c.parts}
		stress(groups)
		var out strings.Builder
		join(&out, groups)
		assert.Equal(t, c.want, out.String(), name)
	}
}
