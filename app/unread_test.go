package app

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/english"
	"github.com/voicewright/voicewright/engines/espeak"
)

// TestUnread checks each kind of voice with characters of other scripts and with symbols.
func TestUnread(t *testing.T) {
	phonemizer := espeak.NewPhonemizer()
	defer func() { require.NoError(t, phonemizer.Close()) }()
	p := phonetics{english.New(phonemizer), phonemizer}
	for _, c := range []struct {
		engine, language, read, unread string
	}{
		{espeak.Name, "en-US", "字 привет 😀 ½", "★ १५"},
		{"piper", "de", "привет €", "★ १५"},
		{"piper", "hi", "१५ अगस्त", "★"},
		{"supertonic", "en", "привет १५ é €", "字 😀 → ★"},
		{"kokoro", "en-US", "½", "★"},
	} {
		model := engines.Model{Engine: c.engine, Languages: []string{"en", "ru"}}
		for want, list := range map[bool]string{false: c.read, true: c.unread} {
			for characters := range strings.FieldsSeq(list) {
				got, err := p.unread(t.Context(), model, c.language, characters)
				require.NoError(t, err)
				require.Equal(t, want, got, "%s %s: %s", c.engine, c.language, characters)
			}
		}
	}
}
