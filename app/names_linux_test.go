//go:build linux && whisper

package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// TestFileNamesThatAreNoUTF8 uses names with bytes of Latin-1 in every command that reads or writes files.
func TestFileNamesThatAreNoUTF8(t *testing.T) {
	t.Parallel()
	const name = "caf\xe9"
	u := newUser(t).withEnv(oneThread)
	write := func(name, content string) {
		require.NoError(t, os.WriteFile(filepath.Join(u.dir, name), []byte(content), 0o600))
	}
	clip, err := os.ReadFile(enginetest.ClipFile(t, "jfk.wav"))
	require.NoError(t, err)
	model, err := os.ReadFile(whispertest.Path(t, "plain"))
	require.NoError(t, err)
	write(name+".txt", "Hello there.")
	write(name+".csv", "text,name\nHello,one\n")
	write(name+".wav", string(clip))
	write(name+".bin", string(model))

	u.mustRun("say", "--file", name+".txt", "-o", name+"-1.wav")
	u.mustRun("say", "--batch", name+".csv", "--out", name+"-list")
	id := u.mustRunJSON("say", "Hello.", "-o", name+"-2.mp3")["id"].(string)
	u.mustRun("history", "export", id, "-o", name+"-3.wav")
	u.mustRun("profiles", "create", "Linda", "--cloned")
	u.mustRun("profiles", "add-sample", "Linda", name+".wav", "--consent", "own_voice")
	u.mustRun("profiles", "export", "Linda", "-o", name+"-4.zip")
	u.mustRun("profiles", "import", name+"-4.zip", "--consent", "own_voice")
	u.mustRun("words", "add", "foo", "bar")
	u.mustRun("words", "export", name+"-5.csv")
	u.mustRun("words", "import", name+"-5.csv")
	u.mustRun("models", "import", name+".bin", "--name", "plain")
	for _, file := range []string{name + "-1.wav", name + "-list/one.wav", name + "-2.mp3", name + "-3.wav", name + "-4.zip", name + "-5.csv"} {
		require.FileExists(t, filepath.Join(u.dir, file))
	}

	said := u.mustRunJSON("transcribe", name+".wav", "--model", "plain")
	require.Equal(t, "caf\ufffd", said["title"])
	require.Equal(t, "caf\ufffd.wav", said["file_name"])
	require.Equal(t, jfkText, said["text"])
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, name), 0o700))
	write(name+"/"+name+".wav", string(clip))
	u.mustRun("transcribe", name, "--model", "plain", "-o", name+"-6", "--format", "srt")
	require.FileExists(t, filepath.Join(u.dir, name+"-6", name+".srt"))

	u.mustRun("backup", name+".zip")
	u.mustRun("restore", name+".zip")
	u.mustFail(exitUsage, []string{"not UTF-8"}, "models", "adopt", name)
}
