package httpapi_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// wavSpeech returns a request for speech as WAV.
func wavSpeech(model, voice, more string) string {
	return fmt.Sprintf(`{"model":%q,"voice":%q,"input":"Hello there.","response_format":"wav"%s}`, model, voice, more)
}

func TestOpenAISpeech(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	s.importTones()
	names := s.do("GET", "/v1/models", "").body
	tones := ""
	for _, m := range s.do("GET", "/models/status", "").object(t)["models"].([]any) {
		tones = m.(map[string]any)["model_name"].(string)
	}
	for _, want := range []string{tones, "fixture", "tts-1"} {
		require.Contains(t, names, fmt.Sprintf(`"id":%q`, want))
		require.Equal(t, want, s.do("GET", "/v1/models/"+want, "").object(t)["id"])
	}
	for name, want := range map[string]struct{ body, profile, voice string }{
		"the default":           {wavSpeech("tts-1", "alloy", ""), "Built-in voice", "0"},
		"a model's first voice": {wavSpeech(tones, "nova", ""), "Low", "low"},
		"a voice of a model":    {wavSpeech(tones, "high", ""), "High", "high"},
		"a profile by name":     {wavSpeech("tts-1", "hIGH", ""), "High", "high"},
		"the built-in engine":   {wavSpeech("fixture", "", ""), "Built-in voice", "0"},
	} {
		a := s.do("POST", "/v1/audio/speech", want.body)
		require.Equal(t, 200, a.StatusCode, "%s: %s", name, a.body)
		require.Equal(t, "audio/wav", a.Header.Get("Content-Type"))
		require.True(t, strings.HasPrefix(a.body, "RIFF"))
		g := s.do("GET", "/history/"+a.Header.Get("X-Generation-Id"), "").object(t)
		require.Equal(t, want.profile, g["profile_name"], name)
		require.Equal(t, want.voice, g["voice"], name)
		require.Equal(t, "complete", g["status"])
	}
	require.Equal(t, 404, s.do("GET", "/v1/models/nobody", "").StatusCode)
}

func TestOpenAISpeechAsSamplesAndEvents(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	pcm := s.do("POST", "/v1/audio/speech", `{"model":"tts-1","voice":"alloy","input":"Hello there.","response_format":"pcm"}`)
	require.Equal(t, 200, pcm.StatusCode, pcm.body)
	require.Equal(t, "audio/pcm", pcm.Header.Get("Content-Type"))
	g := s.do("GET", "/history/"+pcm.Header.Get("X-Generation-Id"), "").object(t)
	seconds, err := g["duration"].(interface{ Float64() (float64, error) }).Float64()
	require.NoError(t, err)
	require.InDelta(t, seconds*24000*2, len(pcm.body), 100)

	events := s.do("POST", "/v1/audio/speech", wavSpeech("tts-1", "alloy", `,"stream_format":"sse","speed":2`))
	require.Equal(t, "text/event-stream", events.Header.Get("Content-Type"))
	var sound []byte
	parts := strings.Split(strings.TrimSpace(events.body), "\n\n")
	for i, part := range parts {
		var event object
		decode(t, strings.TrimPrefix(part, "data: "), &event)
		if i == len(parts)-1 {
			require.Equal(t, "speech.audio.done", event["type"])
			break
		}
		require.Equal(t, "speech.audio.delta", event["type"])
		raw, err := base64.StdEncoding.DecodeString(event["audio"].(string))
		require.NoError(t, err)
		sound = append(sound, raw...)
	}
	require.Equal(t, "RIFF", string(sound[:4]))
}

func TestOpenAIErrors(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	for body, want := range map[string]struct {
		status      int
		code, param string
	}{
		`{"model":"tts-1","voice":"alloy"}`:               {422, "missing", "input"},
		wavSpeech("tts-1", "alloy", `,"speed":9`):         {422, "less_than_equal", "speed"},
		wavSpeech("tts-1", "nobody", ""):                  {422, "enum", "voice"},
		wavSpeech("nobody", "alloy", ""):                  {404, "model_unknown", ""},
		`{"model":"tts-1","voice":"alloy","input":"  "}`:  {422, "string_too_short", "input"},
		`{"model":"tts-1","voice":"alloy","input":"..."}`: {422, "nothing_to_speak", ""},
		`{`: {422, "json_invalid", "1"},
	} {
		a := s.do("POST", "/v1/audio/speech", body)
		require.Equal(t, want.status, a.StatusCode, "%s: %s", body, a.body)
		e := a.object(t)["error"].(map[string]any)
		require.Equal(t, want.code, e["code"], a.body)
		require.Equal(t, "invalid_request_error", e["type"])
		require.NotEmpty(t, e["message"])
		if want.param == "" {
			require.Nil(t, e["param"])
		} else {
			require.Equal(t, want.param, e["param"], a.body)
		}
	}
	refused := s.do("POST", "/v1/audio/speech", wavSpeech("tts-1", "alloy", ""), "Authorization", "Bearer wrong")
	require.Equal(t, 401, refused.StatusCode)
	require.Equal(t, "unauthorized", refused.object(t)["error"].(map[string]any)["code"])
	require.Equal(t, "false", refused.Header.Get("X-Should-Retry"))
	unknown := s.do("GET", "/v1/nothing", "")
	require.Equal(t, 404, unknown.StatusCode)
	require.Contains(t, unknown.body, `{"error":{`)
}

func TestOpenAITranscription(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	send := func(path string, fields ...part) answer {
		body, kind := multipartForm(t, append(fields, part{"file", "talk.wav", string(talk(t, 2))}, part{"model", "", "whisper-1"})...)
		return s.do("POST", path, body, "Content-Type", kind)
	}
	a := send("/v1/audio/transcriptions", part{"temperature", "", "0"})
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, "Second 1. Second 2.", a.object(t)["text"])
	format := func(name string) answer { return send("/v1/audio/transcriptions", part{"response_format", "", name}) }
	require.Equal(t, "Second 1. Second 2.\n", format("text").body)
	require.Contains(t, format("srt").body, "1\n00:00:00,000 --> 00:00:01,000\nSecond 1.\n")
	require.Contains(t, format("vtt").body, "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nSecond 1.\n")
	verbose := send("/v1/audio/transcriptions", part{"response_format", "", "verbose_json"},
		part{"timestamp_granularities[]", "", "segment"}, part{"timestamp_granularities[]", "", "word"}).object(t)
	require.Equal(t, "transcribe", verbose["task"])
	require.Equal(t, "en", verbose["language"])
	require.Len(t, verbose["segments"], 2)
	require.Len(t, verbose["words"], 4)
	stream := send("/v1/audio/transcriptions", part{"stream", "", "true"})
	require.Equal(t, "text/event-stream", stream.Header.Get("Content-Type"))
	require.Contains(t, stream.body, `"delta":"Second 1."`)
	require.Contains(t, stream.body, `"delta":" Second 2."`)
	require.Contains(t, stream.body, `"text":"Second 1. Second 2."`)
	translated := send("/v1/audio/translations", part{"response_format", "", "verbose_json"}).object(t)
	require.Equal(t, "translate", translated["task"])

	wrong := send("/v1/audio/transcriptions", part{"response_format", "", "doc"})
	require.Equal(t, 422, wrong.StatusCode)
	require.Equal(t, "response_format", wrong.object(t)["error"].(map[string]any)["param"])
	body, kind := multipartForm(t, part{"model", "", "whisper-1"})
	missing := s.do("POST", "/v1/audio/transcriptions", body, "Content-Type", kind)
	require.Equal(t, 422, missing.StatusCode)
	require.Equal(t, "file", missing.object(t)["error"].(map[string]any)["param"])
}

func TestOpenAINamesOfModelsAndVoices(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	s.importTones()
	tones := s.do("GET", "/models/status", "").object(t)["models"].([]any)[0].(map[string]any)["model_name"].(string)
	for _, body := range []string{
		wavSpeech("gpt-4o-mini-tts-2025-12-15", "alloy", ""),
		wavSpeech("tts-1-1106", "Alloy", ""),
		wavSpeech("TTS-1-HD-1106", "SHIMMER", ""),
		`{"model":"tts-1","voice":{"id":"alloy"},"input":"Hello there.","response_format":"WAV"}`,
		`{"model":"tts-1","voice":{"id":"High","object":"voice"},"input":"Hello there.","response_format":"Wav"}`,
		`{"model":"` + strings.ToUpper(tones) + `","voice":"HIGH","input":"Hello there.","response_format":"wav","stream_format":"Audio"}`,
	} {
		a := s.do("POST", "/v1/audio/speech", body)
		require.Equal(t, 200, a.StatusCode, "%s: %s", body, a.body)
		require.Equal(t, "audio/wav", a.Header.Get("Content-Type"))
	}
	for body, param := range map[string]string{
		`{"model":"tts-1","voice":{"name":"alloy"},"input":"Hi."}`:                "voice",
		`{"model":"tts-1","voice":["alloy"],"input":"Hi."}`:                       "voice",
		`{"model":"tts-1","voice":"alloy","input":"Hi.","response_format":"mp4"}`: "response_format",
		`{"model":"tts-1","voice":"alloy","input":"Hi.","stream_format":"x"}`:     "stream_format",
	} {
		a := s.do("POST", "/v1/audio/speech", body)
		require.Equal(t, 422, a.StatusCode, "%s: %s", body, a.body)
		require.Contains(t, a.object(t)["error"].(map[string]any)["param"], param)
	}
	require.Equal(t, 404, s.do("POST", "/v1/audio/speech", wavSpeech("tts-9", "alloy", "")).StatusCode)
}

func TestOpenAIVoicesCanBeUsed(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	s.importTones()
	a := s.do("GET", "/v1/audio/voices/", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	voices := a.object(t)["voices"].([]any)
	require.Len(t, voices, 3)
	for _, v := range voices {
		voice := v.(map[string]any)
		spoken := s.do("POST", "/v1/audio/speech/", wavSpeech("tts-1", voice["id"].(string), ""))
		require.Equal(t, 200, spoken.StatusCode, spoken.body)
		g := s.do("GET", "/history/"+spoken.Header.Get("X-Generation-Id"), "").object(t)
		require.Equal(t, voice["name"], g["profile_name"])
	}
}

func TestOpenAIFileUnderAnotherName(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	large := strings.Repeat("x", 3<<20)
	for path, want := range map[string]string{
		"/v1/audio/transcriptions": "file", "/v1/audio/transcriptions/": "file", "/v1/audio/translations": "file",
	} {
		body, kind := multipartForm(t, part{"audio_file", "talk.wav", large}, part{"model", "", "whisper-1"})
		a := s.do("POST", path, body, "Content-Type", kind)
		require.Equal(t, 422, a.StatusCode, a.body)
		require.Equal(t, want, a.object(t)["error"].(map[string]any)["param"])
	}
	for _, path := range []string{"/transcriptions", "/samples/check", "/text/extract", "/profiles/import", "/batch/parse"} {
		body, kind := multipartForm(t, part{"audio_file", "talk.wav", large})
		a := s.do("POST", path, body, "Content-Type", kind)
		require.Equal(t, 422, a.StatusCode, "%s: %s", path, a.body)
		require.Contains(t, a.body, `"file"`, path)
	}
}

func TestOpenAIDatedTranscriptionModels(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	for _, model := range []string{"gpt-4o-transcribe-2025-03-20", "GPT-4o-mini-transcribe-2025-12-15", "Whisper-1"} {
		body, kind := multipartForm(t, part{"file", "talk.wav", string(talk(t, 1))}, part{"model", "", model}, part{"response_format", "", "JSON"})
		a := s.do("POST", "/v1/audio/transcriptions", body, "Content-Type", kind)
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Equal(t, "Second 1.", a.object(t)["text"])
	}
}

// TestOtherNamesOfTranscriptionModels: the names that programs have for a model of ours do not hide a user's own one, nor mean it
// for speech.
func TestOtherNamesOfTranscriptionModels(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	ask := func() answer {
		body, kind := multipartForm(t, part{"file", "talk.wav", string(talk(t, 1))}, part{"model", "", "Turbo"})
		return s.do("POST", "/v1/audio/transcriptions", body, "Content-Type", kind)
	}
	heard := ask()
	require.Equal(t, 200, heard.StatusCode, heard.body)
	require.Equal(t, "whisper-large", s.do("GET", "/transcriptions", "").items(t)[0]["model_name"])
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "voice.tone"), []byte("tone"), 0o600))
	imported := s.do("POST", "/models/import", fmt.Sprintf(`{"path":%q,"name":"turbo"}`, folder))
	require.Equal(t, 201, imported.StatusCode, imported.body)
	spoken := s.do("POST", "/v1/audio/speech", wavSpeech("turbo", "high", ""))
	require.Equal(t, 200, spoken.StatusCode, spoken.body)
	require.Equal(t, 404, ask().StatusCode, "the user's model, which does not hear")
}
