package app_test

import (
	"bytes"
	enc "encoding/binary"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// kits makes a folder for each engine with the true layout of its models and tiny graphs.
func kits(t *testing.T) map[string]string {
	t.Helper()
	root := filepath.Join(enginetest.Root(t), "engines")
	out := map[string]string{}
	for _, engine := range []string{"kokoro", "kitten", "supertonic"} {
		out[engine] = filepath.Join(t.TempDir(), "my-"+engine)
		require.NoError(t, os.CopyFS(out[engine], os.DirFS(filepath.Join(root, engine, "testdata", "kit", "repo"))))
	}
	var style bytes.Buffer
	for i := range 510 * 256 {
		require.NoError(t, enc.Write(&style, enc.LittleEndian, float32(math.Sin(float64(i)))))
	}
	voices := filepath.Join(out["kokoro"], "voices")
	require.NoError(t, os.Mkdir(voices, 0o755))
	for _, id := range []string{"af_heart", "af_bella", "bf_emma", "ff_siwis", "jf_alpha"} {
		require.NoError(t, os.WriteFile(filepath.Join(voices, id+".bin"), style.Bytes(), 0o600))
	}
	require.NoError(t, os.Remove(filepath.Join(out["kokoro"], "onnx", "model_quantized.onnx")))
	return out
}

// TestPresetEngines imports a model of each engine, speaks with it, and finds its voices among the profiles.
func TestPresetEngines(t *testing.T) {
	p := newPerson(t)
	for engine, folder := range kits(t) {
		p.does("models", "import", folder, "--name", "my-"+engine)
		require.Equal(t, engine, p.model("my-" + engine)["engine"])
	}
	const text = "Dr. Smith paid $3.50 on March 3rd."
	for voice, language := range map[string]string{
		"my-kokoro:af_heart": "en-US", "my-kokoro:bf_emma": "en-GB", "my-kokoro:af_heart:0.6+af_bella:0.4": "en-US",
		"my-kokoro:ff_siwis": "fr", "my-kitten:expr-voice-2-f": "en-US", "my-supertonic:F1": "en",
	} {
		g := p.json("say", text, "--voice", voice, "-o", "a.wav")
		require.Equal(t, "complete", g["status"], voice)
		raw, err := os.ReadFile(filepath.Join(p.dir, "a.wav"))
		require.NoError(t, err)
		sound, err := audio.ReadWAV(bytes.NewReader(raw))
		require.NoError(t, err)
		require.Greater(t, sound.Duration().Seconds(), 0.5, voice)
		require.Contains(t, g["language"], language[:2])
		receipt := p.json("history", "show", fmt.Sprint(g["id"]))["receipt"].(object)
		if language != "fr" {
			require.Equal(t, "Doctor Smith paid three dollars and fifty cents on March third.", receipt["spoken_text"])
		}
		require.Equal(t, true, receipt["reproducible"])
	}
	p.fails(wrongUse, []string{"no voice"}, "say", text, "--voice", "my-kokoro:af_heart+nobody")
	for _, voice := range []string{"my-kokoro:jf_alpha", "my-kokoro:af_heart+jf_alpha", "kokoro:jf_alpha"} {
		p.fails(failed, []string{"no Japanese phonemizer"}, "say", text, "--voice", voice)
	}
	p.fails(failed, []string{"does not speak"}, "say", text, "--voice", "my-kitten:", "--language", "de")
	names := p.does("profiles", "list")
	for _, name := range []string{"Heart", "Bella", "Emma"} {
		require.Contains(t, names, name)
	}
}

// TestWordTimes tells when each word sounds, through all rooms.
func TestWordTimes(t *testing.T) {
	p := newPerson(t)
	folder := filepath.Join(t.TempDir(), "timed")
	kit := filepath.Join(enginetest.Root(t), "engines", "kitten", "testdata", "kit", "repo")
	require.NoError(t, os.CopyFS(folder, os.DirFS(kit)))
	p.does("models", "import", folder, "--name", "timed")
	g := p.json("say", "Here are five short words.", "--voice", "timed:expr-voice-2-f", "-o", "a.wav")
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
	p := newPerson(t)
	p.does("words", "add", "nginx", "engine ex")
	s := p.serve()
	profile := p.json("profiles", "list")["items"].([]any)[0].(object)["id"]
	status, body := s.ask("POST", "/generate", fmt.Sprintf(
		`{"profile_id":%q,"text":"I run nginx at home. It has run for a good many years now. Nobody in the house looks after it.","max_chunk_chars":50}`, profile))
	require.Equal(t, http.StatusOK, status, body)
	g := parse(t, body)
	require.Len(t, g["chunks"], 3)
	require.Contains(t, body, "engine ex")

	status, body = s.ask("POST", fmt.Sprintf("/generate/%s/chunks/1/regenerate", g["id"]), `{"seed":7}`)
	require.Equal(t, http.StatusOK, status, body)
	require.EqualValues(t, 2, parse(t, body)["chunks"].([]any)[1].(object)["takes"])
	status, body = s.ask("PATCH", fmt.Sprintf("/history/%s", g["id"]), `{"chunks":{"1":{"take":0}},"title":"Home"}`)
	require.Equal(t, http.StatusOK, status, body)
	require.EqualValues(t, 0, parse(t, body)["chunks"].([]any)[1].(object)["take"])
	require.Equal(t, "Home", parse(t, body)["title"])
	for path, change := range map[string]string{
		"/history/" + g["id"].(string): `{"chunks":{"1":{"take":5}}}`, "/history/" + g["id"].(string) + "?": `{"chunks":{"x":{"take":0}}}`,
	} {
		status, body = s.ask("PATCH", path, change)
		require.Equal(t, http.StatusUnprocessableEntity, status, body)
		require.Contains(t, body, `"chunks"`)
	}

	status, body = s.ask("POST", "/script", fmt.Sprintf(
		`{"turns":[{"profile_id":%[1]q,"text":"Who is there?"},{"profile_id":%[1]q,"text":"Nobody.","speed":1.5}],"title":"Play"}`, profile))
	require.Equal(t, http.StatusOK, status, body)
	script := parse(t, body)
	require.Len(t, script["turns"], 2)
	require.Positive(t, script["duration"])
	status, _ = s.ask("GET", script["audio_url"].(string), "")
	require.Equal(t, http.StatusOK, status)
	status, body = s.ask("POST", fmt.Sprintf("/scripts/%s/join", script["id"]), "")
	require.Equal(t, http.StatusOK, status, body)
	status, body = s.ask("GET", "/scripts", "")
	require.Equal(t, http.StatusOK, status, body)
	require.EqualValues(t, 1, parse(t, body)["total"])

	status, body = s.ask("POST", "/text/preview", `{"text":"I run nginx. [pause 1s] It costs $5."}`)
	require.Equal(t, http.StatusOK, status, body)
	preview := parse(t, body)
	require.Equal(t, "I run engine ex. It costs five dollars.", preview["spoken"])
	require.Len(t, preview["chunks"], 2)
	require.Contains(t, preview["phonemes"], "ˈɛndʒɪn")
	require.Greater(t, preview["seconds"], 2.0)
	require.Equal(t, done, s.signal(syscall.SIGTERM))
}
