package finder_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/transcribe/finder"
)

// Turns that an older version stored may begin after the end of the recording.
func TestChannelsSpeakOnlyInTheRecording(t *testing.T) {
	transcript := backend.Transcript{
		Duration:     5,
		Channels:     &backend.Channels{Separate: true},
		ChannelTurns: [2][]int{{0, 100, 160, 50}, {100, 120, 60, 40}}, // the last ones are 5.2 to 6.2 and 5.6 to 6.4
		Segments:     []backend.Segment{{ID: 1, End: 2, Text: "Yes."}, {ID: 2, Start: 2, End: 4, Text: "No."}},
	}
	finder.SetChannels(&transcript)
	require.Equal(t, []backend.SpeakerTurn{
		{End: 2, Speaker: "Speaker 1"}, {Start: 2, End: 4.4, Speaker: "Speaker 2"},
	}, transcript.Turns)
}
