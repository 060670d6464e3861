//go:build whisper

package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// An interview with a speaker on each channel, by the command: without the model that finds speakers.
func TestTranscribeChannels(t *testing.T) {
	t.Parallel()
	u := newTranscriber(t, "plain")
	b := enginetest.Interview(0.1, 0.002)
	u.writeWAV("call.wav", b.Samples, b.Rate, b.Channels)
	run := func(name string, more ...string) result {
		t.Helper()
		o := u.run(append([]string{"transcribe", name, "--model", "plain", "--format", "rttm"}, more...)...)
		require.Equal(t, exitDone, o.code, o.err)
		return o
	}
	const offer = "call.wav: each channel has one speaker: --speakers channels uses that."
	o := run("call.wav")
	require.Contains(t, o.err, offer)
	require.Empty(t, o.out)
	require.NotContains(t, run("call.wav", "--speakers", "off").err, offer)

	o = run("call.wav", "--speakers", "channels", "--names", "Anna,Ben")
	require.NotContains(t, o.err, offer)
	require.NotContains(t, o.err, "Downloading")
	var truth []diarizetest.Turn
	left, right := enginetest.InterviewTurns()
	for i := range left {
		truth = append(truth, diarizetest.Turn{Start: left[i].From, End: left[i].To, Speaker: "Anna"},
			diarizetest.Turn{Start: right[i].From, End: right[i].To, Speaker: "Ben"})
	}
	errors := diarizetest.Score(truth, diarizetest.RTTM(t, o.out))
	require.Less(t, errors.Rate(), 0.12, errors) // the turns of the truth end with pauses

	mono := enginetest.Interleave(enginetest.Voice(3, 110, enginetest.Turn{From: 0, To: 3}))
	u.writeWAV("mono.wav", mono.Samples, mono.Rate, mono.Channels)
	o = run("mono.wav", "--speakers", "channels")
	require.Contains(t, o.err, "mono.wav: the speakers were not found. It is not known who speaks on which channel")
	require.Empty(t, o.out)
}
