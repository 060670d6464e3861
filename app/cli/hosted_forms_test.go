package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDialogueForms covers the forms of lines that the page takes for turns too.
func TestDialogueForms(t *testing.T) {
	for _, line := range []string{
		"Ben: Is it?", "Ben - Is it?", "Ben — Is it?", "Ben – Is it?", "Ben\tIs it?", "2. Ben: Is it?", "2) Ben: Is it?", "2. Ben - Is it?",
		"[Ben] Is it?", "[Ben]: Is it?", "> Ben: Is it?", "> Ben - Is it?", "<v Ben>Is it?", "<v.loud Ben>Is it?</v>", "**Ben:** Is it?",
		"Ben： Is it?", "- Ben: Is it?",
	} {
		turns, err := parseDialogue([]byte("Ann: Good morning.\r\n"+line), []string{"Ann=a", "Ben=b"})
		require.NoError(t, err, line)
		require.Equal(t, []turn{{"a", "Good morning."}, {"b", "Is it?"}}, turns, line)
	}
	for _, line := range []string{"He came - late.", "[yawns] Is it?", "and 12:30 is late", "> a quotation", "2. a list"} {
		turns, err := parseDialogue([]byte("Ann: Good morning.\n"+line), []string{"Ann=a", "Ben=b"})
		require.NoError(t, err, line)
		require.Equal(t, []turn{{"a", "Good morning.\n" + line}}, turns, line)
	}
}
