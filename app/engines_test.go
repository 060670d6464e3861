package app_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestPresetEngines imports a model of each engine, speaks with it, and finds its voices among the profiles.
func TestPresetEngines(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for engine, folder := range enginetest.KitModels(t) {
		u.mustRun("models", "import", folder, "--name", "my-"+engine)
		require.Equal(t, engine, u.model("my-" + engine)["engine"])
	}
	const text = "Dr. Smith paid $3.50 on March 3rd."
	for voice, language := range map[string]string{
		"my-kokoro:af_heart": "en-US", "my-kokoro:bf_emma": "en-GB", "my-kokoro:af_heart:0.6+af_bella:0.4": "en-US",
		"my-kokoro:ff_siwis": "fr", "my-kitten:expr-voice-2-f": "en-US", "my-supertonic:F1": "en",
	} {
		g := u.mustRunJSON("say", text, "--voice", voice, "-o", "a.wav")
		require.Equal(t, "complete", g["status"], voice)
		raw, err := os.ReadFile(filepath.Join(u.dir, "a.wav"))
		require.NoError(t, err)
		sound, err := audio.ReadWAV(bytes.NewReader(raw))
		require.NoError(t, err)
		require.Greater(t, sound.Duration().Seconds(), 0.5, voice)
		require.Contains(t, g["language"], language[:2])
		receipt := u.mustRunJSON("history", "show", fmt.Sprint(g["id"]))["receipt"].(object)
		if language != "fr" {
			require.Equal(t, "Doctor Smith paid three dollars and fifty cents on March third.", receipt["spoken_text"])
		}
		require.Equal(t, true, receipt["reproducible"])
	}
	u.mustFail(exitUsage, []string{"no voice"}, "say", text, "--voice", "my-kokoro:af_heart+nobody")
	for _, voice := range []string{"my-kokoro:jf_alpha", "my-kokoro:af_heart+jf_alpha", "kokoro:jf_alpha"} {
		u.mustFail(exitFailed, []string{"no Japanese phonemizer"}, "say", text, "--voice", voice)
	}
	u.mustFail(exitFailed, []string{"does not speak"}, "say", text, "--voice", "my-kitten:", "--language", "de")
	names := u.mustRun("profiles", "list")
	for _, name := range []string{"Heart", "Bella", "Emma"} {
		require.Contains(t, names, name)
	}
}

// TestWordTimes returns the times of each word through all packages.
func TestWordTimes(t *testing.T) {
	u := newUser(t)
	folder := filepath.Join(t.TempDir(), "timed")
	kit := filepath.Join(enginetest.Root(t), "engines", "kitten", "testdata", "kit", "repo")
	require.NoError(t, os.CopyFS(folder, os.DirFS(kit)))
	u.mustRun("models", "import", folder, "--name", "timed")
	g := u.mustRunJSON("say", "Here are five short words.", "--voice", "timed:expr-voice-2-f", "-o", "a.wav")
	words := g["chunks"].([]any)[0].(object)["words"].([]any)
	require.Len(t, words, 5)
	end := 0.0
	for _, w := range words {
		require.GreaterOrEqual(t, w.(object)["start"], end)
		end = w.(object)["end"].(float64)
	}
	require.LessOrEqual(t, end, g["duration"])
}

// TestTakesScriptsAndPreview follows one text through the routes of the studio.
func TestTakesScriptsAndPreview(t *testing.T) {
	u := newUser(t)
	u.mustRun("words", "add", "nginx", "engine ex")
	s := u.serve()
	profile := u.mustRunJSON("profiles", "list")["items"].([]any)[0].(object)["id"]
	status, body := s.request("POST", "/generate", fmt.Sprintf(
		`{"profile_id":%q,"text":"I run nginx at home. It has run for a good many years now. Nobody in the house looks after it.","max_chunk_chars":50}`, profile))
	require.Equal(t, http.StatusOK, status, body)
	g := parseJSON(t, body)
	require.Len(t, g["chunks"], 3)
	require.Contains(t, body, "engine ex")

	status, body = s.request("POST", fmt.Sprintf("/generate/%s/chunks/1/regenerate", g["id"]), `{"seed":7}`)
	require.Equal(t, http.StatusOK, status, body)
	require.EqualValues(t, 2, parseJSON(t, body)["chunks"].([]any)[1].(object)["takes"])
	status, body = s.request("PATCH", fmt.Sprintf("/history/%s", g["id"]), `{"chunks":{"1":{"take":0}},"title":"Home"}`)
	require.Equal(t, http.StatusOK, status, body)
	require.EqualValues(t, 0, parseJSON(t, body)["chunks"].([]any)[1].(object)["take"])
	require.Equal(t, "Home", parseJSON(t, body)["title"])
	for path, change := range map[string]string{
		"/history/" + g["id"].(string): `{"chunks":{"1":{"take":5}}}`, "/history/" + g["id"].(string) + "?": `{"chunks":{"x":{"take":0}}}`,
	} {
		status, body = s.request("PATCH", path, change)
		require.Equal(t, http.StatusUnprocessableEntity, status, body)
		require.Contains(t, body, `"chunks"`)
	}

	status, body = s.request("POST", "/script", fmt.Sprintf(
		`{"turns":[{"profile_id":%[1]q,"text":"Who is there?"},{"profile_id":%[1]q,"text":"Nobody.","speed":1.5}],"title":"Play"}`, profile))
	require.Equal(t, http.StatusOK, status, body)
	script := parseJSON(t, body)
	require.Len(t, script["turns"], 2)
	require.Positive(t, script["duration"])
	status, _ = s.request("GET", script["audio_url"].(string), "")
	require.Equal(t, http.StatusOK, status)
	status, body = s.request("POST", fmt.Sprintf("/scripts/%s/join", script["id"]), "")
	require.Equal(t, http.StatusOK, status, body)
	status, body = s.request("GET", "/scripts", "")
	require.Equal(t, http.StatusOK, status, body)
	require.EqualValues(t, 1, parseJSON(t, body)["total"])

	status, body = s.request("POST", "/text/preview", `{"text":"I run nginx. [pause 1s] It costs $5."}`)
	require.Equal(t, http.StatusOK, status, body)
	preview := parseJSON(t, body)
	require.Equal(t, "I run engine ex. It costs five dollars.", preview["spoken"])
	require.Len(t, preview["chunks"], 2)
	require.Contains(t, preview["phonemes"], "ˈɛndʒɪn")
	require.Greater(t, preview["seconds"], 2.0)

	status, body = s.request("POST", "/text/preview", `{"text":"The AI, an API at 9 AM, AT&T, UAE, A/B, AB-12, A4. A. B. Smith."}`)
	require.Equal(t, http.StatusOK, status, body)
	preview = parseJSON(t, body)
	require.Equal(t, "The A I, an A P I at nine A M, A T and T, U A E, A B, A B-twelve, A-four. A B Smith.", preview["spoken"])
	require.NotContains(t, strings.ReplaceAll(preview["phonemes"].(string), "ɐn", ""), "ɐ", "the A of acronyms is no article")
	require.Equal(t, 9, strings.Count(preview["phonemes"].(string), "ˈeɪ"))
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
}
