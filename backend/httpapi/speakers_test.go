package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/profiles"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/voiceprints"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// noEars are models none of which finds speakers.
type noEars struct{}

func (noEars) AcquireDiarizerDownloaded(context.Context) (*engines.LoadedDiarizer, error) {
	return nil, backend.E(backend.CodeModelNotDownloaded, "Speakers is not downloaded.", "Download it first.")
}

func (noEars) DiarizerFiles() []backend.FileHash { return nil }

func (e *ears) DiarizerFiles() []backend.FileHash {
	return []backend.FileHash{{Path: "tones.onnx", SHA256: "1"}}
}

// voicePrints returns the service of known speakers on the real store.
func (s *studio) voicePrints(db *sqlite.DB, voices *profiles.Service, events *events.Streams, w studioOptions) *voiceprints.Service {
	o := voiceprints.Options{
		Diarizers: noEars{}, Codecs: audio.FindCodecs(), Store: s.prints, Transcripts: db, Consent: voices.NewConsent,
		Changed: func(id string) { events.Publish("speaker", map[string]string{"id": id}) },
		Now:     time.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
	}
	if d, ok := w.speakers.(voiceprints.Diarizers); ok {
		o.Diarizers = d
	}
	return voiceprints.New(o)
}

func TestRoutesOfKnownSpeakers(t *testing.T) {
	t.Parallel()
	ears := newEars(t)
	s := newStudio(t, studioOptions{heard: hearsTurns(diarizetest.Truth(t)), speakers: ears})
	a := s.upload(nil, kitTones(t))
	require.Equal(t, 200, a.StatusCode, a.body)
	talk := a.object(t)["id"].(string)
	body := func(fields string) string { return `{"transcription_id":"` + talk + `",` + fields + `}` }
	for name, c := range map[string]struct {
		body string
		want int
		says string
	}{
		"no consent":         {body(`"speaker":"Speaker 1","name":"Anna"`), 422, `"loc":["body","consent"]`},
		"another consent":    {body(`"speaker":"Speaker 1","name":"Anna","consent":"none"`), 422, `"loc":["body","consent"]`},
		"no name":            {body(`"speaker":"Speaker 1","consent":"own_voice"`), 422, `"loc":["body","name"]`},
		"no such speaker":    {body(`"speaker":"Zoë","consent":"own_voice"`), 422, `"loc":["body","speaker"]`},
		"a malformed id":     {`{"transcription_id":"1","speaker":"Anna","consent":"own_voice"}`, 422, "uuid_parsing"},
		"an unknown one":     {`{"transcription_id":"` + itemID + `","speaker":"Anna","consent":"own_voice"}`, 404, "transcript_not_found"},
		"no body":            {``, 422, "missing"},
		"a name of no words": {body(`"speaker":"Speaker 1","name":" ","consent":"own_voice"`), 422, `"loc":["body","name"]`},
	} {
		a = s.do("POST", "/speakers", c.body)
		require.Equal(t, c.want, a.StatusCode, "%s: %s", name, a.body)
		require.Contains(t, a.body, c.says, name)
	}
	next := s.listen()
	a = s.do("POST", "/speakers", body(`"speaker":"Speaker 1","name":"Anna","consent":"permission","consent_by":"Ada"`))
	require.Equal(t, 201, a.StatusCode, a.body)
	anna := a.object(t)
	require.Equal(t, []any{"Anna", json.Number("1"), true}, []any{anna["name"], anna["recordings"], anna["usable"]})
	require.Equal(t, []any{"permission", "Ada"}, []any{anna["consent"].(map[string]any)["kind"], anna["consent"].(map[string]any)["by"]})
	require.NotContains(t, a.body, "print", "it never leaves the backend")
	id := anna["id"].(string)
	event := func() (name, data string) {
		for name != "speaker" {
			name, data = next()
		}
		return name, data
	}
	_, data := event()
	require.JSONEq(t, `{"id":"`+id+`"}`, data)
	a = s.do("POST", "/speakers", body(`"speaker":"Speaker 1","name":"anna","consent":"own_voice"`))
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, id, a.object(t)["id"])

	list := s.do("GET", "/speakers", "").object(t)
	require.Equal(t, json.Number("1"), list["total"])
	require.Equal(t, a.object(t), object(list["items"].([]any)[0].(map[string]any)))
	use := s.do("GET", "/history/storage", "").object(t)["voice_prints"].(map[string]any)
	require.Equal(t, json.Number("1"), use["files"])
	require.NotEqual(t, json.Number("0"), use["bytes"])
	a = s.do("GET", "/backup", "")
	require.NotContains(t, a.body, "speakers/"+id)
	small := s.do("GET", "/backup/size", "").object(t)["bytes"]
	require.NotEqual(t, small, s.do("GET", "/backup/size?voice_prints=true", "").object(t)["bytes"])
	a = s.do("GET", "/backup?voice_prints=true", "")
	require.Equal(t, 200, a.StatusCode)
	require.Contains(t, a.body, "speakers/"+id+".json")
	a = s.do("PATCH", "/speakers/"+id, `{"name":"Anne"}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, "Anne", a.object(t)["name"])
	for _, method := range []string{"PATCH", "DELETE"} {
		require.Equal(t, 404, s.do(method, "/speakers/"+itemID, `{"name":"X"}`).StatusCode, method)
		require.Equal(t, 422, s.do(method, "/speakers/1", `{"name":"X"}`).StatusCode, method)
	}
	require.Equal(t, 405, s.do("PUT", "/speakers/"+id, `{}`).StatusCode)
	require.Equal(t, http.StatusNoContent, s.do("DELETE", "/speakers/"+id, "").StatusCode)
	require.Equal(t, 404, s.do("DELETE", "/speakers/"+id, "").StatusCode)
	require.Equal(t, json.Number("0"), s.do("GET", "/speakers", "").object(t)["total"])

	ears.missing.Store(true)
	a = s.do("POST", "/speakers", body(`"speaker":"Speaker 1","name":"Anna","consent":"own_voice"`))
	require.Equal(t, 409, a.StatusCode, a.body)
	require.Contains(t, a.body, "model_not_downloaded")
	path := s.do("GET", "/transcriptions/"+talk, "").object(t)["audio_path"].(string)
	require.NoError(t, os.Remove(filepath.Clean(path)))
	a = s.do("POST", "/speakers", body(`"speaker":"Speaker 1","name":"Anna","consent":"own_voice"`))
	require.Equal(t, 410, a.StatusCode, a.body)
}

// TestSuggestedNames: who is remembered from one recording is offered in the next, and nothing happens by itself.
func TestSuggestedNames(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{heard: hearsTurns(diarizetest.Truth(t)), speakers: newEars(t)})
	upload := func(from, to int) object {
		whole := kitTones(t)
		const second = 2 * engines.TranscriberRate
		sound := []byte(whole.content[44+from*second : 44+to*second])
		whole.content = string(audio.WAVHeader(engines.TranscriberRate, 1, uint32(len(sound)))) + string(sound)
		a := s.upload(nil, whole)
		require.Equal(t, 200, a.StatusCode, a.body)
		return a.object(t)
	}
	suggestions := func(talk object) map[string]any {
		out := map[string]any{}
		for _, entry := range talk["speakers"].([]any) {
			speaker := entry.(map[string]any)
			out[speaker["name"].(string)] = nil
			if offered, ok := speaker["suggestion"].(map[string]any); ok {
				out[speaker["name"].(string)] = offered["name"]
				cosine, err := offered["cosine"].(json.Number).Float64()
				require.NoError(t, err)
				require.GreaterOrEqual(t, cosine, voiceprints.SamePerson)
				require.NotEmpty(t, offered["id"])
			}
		}
		return out
	}
	first := upload(0, 60)
	require.Equal(t, map[string]any{"Speaker 1": nil, "Speaker 2": nil, "Speaker 3": nil, "Speaker 4": nil}, suggestions(first))
	ids := map[string]string{}
	for speaker, name := range map[string]string{"Speaker 1": "Anna", "Speaker 3": "Carl"} {
		a := s.do("POST", "/speakers", `{"transcription_id":"`+first["id"].(string)+`","speaker":"`+speaker+`","name":"`+name+`","consent":"permission"}`)
		require.Equal(t, 201, a.StatusCode, a.body)
		ids[name] = a.object(t)["id"].(string)
	}
	second := upload(0, 60)
	path := "/transcriptions/" + second["id"].(string)
	want := map[string]any{"Speaker 1": "Anna", "Speaker 2": nil, "Speaker 3": "Carl", "Speaker 4": nil}
	require.Equal(t, want, suggestions(second))
	read := func() map[string]any { return suggestions(s.do("GET", path, "").object(t)) }
	require.Equal(t, want, read(), "it is stored")
	require.Equal(t, "Anna", suggestions(upload(0, 8))["Speaker 1"], "also in a recording that is shorter than a window of the model")

	require.Equal(t, 200, s.do("PATCH", "/speakers/"+ids["Anna"], `{"name":"Anne"}`).StatusCode)
	require.Equal(t, "Anne", read()["Speaker 1"], "by the name that she has now")
	for _, c := range []struct {
		patch string
		want  map[string]any
	}{
		{
			`{"name":"Speaker 1","new_name":"Speaker 2"},{"name":"Speaker 2","new_name":"Speaker 1"}`,
			map[string]any{"Speaker 1": nil, "Speaker 2": "Anne", "Speaker 3": "Carl", "Speaker 4": nil},
		},
		{`{"name":"Speaker 1","new_name":"Speaker 2"}`, map[string]any{"Speaker 2": "Anne", "Speaker 3": "Carl", "Speaker 4": nil}},
		{`{"name":"Speaker 1","new_name":"Speaker 4"}`, map[string]any{"Speaker 2": nil, "Speaker 3": "Carl", "Speaker 4": "Anne"}},
		{
			`{"name":"Speaker 1","new_name":"Ben"},{"name":"Speaker 2","new_name":"Speaker 1"}`,
			map[string]any{"Ben": nil, "Speaker 1": nil, "Speaker 3": "Carl", "Speaker 4": nil},
		},
	} {
		renamed := s.do("PATCH", path, `{"speakers":[`+c.patch+`]}`)
		require.Equal(t, 200, renamed.StatusCode, renamed.body)
		require.Equal(t, c.want, suggestions(renamed.object(t)), "the voice keeps its suggestion: %s", c.patch)
		require.Equal(t, 200, s.do("POST", path+"/undo", "").StatusCode)
		require.Equal(t, map[string]any{"Speaker 1": "Anne", "Speaker 2": nil, "Speaker 3": "Carl", "Speaker 4": nil}, read())
	}
	named := s.do("PATCH", path, `{"speakers":[{"name":"Speaker 1","new_name":"Anne"}]}`).object(t)
	require.Equal(t, map[string]any{"Anne": nil, "Speaker 2": nil, "Speaker 3": "Carl", "Speaker 4": nil}, suggestions(named), "a name was given")
	again := s.do("POST", path+"/speakers", `{"mode":"number","count":4}`).object(t)
	require.Equal(t, map[string]any{"Anne": nil, "Speaker 2": nil, "Speaker 3": "Carl", "Speaker 4": nil}, suggestions(again),
		"and it stays when the speakers are found again")
	require.Equal(t, 204, s.do("DELETE", "/speakers/"+ids["Carl"], "").StatusCode)
	require.Nil(t, read()["Speaker 3"], "who is forgotten is not offered")
	a := s.do("POST", path+"/undo", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	a = s.do("POST", path+"/undo", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, "Anne", suggestions(a.object(t))["Speaker 1"], "the name is taken back")
	off := s.do("POST", path+"/speakers", `{"mode":"off"}`).object(t)
	require.Empty(t, suggestions(off))
	a = s.do("GET", path+"/export?format=json", "")
	require.Equal(t, 200, a.StatusCode)
	require.NotContains(t, a.body, ids["Anna"], "a file for others says nothing of who is known here")
}
