package docs_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/models/registry"
)

// TestSizesOfModels compares the sizes that pages name with the list of models.
func TestSizesOfModels(t *testing.T) {
	entries, err := registry.Load()
	require.NoError(t, err)
	size := func(name string) int {
		i := slices.IndexFunc(entries, func(e registry.Entry) bool { return e.Name == name })
		require.GreaterOrEqual(t, i, 0, name)
		return entries[i].Variants[0].SizeMB()
	}
	for _, row := range []struct{ page, before, model, after string }{
		{"transcription.md", "| Whisper tiny | ", "whisper-tiny", " |"},
		{"transcription.md", "| Whisper base | ", "whisper-base", " |"},
		{"transcription.md", "| Whisper small | ", "whisper-small", " |"},
		{"transcription.md", "| Whisper medium | ", "whisper-medium", " |"},
		{"transcription.md", "| Whisper large | ", "whisper-large", " |"},
		{"transcription.md", "| Whisper large v3 | ", "whisper-large-v3", " |"},
		{"models.md", "| Kokoro | 121 to ", "kokoro", " |"},
		{"models.md", "| Supertonic 3 | ", "supertonic-3", " |"},
		{"models.md", "| KittenTTS | 45 to ", "kitten-mini", " |"},
		{"models.md", "| Whisper | ", "whisper-tiny", " to "},
		{"models.md", "| Speakers | ", "speakers", " |"},
		{"speakers.md", "\nSpeakers (", "speakers", ":"},
		{"cloning.md", "| one each | ", "pocket-en", " (French "},
		{"cloning.md", " (French ", "pocket-fr", ") |"},
		{"cloning.md", "| `chatterbox-turbo` | English | ", "chatterbox-turbo", " |"},
		{"cloning.md", "| `chatterbox-nano` | English | ", "chatterbox-nano", " |"},
		{"cloning.md", "| `chatterbox-multilingual` | 23 | ", "chatterbox-multilingual", " |"},
		{"cloning.md", "| `moss-nano` | 19 | ", "moss-nano", " |"},
		{"first-minutes.md", "models download piper-en_US-lessac-medium   # ", "piper-en_US-lessac-medium", "\n"},
		{"first-minutes.md", "(Whisper base has ", "whisper-base", ")"},
	} {
		mb := size(row.model)
		text := fmt.Sprintf("%d MB", mb)
		if mb >= 1000 {
			text = fmt.Sprintf("%.1f GB", float64(mb)/1000)
		}
		require.Contains(t, read(t, row.page), row.before+text+row.after, "%s in docs/%s", row.model, row.page)
	}
}
