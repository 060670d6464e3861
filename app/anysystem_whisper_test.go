//go:build whisper

package app_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// TestAnySystemTranscribes transcribes recordings to texts and subtitles, and ends with Ctrl-C.
func TestAnySystemTranscribes(t *testing.T) {
	t.Parallel()
	u := newInstalled(t).withEnv(oneThread)
	u.mustRun("models", "import", programtest.Path(whispertest.Path(t, "plain")), "--name", "plain")
	const name = "Gespräch 🎙"
	u.copyClip(name + ".wav")
	require.Equal(t, golden(t, "plain.jfk.greedy.txt"), u.mustRun("transcribe", name+".wav", "--model", "plain"))
	u.mustRun("transcribe", name+".wav", "--model", "plain", "-o", name+".srt")
	require.Contains(t, string(u.read(name+".srt")), "00:00:00,000 --> ")
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, "in"), 0o700))
	u.copyClip("in/a.wav")
	u.mustRun("transcribe", "in", "--model", "plain", "-o", "out", "--format", "vtt")
	require.Contains(t, string(u.read("out/a.vtt")), "WEBVTT")
	require.Len(t, u.transcripts(), 3)
	u.held(filepath.Join(u.dir, name+".wav"), "transcribe", name+".wav", "--model", "plain", "-o", "held.txt")

	u.longTalk(t, "long.wav")
	before := u.transcripts()
	r := u.start("transcribe", "long.wav", "--model", "plain", "-o", "long.txt")
	require.Eventually(t, r.printed("transcribing"), testTimeout, time.Millisecond)
	require.Equal(t, exitInterrupted, r.signal(syscall.SIGINT), r.err.String())
	require.Equal(t, before, u.transcripts())
	u.requireFree()
}

// TestAnySystemTranscribesDeepDown transcribes with a model in a folder deeper than the 260 characters of TestAnySystemLongPaths.
func TestAnySystemTranscribesDeepDown(t *testing.T) {
	t.Parallel()
	u, _ := newInstalled(t).withEnv(oneThread).inDeepFolder()
	u.mustRun("models", "import", programtest.Path(whispertest.Path(t, "plain")), "--name", "plain")
	u.copyClip("a.wav")
	require.Equal(t, golden(t, "plain.jfk.greedy.txt"), u.mustRun("transcribe", "a.wav", "--model", "plain"))
}
