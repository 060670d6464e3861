package httpapi_test

import (
	"encoding/json"
	"io"
	"maps"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/vad"
)

// sampleShape is what decisions.md section 7 promises of every sample.
var sampleShape = map[string]string{
	"id": "string", "profile_id": "string", "name": "string", "seconds": "number", "sample_rate": "integer", "level_lufs": "number",
	"noise_db": "number", "clipped": "boolean", "speakers": "integer", "warnings": "array", "transcript": "string",
	"created_at": "string", "audio_url": "string",
}

// cloned returns the id of a new profile for samples.
func (s *studio) cloned(name string) string {
	s.t.Helper()
	a := s.do("POST", "/profiles", `{"name":"`+name+`","voice_type":"cloned"}`)
	require.Equal(s.t, 200, a.StatusCode, a.body)
	return a.object(s.t)["id"].(string)
}

// addSample sends a form to the samples of a profile.
func (s *studio) addSample(profile string, parts ...part) answer {
	s.t.Helper()
	body, kind := multipartForm(s.t, parts...)
	return s.do("POST", "/profiles/"+profile+"/samples", body, kind)
}

// realDetector finds speech as the program does.
func realDetector(t testing.TB) engines.SpeechDetector {
	t.Helper()
	d := vad.New(onnx.New(onnx.Options{Path: enginetest.Library(t)}))
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

func TestSamplesOfAProfile(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	id := s.cloned("Ann")
	p := s.do("GET", "/profiles/"+id, "").object(t)
	require.Equal(t, false, p["usable"])
	require.NotEmpty(t, p["reason"])
	require.Nil(t, p["consent"])

	a := s.addSample(id, part{"consent", "", "permission"}, part{"consent_by", "", " Bob "}, part{"transcript", "", "Hello."},
		part{"from", "", "0.5"}, part{"to", "", "5"}, part{"file", `C:\talk.wav`, string(talk(t, 8))})
	require.Equal(t, 201, a.StatusCode, a.body)
	sample := a.object(t)
	requireShape(t, sampleShape, sample)
	requireUTC(t, sample["created_at"])
	require.Equal(t, "talk.wav", sample["name"])
	require.Equal(t, "Hello.", sample["transcript"])
	require.Equal(t, json.Number("4.5"), sample["seconds"])
	require.Equal(t, json.Number("8000"), sample["sample_rate"])

	p = s.do("GET", "/profiles/"+id, "").object(t)
	require.Equal(t, json.Number("1"), p["samples"])
	consent := p["consent"].(map[string]any)
	require.Equal(t, "permission", consent["kind"])
	require.Equal(t, "Bob", consent["by"])
	requireUTC(t, consent["at"])

	at := "/profiles/" + id + "/samples/" + sample["id"].(string)
	sound := s.do("GET", sample["audio_url"].(string), "", "-Authorization")
	require.Equal(t, 200, sound.StatusCode, sound.body)
	require.Equal(t, "audio/wav", sound.Header.Get("Content-Type"))
	require.Len(t, sound.body, 44+2*36000)
	require.Equal(t, 401, s.do("GET", at+"/audio", "", "-Authorization").StatusCode)

	a = s.do("PATCH", at, `{"transcript":" Good morning. "}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, "Good morning.", a.object(t)["transcript"])
	list := s.do("GET", "/profiles/"+id+"/samples", "").object(t)["items"].([]any)
	require.Len(t, list, 1)
	require.Equal(t, "Good morning.", list[0].(map[string]any)["transcript"])

	require.Equal(t, 204, s.do("DELETE", at, "").StatusCode)
	a = s.do("GET", at+"/audio", "")
	require.Equal(t, 404, a.StatusCode)
	require.Equal(t, "sample_not_found", a.object(t)["code"])
	p = s.do("GET", "/profiles/"+id, "").object(t)
	require.Equal(t, json.Number("0"), p["samples"])
	require.Nil(t, p["consent"])
	s.noUploadLeft()
}

// wavOf returns a WAV file of 16-bit samples, cut off beyond full scale.
func wavOf(b audio.Buffer) string {
	return string(audio.PCM16(audio.WAVHeader(b.Rate, b.Channels, uint32(2*len(b.Samples))), b.Samples))
}

// times returns the samples of b times gain.
func times(b audio.Buffer, gain float32) audio.Buffer {
	out := b
	out.Samples = make([]float32, len(b.Samples))
	for i, x := range b.Samples {
		out.Samples[i] = gain * x
	}
	return out
}

// cutTo returns the first seconds of b.
func cutTo(b audio.Buffer, seconds float64) audio.Buffer {
	b.Samples = b.Samples[:int(seconds*float64(b.Rate))*b.Channels]
	return b
}

// chords returns seconds of music without a voice.
func chords(seconds float64) audio.Buffer {
	const rate = 16000
	out := audio.Buffer{Rate: rate, Channels: 1, Samples: make([]float32, int(seconds*rate))}
	for i := range out.Samples {
		at := float64(i) / rate
		beat := at - math.Floor(at)
		for _, note := range [][3]float64{{220, 277.2, 329.6}, {196, 246.9, 293.7}}[int(at)%2] {
			out.Samples[i] += float32(0.15 * math.Exp(-2*beat) * math.Sin(2*math.Pi*note*at))
		}
	}
	return out
}

// besideSilence returns b as the first of two channels.
func besideSilence(b audio.Buffer) audio.Buffer {
	out := audio.Buffer{Rate: b.Rate, Channels: 2, Samples: make([]float32, 2*len(b.Samples))}
	for i, x := range b.Samples {
		out.Samples[2*i] = x
	}
	return out
}

func TestRecordingsThatAreRejected(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{detector: realDetector(t)})
	id := s.cloned("Ann")
	voice := enginetest.Clip(t, "LJ001-0001.wav")
	for reason, file := range map[string]string{
		"silent":    wavOf(audio.Buffer{Rate: 16000, Channels: 1, Samples: make([]float32, 5*16000)}),
		"no_speech": wavOf(chords(8)),
		"too_short": wavOf(cutTo(voice, 1)),
		"too_long":  string(audio.WAVHeader(8000, 1, 2*600*8000)) + strings.Repeat("\x00\x10\x00\xf0", 300*8000),
	} {
		t.Run(reason, func(t *testing.T) {
			a := s.addSample(id, part{"consent", "", "own_voice"}, part{"file", "a.wav", file})
			require.Equal(t, 422, a.StatusCode, a.body)
			problem := a.object(t)
			require.Equal(t, "sample_rejected", problem["code"])
			require.NotEmpty(t, problem["remedy"])
			params := problem["params"].(map[string]any)
			require.Equal(t, reason, params["reason"])
			require.IsType(t, json.Number(""), params["seconds"])
		})
	}
	require.Empty(t, s.do("GET", "/profiles/"+id+"/samples", "").object(t)["items"])
	s.noUploadLeft()
}

// TestRecordingsWithWarnings are stored, and say how to record better.
func TestRecordingsWithWarnings(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{detector: realDetector(t)})
	id := s.cloned("Ann")
	voice, man := cutTo(enginetest.Clip(t, "LJ001-0001.wav"), 6), enginetest.Clip(t, "sense_and_sensibility_01_austen_64kb-0870.wav")
	both := audio.Buffer{Rate: man.Rate, Channels: 1, Samples: slices.Concat(voice.Resampled(man.Rate).Samples, man.Samples)}
	for code, b := range map[string]audio.Buffer{"dead_channel": besideSilence(voice), "clipped": times(voice, 5), "two_speakers": both} {
		t.Run(code, func(t *testing.T) {
			a := s.addSample(id, part{"consent", "", "own_voice"}, part{"file", "a.wav", wavOf(b)})
			require.Equal(t, 201, a.StatusCode, a.body)
			sample := a.object(t)
			require.Contains(t, warningCodes(sample), code)
			for _, w := range sample["warnings"].([]any) {
				require.NotEmpty(t, w.(map[string]any)["detail"])
				require.NotEmpty(t, w.(map[string]any)["remedy"])
			}
			require.Equal(t, code == "clipped", sample["clipped"])
			require.Equal(t, json.Number(map[bool]string{true: "2", false: "1"}[code == "two_speakers"]), sample["speakers"])
		})
	}
}

// warningCodes returns the codes of the warnings of a sample.
func warningCodes(sample object) []string {
	codes := []string{}
	for _, w := range sample["warnings"].([]any) {
		codes = append(codes, w.(map[string]any)["code"].(string))
	}
	return codes
}

func TestSampleRequestsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	id := s.cloned("Ann")
	file := part{"file", "a.wav", string(talk(t, 5))}
	own := part{"consent", "", "own_voice"}
	recording := s.do("POST", "/recordings", `{"purpose":"sample"}`).object(t)["id"].(string)
	for name, c := range map[string]struct {
		parts  []part
		status int
		what   string // type and place, or code
	}{
		"no consent":        {[]part{file}, 422, "missing consent"},
		"unknown consent":   {[]part{file, {"consent", "", "sure"}}, 422, "enum consent"},
		"no file":           {[]part{own}, 422, "missing file"},
		"two sources":       {[]part{own, file, {"recording_id", "", recording}}, 422, "value_error body"},
		"two files":         {[]part{own, file, file}, 422, "value_error file"},
		"text":              {[]part{own, {"file", "a.txt", "Hello there."}}, 415, "unsupported_media"},
		"nothing in it":     {[]part{own, {"file", "a.wav", ""}}, 415, "unsupported_media"},
		"a long transcript": {[]part{own, file, {"transcript", "", strings.Repeat("x", 5001)}}, 422, "string_too_long transcript"},
		"from is no number": {[]part{own, file, {"from", "", "now"}}, 422, "float_type from"},
		"from is negative":  {[]part{own, file, {"from", "", "-1"}}, 422, "greater_than_equal from"},
		"from is after to":  {[]part{own, file, {"from", "", "4"}, {"to", "", "2"}}, 422, "greater_than to"},
		"from is beyond":    {[]part{own, file, {"from", "", "6"}}, 422, "less_than from"},
		"running recording": {[]part{own, {"recording_id", "", recording}}, 409, "recording_busy"},
		"no recording":      {[]part{own, {"recording_id", "", id}}, 404, "not_found"},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.addSample(id, c.parts...)
			if c.what == "unsupported_media" && a.StatusCode == 503 {
				require.Equal(t, "runtime_missing", a.object(t)["code"], "without ffmpeg")
				return
			}
			require.Equal(t, c.status, a.StatusCode, a.body)
			require.Equal(t, c.what, whatIsWrong(t, a))
		})
	}
	require.Equal(t, 200, s.do("POST", "/recordings/"+recording+"/stop", "").StatusCode)
	a := s.addSample(itemID, own, file)
	require.Equal(t, 404, a.StatusCode, a.body)
	preset := s.do("POST", "/profiles", `{"name":"Robot","model_name":"fixture"}`).object(t)["id"].(string)
	a = s.addSample(preset, own, file)
	require.Equal(t, 409, a.StatusCode, a.body)
	require.Equal(t, "engine_mismatch", a.object(t)["code"])
	require.Equal(t, json.Number("0"), s.do("GET", "/profiles/"+id, "").object(t)["samples"])
	s.noUploadLeft()
}

// whatIsWrong returns the code of a response, or type and place of its first invalid field.
func whatIsWrong(t *testing.T, a answer) string {
	t.Helper()
	body := a.object(t)
	fields, ok := body["detail"].([]any)
	if !ok {
		return body["code"].(string)
	}
	field := fields[0].(map[string]any)
	loc := field["loc"].([]any)
	return field["type"].(string) + " " + loc[len(loc)-1].(string)
}

// TestUploadOf5GB is refused before its first byte is read.
func TestUploadOf5GB(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	_, kind := multipartForm(t)
	r, err := http.NewRequestWithContext(t.Context(), "POST", s.srv.URL+"/samples/check", io.LimitReader(zeros{}, 5<<30))
	require.NoError(t, err)
	r.ContentLength = 5 << 30
	r.Header.Set("Content-Type", strings.TrimPrefix(kind, "Content-Type: "))
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := s.client.Do(r)
	if err == nil {
		defer func() { require.NoError(t, resp.Body.Close()) }()
		require.Equal(t, 413, resp.StatusCode)
	}
	s.noUploadLeft()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestCheckOfARecording(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	body, kind := multipartForm(t, part{"file", "a.wav", string(talk(t, 8))}, part{"from", "", "1"}, part{"to", "", "6"})
	a := s.do("POST", "/samples/check", body, kind)
	require.Equal(t, 200, a.StatusCode, a.body)
	got := a.object(t)
	shape := maps.Clone(sampleShape)
	maps.Copy(shape, map[string]string{"from": "number", "to": "number", "duration": "number", "peaks": "array", "models": "array"})
	requireShape(t, shape, got)
	require.Empty(t, got["id"])
	require.Empty(t, got["audio_url"])
	require.Equal(t, json.Number("8"), got["duration"])
	require.Equal(t, json.Number("1"), got["from"])
	require.Equal(t, json.Number("6"), got["to"])
	require.NotEmpty(t, got["peaks"])
	for _, peak := range got["peaks"].([]any) {
		p, err := peak.(json.Number).Float64()
		require.NoError(t, err)
		require.True(t, p >= 0 && p <= 1, p)
	}
	body, kind = multipartForm(t)
	require.Equal(t, 422, s.do("POST", "/samples/check", body, kind).StatusCode)
	a = s.do("POST", "/samples/check", `{}`)
	require.Equal(t, "missing recording_id", whatIsWrong(t, a))
	s.noUploadLeft()
}

// TestSampleOfARecording uses what the microphone recorded.
func TestSampleOfARecording(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	id := s.cloned("Ann")
	recording := uuid.Must(uuid.NewV7()).String()
	path := filepath.Join(s.temp, "..", "..", "recordings", "sample-"+recording+".wav") // of a former run of the program
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(wavOf(enginetest.Clip(t, "LJ001-0001.wav"))), 0o600))
	a := s.do("POST", "/profiles/"+id+"/samples", `{"consent":"own_voice","recording_id":"`+recording+`"}`)
	require.Equal(t, 201, a.StatusCode, a.body)
	require.Empty(t, a.object(t)["name"])
	consent := s.do("GET", "/profiles/"+id, "").object(t)["consent"].(map[string]any)
	require.Equal(t, "Ada", consent["by"], "the user's account")
}

func TestProfileWithSamplesTravels(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	id := s.cloned("Ann")
	require.Equal(t, 201, s.addSample(id, part{"consent", "", "own_voice"}, part{"file", "a.wav", string(talk(t, 4))}).StatusCode)
	out := s.do("GET", "/profiles/"+id+"/export", "")
	require.Equal(t, 200, out.StatusCode, out.body)
	importFile := func(more ...part) answer {
		body, kind := multipartForm(t, append(more, part{"file", "ann.zip", out.body})...)
		return s.do("POST", "/profiles/import", body, kind)
	}
	require.Equal(t, "missing consent", whatIsWrong(t, importFile()))
	require.Equal(t, "enum consent", whatIsWrong(t, importFile(part{"consent", "", "x"})))
	a := importFile(part{"consent", "", "permission"}, part{"consent_by", "", "Bob"})
	require.Equal(t, 201, a.StatusCode, a.body)
	p := a.object(t)
	require.Equal(t, "Ann 2", p["name"])
	require.Equal(t, json.Number("1"), p["samples"])
	require.Equal(t, "Bob", p["consent"].(map[string]any)["by"])
	copied := s.do("POST", "/profiles/"+id+"/duplicate", "")
	require.Equal(t, 200, copied.StatusCode, copied.body)
	require.Equal(t, json.Number("1"), copied.object(t)["samples"])
}
