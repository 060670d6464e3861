package paragraphs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/transcribe/paragraphs"
)

func TestMarkAndText(t *testing.T) {
	long := strings.Repeat("word ", 101) + "end."
	segments := []backend.Segment{
		{Start: 0, End: 1, Text: " One."},
		{Start: 1, End: 2, Text: " Two"},
		{Start: 3.5, End: 4, Text: " goes on."},            // a pause in a sentence
		{Start: 5.3, End: 6, Text: " Three."},              // a pause after a sentence
		{Start: 6, End: 7, Text: " Four.", Speaker: "Bob"}, // another speaker
		{Start: 11, End: 40, Text: long, Speaker: "Bob"},   // a long pause
		{Start: 40, End: 41, Text: " Five.", Speaker: "Bob"},
	}
	paragraphs.Mark(segments)
	var marks []bool
	for _, s := range segments {
		marks = append(marks, s.Paragraph)
	}
	require.Equal(t, []bool{true, false, false, true, true, true, true}, marks)
	require.Equal(t, "One. Two goes on.\n\nThree.\n\nFour.\n\n"+long+"\n\nFive.", paragraphs.Text(segments))
	require.Equal(t, "木曜日、停戦会談は。ありがとう 🎉", paragraphs.Text([]backend.Segment{{Text: "木曜日、停戦会談は。"}, {Text: "ありがとう 🎉"}}))
	require.Empty(t, paragraphs.Text(nil))
}
