package backend_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestFirstWords(t *testing.T) {
	for text, words := range map[string]string{
		"# Winter\n\nIt rained all day.": "Winter It rained", "  ##\tA # b\r\n#tag": "A # b #tag", "####### seven": "####### seven",
		"#": "#", "": "", "\n\n# ": "", "abcdefghijklmnopqrs": "abcdefghijklmnop",
	} {
		require.Equal(t, words, backend.FirstWords(text, 16), "%q", text)
	}
	g := backend.Generation{ID: "1", Text: "# Winter\n\nIt rained."}
	require.Equal(t, "Winter It rained", g.FileName())
	require.Equal(t, "Winter It rained.", g.Tags()["title"])
}
