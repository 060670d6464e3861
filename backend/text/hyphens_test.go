package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/text"
)

// Words that are divided at line ends are one word in passages, subtitles and what is spoken.
func TestDividedWords(t *testing.T) {
	pieces := text.Plan("We con-\nsider nega-\ntive num-\nbers and a one-\nsided fight.", 60)
	require.Equal(t, []text.Piece{{Text: "We consider negative numbers and a one-sided fight."}}, pieces)
	require.Equal(t, "It is a state-of-the-art officer.",
		text.Speak("It is a state-of-the-\nart of\u00adfi\ufffecer.", text.SpeakOptions{Language: "en-US"}).Text)
	require.Equal(t, "die Donaudampfschifffahrt, Nord-\nund Süd", text.Speak("die Donau-\ndampfschifffahrt, Nord-\nund Süd", text.SpeakOptions{Language: "de"}).Text)
	script := text.Verbatim("We con-\nsider it.", text.VerbatimOptions{SpeakOptions: text.SpeakOptions{Language: "en"}})
	require.Equal(t, "We consider it.", script.Parts[0].Text)
}
