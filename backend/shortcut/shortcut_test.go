package shortcut_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/shortcut"
)

func TestParseShortcut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Ctrl+Alt+Space":    "Ctrl+Alt+Space",
		"alt + control + d": "Ctrl+Alt+D",
		"cmd+shift+7":       "Shift+Super+7",
		"F9":                "F9",
		"f24":               "F24",
		"shift+Pause":       "Shift+Pause",
		"option+pagedown":   "Alt+PageDown",
	} {
		s, err := shortcut.Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, s.String())
	}
	for text, reason := range map[string]string{
		"":             "does not end with a key",
		"Ctrl":         "does not end with a key",
		"Ctrl+":        "does not end with a key",
		"D":            "needs Ctrl, Alt or Super",
		"Shift+D":      "needs Ctrl, Alt or Super",
		"Hyper+D":      "is not a modifier",
		"Ctrl+F25":     "does not end with a key",
		"Ctrl+ä":       "does not end with a key",
		"Ctrl+Alt+Del": "does not end with a key",
	} {
		_, err := shortcut.Parse(text)
		require.ErrorContains(t, err, reason, text)
	}
}
