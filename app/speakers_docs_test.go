//go:build whisper

package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestSpeakersPage runs the commands of docs/speakers.md, one after the other.
func TestSpeakersPage(t *testing.T) {
	t.Parallel()
	u := newUserWithSpeakers(t, "toy")
	talk := audio.PCM16(nil, diarizetest.Tones(t, 0, 13)) // of three speakers
	for _, name := range []string{"interview.wav", "friday.wav"} {
		write(t, filepath.Join(u.dir, name), string(append(audio.WAVHeader(engines.TranscriberRate, 1, uint32(len(talk))), talk...)))
	}
	call := enginetest.Interview(0.1, 0.002)
	u.writeWAV("call.wav", call.Samples, call.Rate, call.Channels)
	u.writePeople()
	commands := pageCommands(t, "speakers.md", 3)
	for _, args := range commands {
		u.mustRun(args...)
	}
	require.Len(t, commands, 11)
	require.FileExists(t, filepath.Join(u.dir, "interview.docx"))
	rttm, err := os.ReadFile(filepath.Join(u.dir, "interview.rttm"))
	require.NoError(t, err)
	require.Contains(t, string(rttm), " Anna <NA>")
	rttm, err = os.ReadFile(filepath.Join(u.dir, "call.rttm"))
	require.NoError(t, err)
	require.Contains(t, string(rttm), " Speaker_2 <NA>")
}
