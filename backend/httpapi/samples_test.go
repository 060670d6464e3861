package httpapi_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
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

// clip returns the file of a recording of a voice.
func clip(t testing.TB, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "engines", "vad", "testdata", name))
	require.NoError(t, err)
	return string(raw)
}

func TestSamplesOfAProfile(t *testing.T) {
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
