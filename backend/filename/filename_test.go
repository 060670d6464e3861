package filename_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/filename"
)

func TestFileName(t *testing.T) {
	for wanted, name := range map[string]string{
		"A title": "A title", "Grüße / an: alle?": "Grüße - an- alle", "../../etc/passwd": "etc-passwd",
		"": "other", " .-. ": "other", "100% sure": "100% sure",
		"..%2F": "2F", "..%2f..%5Cx": "2f..-5Cx", "a%00b": "a-00b",
		"CON": "_CON", "con.": "_con", "Aux.take 2": "_Aux.take 2", "com1": "_com1", "LPT¹": "_LPT¹", "nul .x": "_nul .x",
		"CONIN$": "_CONIN$", "Contents": "Contents", "com10": "com10", "Auxiliary": "Auxiliary",
		strings.Repeat("a", 300): strings.Repeat("a", 200), strings.Repeat("ü€", 80): strings.Repeat("ü€", 40), strings.Repeat("b", 199) + " c": strings.Repeat("b", 199),
	} {
		require.Equal(t, name, filename.Safe(wanted, "other"), "%q", wanted)
	}
}

func TestFileNameStaysInItsFolder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name := filename.Safe(rapid.String().Draw(rt, "wanted"), "other")
		require.True(rt, filepath.IsLocal(name))
		require.Equal(rt, filepath.Base(name), name)
		require.Equal(rt, name, filename.Safe(name, "other"), "a good name stays")
	})
}

// TestSuggested are names in a dialog: a person reads and may change them.
func TestSuggested(t *testing.T) {
	for title, name := range map[string]string{
		"": "speech", " .. ": "speech", "Chapter 1": "Chapter 1", "Grüße / an: alle?": "Grüße an alle", "../../x": "x",
		"line\nbreak\x00": "line break", "50%2F": "50%2F", strings.Repeat("ä", 59) + ". b": strings.Repeat("ä", 59),
	} {
		require.Equal(t, name, filename.Suggested(title, "speech"), "%q", title)
	}
}
