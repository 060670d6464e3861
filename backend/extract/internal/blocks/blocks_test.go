package blocks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
)

// Breaks between scenes stay where text is on both sides.
func TestWithoutScenes(t *testing.T) {
	kinds := func(letters string) (out []backend.Block) {
		for _, r := range letters {
			b := backend.Block{Kind: backend.BlockParagraph}
			switch r {
			case '*', 'S':
				b.Kind = backend.BlockScene
			case 'h':
				b.Kind = backend.BlockHeading
			}
			if r == 'c' || r == 'S' {
				b.Begins = []backend.Section{{Title: "Chapter", Level: 1}}
			}
			out = append(out, b)
		}
		return out
	}
	for given, want := range map[string]string{"p*p": "p*p", "*p*": "p", "h*p*h": "hph", "p**p": "p*p", "p*cp": "pcp", "pSpp": "pcp", "": "", "*": "", "p*": "p"} {
		require.Equal(t, kinds(want), append([]backend.Block(nil), blocks.WithoutScenes(kinds(given))...), given)
	}
}
