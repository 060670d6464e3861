package subtitles_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/subtitles"
)

// Text can neither end its cue, nor look like times or tags.
func TestSubtitlesEscape(t *testing.T) {
	cues := []subtitles.Cue{
		{End: time.Second, Text: "a <b> & c\r\n\r\n \t\n 00:00 ---> 00:01 --> x", Speaker: "R&D <1>"},
		{Start: 3_723_004 * time.Millisecond, End: 3_724_000 * time.Millisecond, Text: " second line"},
	}
	var srt, vtt strings.Builder
	require.NoError(t, subtitles.WriteSRT(&srt, cues))
	require.NoError(t, subtitles.WriteVTT(&vtt, cues))
	require.Equal(t, "1\n00:00:00,000 --> 00:00:01,000\na <b> & c\n00:00 -> 00:01 -> x\n\n"+
		"2\n01:02:03,004 --> 01:02:04,000\nsecond line\n\n", srt.String())
	require.Equal(t, "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n<v R&amp;D &lt;1&gt;>a &lt;b&gt; &amp; c\n00:00 -&gt; 00:01 -&gt; x\n\n"+
		"01:02:03.004 --> 01:02:04.000\nsecond line\n\n", vtt.String())
}
