package app_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The folders and names that people give as outputs.
func TestOutputsInFolders(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, "clips dir"), 0o700))
	id := u.mustRunJSON("say", "Hello there.", "-o", "a.wav")["id"].(string)
	for _, c := range []struct {
		wrote string
		args  []string
	}{
		{"clips dir/Hello there.wav", []string{"history", "export", id, "-o", "clips dir"}},
		{"clips dir/Hello there 2.wav", []string{"history", "export", id, "-o", "clips dir/"}},
		{"clips dir/Hello there.srt", []string{"history", "export", id, "-o", "clips dir", "--format", "srt"}},
		{"clips.wav", []string{"history", "export", id, "-o", "clips"}},
		{"clips.flac", []string{"history", "export", id, "-o", "clips", "--format", "flac"}},
		{"CLIPS.WAV", []string{"history", "export", id, "-o", "CLIPS.WAV"}},
		{"clips.zip", []string{"history", "export", id, id, "-o", "clips"}},
		{"clips dir/voicewright.zip", []string{"history", "export", id, id, "-o", "clips dir"}},
		{"clips dir/Built-in voice.zip", []string{"profiles", "export", "Built-in voice", "-o", "clips dir"}},
		{"clips dir/voicewright-backup.zip", []string{"backup", "clips dir"}},
		{"clips dir/voicewright-doctor.zip", []string{"doctor", "--bundle", "clips dir"}},
	} {
		u.mustRun(c.args...)
		info, err := os.Stat(filepath.Join(u.dir, c.wrote))
		require.NoError(t, err, "%v", c.args)
		require.NotZero(t, info.Size())
		if filepath.Ext(c.wrote) != ".zip" {
			continue
		}
		z, err := zip.OpenReader(filepath.Join(u.dir, c.wrote))
		require.NoError(t, err)
		for _, f := range z.File {
			require.WithinDuration(t, time.Now(), f.Modified, time.Hour, "%s in %s", f.Name, c.wrote)
		}
		require.NoError(t, z.Close())
	}
	for _, args := range [][]string{
		{"say", "Hello.", "-o", "clips dir"},
		{"words", "import", "clips dir"},
		{"history", "export", id, "-o", "none/a.wav"},
		{"history", "export", id, "-o", "none/"},
		{"history", "export", id, "-o", "a.xyz"},
		{"history", "export", id, id, "-o", "a.wav"},
		{"history", "retry", id, "-o", "none/a.wav"},
		{"profiles", "import", "clips dir"},
		{"profiles", "export", "Built-in voice", "-o", "none/p.zip"},
	} {
		u.mustFail(exitUsage, nil, args...)
	}
}

func TestBuiltInProfileIsNotDeletedByMistake(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("profiles", "create", "Anna")
	u.mustRun("profiles", "rm", "anna")
	u.mustFail(exitUsage, []string{"Built-in voice", "--yes"}, "profiles", "rm", "Built-in voice")
	require.Contains(t, u.mustRun("profiles", "list"), "Built-in voice")
	u.mustRun("profiles", "rm", "built-in voice", "--yes")
	require.NotContains(t, u.mustRun("profiles", "list"), "Built-in voice")
}

func TestVoiceMessageShowsAnExample(t *testing.T) {
	t.Parallel()
	newUser(t).mustFail(exitUsage, []string{"MODEL:VOICE, such as espeak:en-us"}, "say", "Hello.", "--voice", "kokoro")
}

// The state of a failed download is not a line of its own: the error behind it says what went wrong.
func TestFailedDownloadSaysItOnce(t *testing.T) {
	t.Parallel()
	u, _ := newUserWithHub(t) // it has no such model
	o := u.run("models", "download", "whisper-tiny")
	require.Equal(t, exitFailed, o.code, o.err)
	require.NotContains(t, o.err, ": error")
}
