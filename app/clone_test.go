package app_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/pocket/pockettest"
)

// TestCloningEngines imports a model of each engine that clones voices.
func TestCloningEngines(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for engine, folder := range enginetest.CloneModels(t) {
		out := u.mustRun("models", "import", folder, "--name", "my-"+engine)
		m := u.model("my-" + engine)
		if m["voices"] == float64(0) {
			require.Contains(t, out, "clones voices")
			require.Contains(t, out, `profiles create "My voice" --cloned --model my-`+engine)
		} else {
			require.Contains(t, out, "say --voice my-"+engine+":")
		}
		require.Equal(t, engine, m["engine"])
		require.Equal(t, true, m["cloning"])
		require.Equal(t, true, m["supported"])
	}
}

// readMono returns the audio of a WAV file, mono at the rate of the model for tests.
func readMono(t *testing.T, path string) []float32 {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	in, err := audio.ReadWAV(bytes.NewReader(raw))
	require.NoError(t, err)
	mono, err := in.MonoAt(t.Context(), pockettest.Rate)
	require.NoError(t, err)
	return mono.Samples
}

// TestSayWithTheVoiceOfASample imports a model that speaks with the pitch of the sample, makes two voices and hears whose
// sample each of them has.
func TestSayWithTheVoiceOfASample(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	folder := filepath.Join(t.TempDir(), "tone")
	require.NoError(t, pockettest.Write(folder, "english"))
	u.mustRun("models", "import", folder, "--name", "my-pocket")
	u.mustFail(exitFailed, []string{"has a sample"}, "say", "Hello.", "--voice", "my-pocket:", "-o", "a.wav")
	pitches := map[string]float64{}
	for name, clip := range map[string]string{"Linda": "LJ001-0001.wav", "Kennedy": "jfk.wav"} {
		u.mustRun("profiles", "create", name, "--cloned", "--model", "my-pocket")
		u.mustRun("profiles", "add-sample", name, enginetest.ClipFile(t, clip), "--consent", "own_voice")
		shown := u.mustRunJSON("profiles", "show", name)
		stored, err := filepath.Glob(filepath.Join(u.data, "voices", shown["id"].(string), "*.wav"))
		require.NoError(t, err)
		require.Len(t, stored, 1)
		want := pockettest.Pitch(readMono(t, stored[0]))
		for range 2 { // the second time with the stored voice
			g := u.mustRunJSON("say", "Hello there, this is a test.", "--profile", name, "-o", name+".wav")
			require.Equal(t, "complete", g["status"])
			require.Equal(t, "my-pocket", g["model_name"])
			pitches[name] = pockettest.Pitch(readMono(t, filepath.Join(u.dir, name+".wav")))
			require.InDelta(t, want, pitches[name], want/50, name)
		}
		states, err := filepath.Glob(filepath.Join(u.data, "voices", shown["id"].(string), "states", "*.voice"))
		require.NoError(t, err)
		require.Len(t, states, 1)
		require.Contains(t, u.mustRun("say", "Hello.", "--profile", name, "-o", "a.wav"), "Voice: "+name+" (my-pocket)\n")
		u.mustRun("profiles", "rm", name)
		require.NoDirExists(t, filepath.Join(u.data, "voices", shown["id"].(string)))
	}
	require.Greater(t, pitches["Linda"], pitches["Kennedy"]*1.02, "%v", pitches)
}
