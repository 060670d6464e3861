package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

// TestUtterances cuts what an engine is given into sentences, and none of them is punctuation alone.
func TestUtterances(t *testing.T) {
	for spoken, want := range map[string][]string{
		"One. Two! Three":       {"One.", "Two!", "Three"},
		"\"One.\" \"...\" Two.": {"\"One.\" \"...\"", "Two."},
		"... One.":              {"... One."},
		"One. ...":              {"One. ..."},
		"":                      {""},
		"...":                   {"..."},
	} {
		require.Equal(t, want, text.Utterances(spoken), spoken)
	}
}

func TestPausesOfBreaks(t *testing.T) {
	pauses := backend.Pauses{Sentence: 1, Paragraph: 2, Heading: 3, Scene: 4}
	for b, want := range map[text.Break]float64{
		text.NoBreak: 0, text.SentenceBreak: 1, text.ParagraphBreak: 2, text.HeadingBreak: 3, text.SceneBreak: 4,
	} {
		require.InDelta(t, want, b.Pause(pauses), 0)
	}
}
