//go:build whisper

package app_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// TestSpeakersPage runs the commands of docs/speakers.md, one after the other.
func TestSpeakersPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.FromSlash("../docs/speakers.md"))
	require.NoError(t, err)
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindSubmatch(page)
	require.NotNil(t, block)
	u := newUserWithSpeakers(t, "toy")
	talk := audio.PCM16(nil, diarizetest.Tones(t, 0, 13)) // of three speakers
	write(t, filepath.Join(u.dir, "interview.wav"), string(append(audio.WAVHeader(engines.TranscriberRate, 1, uint32(len(talk))), talk...)))
	word := regexp.MustCompile(`"[^"]*"|\S+`)
	commands := 0
	for line := range strings.Lines(string(block[1])) {
		command, _, _ := strings.Cut(line, " #")
		var args []string
		for _, arg := range word.FindAllString(command, -1)[1:] {
			args = append(args, strings.Trim(arg, `"`))
		}
		u.mustRun(args...)
		commands++
	}
	require.Equal(t, 5, commands)
	require.FileExists(t, filepath.Join(u.dir, "interview.docx"))
	rttm, err := os.ReadFile(filepath.Join(u.dir, "interview.rttm"))
	require.NoError(t, err)
	require.Contains(t, string(rttm), " Anna <NA>")
}
