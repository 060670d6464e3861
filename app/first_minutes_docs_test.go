//go:build whisper

package app_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// TestFirstMinutesPage runs the commands of docs/first-minutes.md, one after the other. Its voice comes from a hub of the test.
func TestFirstMinutesPage(t *testing.T) {
	t.Parallel()
	// The hub of the test has no Whisper model of the published size, so a small one is imported in its place.
	notRun := map[string]bool{"models download whisper-base": true}
	u, _ := newUserWithHub(t)
	u = u.withEnv(oneThread)
	u.mustRun("models", "import", whispertest.Path(t, "plain"), "--name", "plain")
	u.copyClip("talk.wav")
	write(t, filepath.Join(u.dir, "chapter.txt"), "The pond lies there.\n\nIt was cold.\n")
	printed := map[string]string{}
	for _, args := range pageCommands(t, "first-minutes.md", 5) {
		name := strings.Join(args, " ")
		if notRun[name] {
			delete(notRun, name)
			continue
		}
		printed[name] = u.mustRun(args...)
	}
	require.Empty(t, notRun, "the page has no such command")
	require.Len(t, printed, 13)
	require.Equal(t, jfkText+"\n", printed["transcribe talk.wav"])
	require.Contains(t, printed["history search kettle"], "The kettle is on.")
	require.Contains(t, string(u.read("talk.srt")), "00:00:00,000 --> ")
	for _, name := range []string{"hello.wav", "kettle.wav", "chapter.wav", "chapter.mp3"} {
		require.NotEmpty(t, u.read(name))
	}
	require.Len(t, u.history(), 4)
}
