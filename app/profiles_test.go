package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

// voiceFiles returns the names below the folder of the samples.
func (u *user) voiceFiles() []string {
	u.t.Helper()
	found, err := filepath.Glob(filepath.Join(u.data, "voices", "*", "*"))
	require.NoError(u.t, err)
	return found
}

// TestSamplesOfAProfile adds a recording to a profile, moves the profile to another machine and deletes it.
func TestSamplesOfAProfile(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	clip := enginetest.ClipFile(t, "LJ001-0001.wav")
	created := u.mustRunJSON("profiles", "create", "Linda", "--cloned")
	require.Equal(t, "cloned", created["voice_type"])
	require.Equal(t, false, created["usable"])
	u.mustFail(exitUsage, []string{"--consent", "own_voice"}, "profiles", "add-sample", "Linda", clip)
	u.mustFail(exitUsage, []string{"maybe", "own_voice"}, "profiles", "add-sample", "Linda", clip, "--consent", "maybe")
	u.mustFail(exitUsage, []string{"exclude"}, "profiles", "add-sample", "Linda", clip, "--consent", "own_voice", "--transcript", "x", "--transcribe")
	u.mustFail(exitNotFound, []string{"Nobody"}, "profiles", "add-sample", "Nobody", clip, "--consent", "own_voice")
	u.mustFail(exitNotFound, []string{"none.wav"}, "profiles", "add-sample", "Linda", "none.wav", "--consent", "own_voice")
	u.mustFail(exitFailed, []string{"seconds"}, "profiles", "add-sample", "Linda", clip, "--consent", "own_voice", "--from", "1", "--to", "2.5")
	u.mustFail(exitFailed, []string{"Linda", "sample"}, "say", "Hello.", "--profile", "Linda", "-o", "a.wav")

	sample := u.mustRunJSON("profiles", "add-sample", "linda", clip, "--consent", "permission", "--by", "Linda J.", "--transcript", "Printing.")
	require.Equal(t, "LJ001-0001.wav", sample["name"])
	require.InDelta(t, 9.5, sample["seconds"], 0.5)
	require.Len(t, u.voiceFiles(), 1)
	shown := u.mustRunJSON("profiles", "show", "Linda")
	require.Equal(t, "Linda J.", shown["consent"].(object)["by"])
	require.EqualValues(t, 1, shown["samples"])
	require.Contains(t, u.mustRun("profiles", "samples", "Linda"), "LJ001-0001.wav")

	u.mustRun("profiles", "export", "Linda", "-o", "linda.zip")
	u.mustRun("backup", "library.zip")
	other := newUser(t)
	zip := filepath.Join(u.dir, "linda.zip")
	other.mustFail(exitUsage, []string{"--consent", "permission"}, "profiles", "import", zip)
	moved := other.mustRunJSON("profiles", "import", zip, "--consent", "permission", "--by", "Linda J.")
	require.EqualValues(t, 1, moved["samples"])
	items := other.mustRunJSON("profiles", "samples", "Linda")["items"].([]any)
	require.Equal(t, "Printing.", items[0].(object)["transcript"])
	require.Equal(t, sample["seconds"], items[0].(object)["seconds"])

	u.mustRun("profiles", "rm", "Linda")
	require.Empty(t, u.voiceFiles())
	u.mustRun("restore", "library.zip")
	require.Len(t, u.voiceFiles(), 1)
	require.Contains(t, u.mustRun("profiles", "samples", "Linda"), "LJ001-0001.wav")
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(u.voiceFiles()[0]), "stray.wav"), nil, 0o600))
	u.mustRun("profiles", "remove-sample", "Linda", sample["id"].(string))
	require.Empty(t, u.voiceFiles(), "a start removes what has no sample")
	u.mustFail(exitNotFound, []string{"sample"}, "profiles", "remove-sample", "Linda", sample["id"].(string))
}
