//go:build whisper

package app_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/pocket/pockettest"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// TestSimilarityOfAClonedVoice: the model of the test hears something else than was spoken, and the command says so.
func TestSimilarityOfAClonedVoice(t *testing.T) {
	t.Parallel()
	u := newUser(t).withEnv(oneThread)
	folder := filepath.Join(t.TempDir(), "tone")
	require.NoError(t, pockettest.Write(folder, "english"))
	u.mustRun("models", "import", folder, "--name", "my-pocket")
	u.mustRun("profiles", "create", "Linda", "--model", "my-pocket")
	u.mustFail(exitFailed, []string{"no sample"}, "profiles", "similarity", "Linda")
	u.mustRun("profiles", "add-sample", "Linda", enginetest.ClipFile(t, "LJ001-0001.wav"), "--consent", "own_voice")
	u.mustFail(exitFailed, []string{"not downloaded"}, "profiles", "similarity", "Linda")

	u.mustRun("models", "import", whispertest.Path(t, "tones"), "--name", "tones")
	found := u.mustRunJSON("profiles", "similarity", "Linda", "--model", "tones")
	require.Equal(t, "tones", found["model_name"])
	require.Positive(t, found["wer"])
	out := u.mustRun("profiles", "similarity", "Linda", "--model", "tones")
	require.Contains(t, out, "Spoken:   "+found["text"].(string))
	require.Contains(t, out, "Warning:  Some words of this voice are hard to understand.")
	require.Regexp(t, `Level: +-\d+ LUFS, samples -\d+ LUFS`, out)
	u.mustFail(exitNotFound, []string{"Nobody"}, "profiles", "similarity", "Nobody")
}
