//go:build xserver && whisper

package app_test

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/desktoptest"
	"github.com/voicewright/voicewright/build/sound"
)

// TestDictateIntoATerminal holds the shortcut while a clip is played into the microphone, on a private display with a sound
// server of its own. The text arrives in a terminal.
func TestDictateIntoATerminal(t *testing.T) {
	desktoptest.Start(t)
	speaker, err := sound.Start(context.WithoutCancel(t.Context()), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, speaker.Close()) })
	u := newTranscriber(t, "plain").withEnv(append(speaker.Env(), "DISPLAY="+os.Getenv("DISPLAY"))...)
	u.copyClip("talk.wav")
	s := u.serve()
	status, answer := s.request("PUT", "/settings", `{"dictation.enabled":true,"dictation.shortcut":"F9","transcribe.model":"plain"}`)
	require.Equal(t, http.StatusOK, status, answer)
	state := func() object {
		_, answer := s.request("GET", "/dictation", "")
		return parseJSON(t, answer)
	}
	reach := func(want string) {
		t.Helper()
		require.Eventually(t, func() bool { return state()["status"] == want }, desktoptest.Timeout, 20*time.Millisecond, want)
	}
	require.Eventually(t, func() bool { return state()["shortcut"] == "F9" }, desktoptest.Timeout, 20*time.Millisecond)

	typed := filepath.Join(t.TempDir(), "typed")
	t.Setenv("LC_ALL", "C.UTF-8")
	desktoptest.Run(t, "xterm", "-u8", "-title", "terminal", "-e", "sh", "-c", "cat > "+typed)
	desktoptest.Focus(t, "terminal")
	desktoptest.Tool(t, "xdotool", "keydown", "F9")
	reach("recording")
	require.Eventually(t, func() bool {
		return exec.Command("xdotool", "search", "--onlyvisible", "--name", "microphone open").Run() == nil
	}, desktoptest.Timeout, 20*time.Millisecond, "the sign is shown")
	require.NoError(t, speaker.Play(t.Context(), sound.Output, filepath.Join(u.dir, "talk.wav")))
	desktoptest.Tool(t, "xdotool", "keyup", "F9")
	reach("idle")
	require.Nil(t, state()["error"])
	desktoptest.Tool(t, "xdotool", "key", "Return")
	want := strings.TrimSpace(golden(t, "plain.jfk.greedy.txt"))
	require.Eventually(t, func() bool {
		got, _ := os.ReadFile(typed)
		return string(got) == want+"\n"
	}, desktoptest.Timeout, 20*time.Millisecond, want)
	require.Empty(t, u.history())
	files, _ := os.ReadDir(filepath.Join(u.data, "recordings"))
	require.Empty(t, files, "nothing is stored")
}
