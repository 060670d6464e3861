//go:build whisper

package app_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// toneWAV returns a WAV file of five seconds for each word: the tone that the model "tones" names, or silence.
func toneWAV(words ...string) []byte {
	const rate = 16000
	hz := map[string]float64{"low": 300, "mid": 1000, "high": 3000}
	var samples []float32
	for _, word := range words {
		for i := range 5 * rate {
			samples = append(samples, float32(0.5*math.Sin(2*math.Pi*hz[word]*float64(i)/rate)))
		}
	}
	return audio.PCM16(audio.WAVHeader(rate, 1, uint32(2*len(samples))), samples)
}

// The command finds each way in which the audio of a generation is wrong, and no fault in audio that is right.
func TestHistoryVerify(t *testing.T) {
	t.Parallel()
	u := newUser(t).withEnv(oneThread)
	u.mustRun("models", "import", whispertest.Path(t, "tones"), "--name", "whisper-tones")
	u.mustRun("say", "First low then mid.", "-o", "a.wav")
	row := u.history()[0]
	id, path := row["id"].(string), row["audio_path"].(string)
	s := u.serve()
	status, body := s.request("PUT", "/settings", `{"speech.verify_model":"whisper-tones"}`)
	require.Equal(t, 200, status, body)
	for _, test := range []struct {
		name string
		file []byte
		wer  float64
	}{
		{"right", toneWAV("low", "mid"), 0},
		{"swapped", toneWAV("mid", "low"), 0.5},
		{"cut", toneWAV("low"), 0.25},
		{"doubled", toneWAV("low", "mid", "low", "mid"), 1},
		{"silent", toneWAV("silence", "silence"), 1},
	} {
		require.NoError(t, os.WriteFile(path, test.file, 0o600))
		report := u.mustRunJSON("history", "verify", id)
		item := report["items"].([]any)[0].(object)
		t.Logf("%s: WER %v, heard %q", test.name, item["wer"], item["chunks"].([]any)[0].(object)["heard"])
		require.InDelta(t, test.wer, item["wer"], 1e-9, test.name)
		require.Equal(t, "whisper-tones", item["model_name"])
		require.Equal(t, test.wer > 0.15, report["over_limit"].(float64) == 1, test.name)
		require.Equal(t, item["wer"], u.mustRunJSON("history", "show", id)["verify"].(object)["wer"])
	}
	table := u.mustRun("history", "verify", "--all")
	require.Contains(t, table, "100.0%")
	require.Contains(t, table, "1 of 1 not understood")
	require.Contains(t, u.mustRun("history", "verify", "--since", "1h"), id)
	require.NotContains(t, u.mustRun("history", "verify", "--since", "2100-01-01"), id)
	o := u.run("history", "verify", id, "--strict") // prints the report all the same
	require.Equal(t, exitFailed, o.code)
	require.Contains(t, o.out, "1 of 1 not understood")
	requireErrorLine(t, o.err, []string{"1 of 1 generations"})
}

// A request with verify answers with the rate, of a real voice that the model cannot understand here, and stays complete.
func TestGenerateAndVerify(t *testing.T) {
	t.Parallel()
	u := newUser(t).withEnv(oneThread)
	u.mustRun("models", "import", whispertest.Path(t, "tones"), "--name", "whisper-tones")
	s := u.serve()
	status, body := s.request("PUT", "/settings", `{"speech.verify_model":"whisper-tones"}`)
	require.Equal(t, 200, status, body)
	status, body = s.request("POST", "/generate", fmt.Sprintf(`{"profile_id":%q,"text":"First low then mid.","verify":true}`, s.firstProfile()))
	require.Equal(t, 200, status, body)
	g := parseJSON(t, body)
	require.Equal(t, "complete", g["status"])
	require.Equal(t, "whisper-tones", g["verify"].(object)["model_name"])
	require.Greater(t, g["verify"].(object)["wer"], 0.15)
	chunk := g["chunks"].([]any)[0].(object)
	require.EqualValues(t, 1, chunk["takes"], "another seed changes nothing in the built-in voice")
	require.True(t, strings.HasPrefix(chunk["verify"].(object)["heard"].(string), "First "))
	require.NotNil(t, g["receipt"].(object)["verify"])
}
