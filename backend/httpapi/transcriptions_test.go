package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/transcribe"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// transcriptions returns the service on the real store, with the fixture as its only model.
func (s *studio) transcriptions(t testing.TB, dir string, db *sqlite.DB, events *httpapi.Events, w studioOptions) *transcribe.Service {
	if s.heard = w.heard; s.heard == nil {
		s.heard = enginetest.NewTranscriber(enginetest.TranscriberOptions{})
	}
	service, err := transcribe.New(t.Context(), transcribe.Options{
		Dir: filepath.Join(dir, "transcripts"), Store: db, Models: listeners{s.heard}, Codecs: wavOnly{audio.FindCodecs()},
		Detector: everything{}, Generations: db, DefaultModel: func() string { return "whisper-base" },
		Retention: func() time.Duration { return -1 }, Notify: events.Transcript, QueueLimit: 2, Now: time.Now,
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		require.NoError(t, service.Close(ended))
	})
	return service
}

// listeners are the models whisper-base and whisper-base.en.
type listeners struct{ *enginetest.FixtureTranscriber }

func (l listeners) Model(name string) (engines.Model, error) {
	m := engines.Model{Name: name, DisplayName: name, Abilities: engines.Abilities{Transcribes: true}}
	switch name {
	case "whisper-base":
		m.Languages = []string{"en", "de"}
	case "whisper-base.en":
		m.Languages = []string{"en"}
	default:
		return m, backend.E(backend.CodeModelUnknown, "There is no such model.", "Choose another one.")
	}
	return m, nil
}

func (l listeners) AcquireTranscriber(_ context.Context, name string, _ func(backend.Status)) (*engines.LoadedTranscriber, error) {
	return &engines.LoadedTranscriber{Transcriber: l.FixtureTranscriber, Model: name, Release: func() {}}, nil
}

// wavOnly stores audio as WAV, with or without ffmpeg on this machine.
type wavOnly struct{ *audio.Codecs }

func (wavOnly) Ready(context.Context, string) error { return errNoFFmpeg }

var errNoFFmpeg = backend.E(backend.CodeRuntimeMissing, "There is no ffmpeg.", "Install it.")

// everything is a detector for which all audio is speech.
type everything struct{}

func (everything) Speech(_ context.Context, samples []float32) ([]engines.Span, error) {
	return []engines.Span{{End: len(samples)}}, nil
}

// talk returns a WAV file of a loud sound.
func talk(t testing.TB, seconds float64) []byte {
	t.Helper()
	const rate = 8000
	frames := int(seconds * rate)
	out := audio.WAVHeader(rate, 1, uint32(2*frames))
	for i := range frames {
		out = append(out, byte(i), byte(i%64))
	}
	return out
}

// part is a part of a form.
type part struct{ name, file, content string }

func multipartForm(t testing.TB, parts ...part) (body, contentType string) {
	t.Helper()
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for _, p := range parts {
		create := func() (io.Writer, error) { return w.CreateFormField(p.name) }
		if p.file != "" {
			create = func() (io.Writer, error) { return w.CreateFormFile(p.name, p.file) }
		}
		to, err := create()
		require.NoError(t, err)
		_, err = to.Write([]byte(p.content))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.String(), "Content-Type: " + w.FormDataContentType()
}

// upload sends a form to /transcriptions.
func (s *studio) upload(headers []string, parts ...part) answer {
	s.t.Helper()
	body, kind := multipartForm(s.t, parts...)
	return s.do("POST", "/transcriptions", body, append([]string{kind}, headers...)...)
}

// noUploadLeft waits until the files of uploads are removed, which may be after the response.
func (s *studio) noUploadLeft() {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		left, err := os.ReadDir(s.temp)
		return err == nil && len(left) == 0
	}, testTimeout, time.Millisecond)
}

// transcribe returns the complete transcript of a file of some seconds.
func (s *studio) transcribe(seconds float64, parts ...part) object {
	s.t.Helper()
	a := s.upload(nil, append(parts, part{"file", "Talk of today.wav", string(talk(s.t, seconds))})...)
	require.Equal(s.t, 200, a.StatusCode, a.body)
	return a.object(s.t)
}

// transcriptShape is what decisions.md sections 2 and 7 promise of every transcript.
var transcriptShape = map[string]string{
	"id": "string", "text": "string", "language": "string", "duration": "number", "segments": "array", "model_name": "string",
	"created_at": "string", "updated_at": "string", "title": "string", "status": "string", "progress": "number", "error": "null",
	"source": "string", "file_name": "string", "audio_path": "string", "audio_url": "string", "can_undo": "boolean",
}

func TestTranscribeAForm(t *testing.T) {
	s := newStudio(t, studioOptions{})
	for _, more := range [][]part{
		nil,
		{{"language", "", "de"}, {"title", "", ""}, {"unknown", "", "x"}, {"vad", "", "False"}, {"timestamps", "", "word,segment"}},
		{{"timestamps", "", "segment"}, {"timestamps", "", "word"}, {"translate", "", "true"}, {"prompt", "", "Names: Zoë"}},
		{{"timestamps[]", "", "word"}, {"language", "", "auto"}, {"model_name", "", "whisper-base"}},
	} {
		got := s.transcribe(2.5, more...)
		requireShape(t, transcriptShape, got)
		requireUTC(t, got["created_at"])
		require.Equal(t, "complete", got["status"])
		require.Equal(t, "Second 1. Second 2. Second 3.", got["text"])
		require.Equal(t, json.Number("2.5"), got["duration"])
		require.Equal(t, "Talk of today", got["title"])
		require.Equal(t, "Talk of today.wav", got["file_name"])
		require.Equal(t, "file", got["source"])
		require.Equal(t, "whisper-base", got["model_name"])
		segment := object(got["segments"].([]any)[2].(map[string]any))
		requireShape(t, map[string]string{
			"id": "integer", "start": "number", "end": "number", "text": "string", "words": "array", "no_speech_prob": "number",
			"speaker": "string", "paragraph": "boolean",
		}, segment)
		require.Equal(t, json.Number("2.5"), segment["end"])
		again := s.do("GET", "/transcriptions/"+got["id"].(string), "").object(t)
		delete(again, "audio_url")
		delete(got, "audio_url")
		require.Equal(t, got, again)
	}
	require.Equal(t, 4, s.heard.Runs())
	s.noUploadLeft()
}

func TestTranscribeAGeneration(t *testing.T) {
	s := newStudio(t, studioOptions{})
	g := s.speak("Hello there.", "")
	body := fmt.Sprintf(`{"generation_id":%q,"timestamps":"word"}`, strings.ToUpper(g["id"].(string)))
	a := s.do("POST", "/transcriptions", body)
	require.Equal(t, 200, a.StatusCode, a.body)
	got := a.object(t)
	require.Equal(t, "generation", got["source"])
	require.Equal(t, g["id"], got["generation_id"])
	require.Equal(t, "Hello there.", got["title"])
	require.NotEqual(t, g["audio_path"], got["audio_path"])

	require.Equal(t, 204, s.do("DELETE", "/transcriptions/"+got["id"].(string), "").StatusCode)
	require.NoFileExists(t, got["audio_path"].(string))
	require.FileExists(t, g["audio_path"].(string), "the generation keeps its audio")
}

// TestTranscribeLater answers at once and sends the progress as events.
func TestTranscribeLater(t *testing.T) {
	release := make(chan struct{})
	s := newStudio(t, studioOptions{heard: enginetest.NewTranscriber(enginetest.TranscriberOptions{
		Before: func(ctx context.Context, _ engines.TranscribeOptions, number int) error {
			if number == 2 {
				select {
				case <-release:
				case <-ctx.Done():
				}
			}
			return nil
		},
	})})
	next := s.listen()
	a := s.upload([]string{"Prefer: respond-async"}, part{"file", "a.wav", string(talk(t, 40))})
	require.Equal(t, 202, a.StatusCode, a.body)
	require.Equal(t, "respond-async", a.Header.Get("Preference-Applied"))
	id := a.object(t)["id"].(string)
	require.Eventually(t, func() bool {
		live := s.do("GET", "/transcriptions/"+id, "").object(t)
		return live["text"] == "Second 1. Second 2." && live["status"] == "transcribing"
	}, testTimeout, 5*time.Millisecond)
	row := s.do("GET", "/transcriptions?status=transcribing", "").items(t)[0]
	require.Equal(t, "transcribing", row["status"], "lists show the progress too")
	for {
		name, data := next()
		if name == "transcription" && strings.Contains(data, `"status":"transcribing"`) {
			require.Contains(t, data, `"id":"`+id+`"`)
			break
		}
	}
	close(release)
	states := s.transcriptStates(id)
	last := states[len(states)-1]
	require.Equal(t, "complete", last["status"])
	require.Len(t, last["segments"], 40)
	for _, state := range states[:len(states)-1] {
		require.LessOrEqual(t, len(state["segments"].([]any)), 20, "progress is short")
	}
	require.Equal(t, []object{last}, s.transcriptStates(id)[:1], "a late reader gets the end at once")
	for {
		if name, data := next(); name == "transcription" && strings.Contains(data, `"status":"complete"`) {
			break
		}
	}
}

// transcriptStates reads the events of a transcript to their end.
func (s *studio) transcriptStates(id string) []object {
	s.t.Helper()
	a := s.do("GET", "/transcriptions/"+id+"/events", "")
	require.Equal(s.t, 200, a.StatusCode, a.body)
	var states []object
	for line := range strings.Lines(a.body) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			var state object
			decode(s.t, data, &state)
			delete(state, "audio_url")
			states = append(states, state)
		}
	}
	require.NotEmpty(s.t, states)
	return states
}

func TestInvalidTranscriptions(t *testing.T) {
	s := newStudio(t, studioOptions{})
	file := part{"file", "a.wav", string(talk(t, 1))}
	for name, c := range map[string]struct {
		parts  []part
		status int
		has    []string
	}{
		"no file":          {[]part{{"language", "", "en"}}, 422, []string{`"loc":["body","file"]`, `"type":"missing"`}},
		"two files":        {[]part{file, file}, 422, []string{`"loc":["body","file"]`}},
		"file and id":      {[]part{file, {"generation_id", "", itemID}}, 422, []string{`"loc":["body"]`}},
		"malformed id":     {[]part{{"generation_id", "", "x"}}, 422, []string{`"loc":["body","generation_id"]`, `"uuid_parsing"`}},
		"unknown id":       {[]part{{"generation_id", "", itemID}}, 404, []string{`"code":"generation_not_found"`}},
		"unknown take":     {[]part{{"recording_id", "", itemID}}, 404, []string{`"code":"not_found"`}},
		"boolean":          {[]part{file, {"translate", "", "maybe"}}, 422, []string{`"loc":["body","translate"]`, `"bool_type"`}},
		"vad":              {[]part{file, {"vad", "", "7"}}, 422, []string{`"loc":["body","vad"]`, `"bool_type"`}},
		"timestamps":       {[]part{file, {"timestamps", "", "word,letter"}}, 422, []string{`"loc":["body","timestamps"]`, `"enum"`}},
		"language":         {[]part{file, {"language", "", "klingonese"}}, 422, []string{`"loc":["body","language"]`}},
		"other language":   {[]part{file, {"language", "", "fr"}}, 409, []string{`"code":"language_not_supported"`}},
		"model":            {[]part{file, {"model_name", "", "nope"}}, 404, []string{`"code":"model_unknown"`}},
		"translation":      {[]part{file, {"model_name", "", "whisper-base.en"}, {"translate", "", "1"}}, 422, []string{`"loc":["body","translate"]`}},
		"long prompt":      {[]part{file, {"prompt", "", strings.Repeat("é", 4001)}}, 422, []string{`"loc":["body","prompt"]`, `"string_too_long"`}},
		"huge prompt":      {[]part{file, {"prompt", "", strings.Repeat("a", 70_000)}}, 413, []string{`"code":"body_too_large"`}},
		"invalid UTF-8":    {[]part{file, {"title", "", "\xff"}}, 422, []string{`"loc":["body","title"]`, `"string_unicode"`}},
		"NUL":              {[]part{file, {"title", "", "a\x00"}}, 422, []string{`"loc":["body","title"]`, `"string_unicode"`}},
		"name not UTF-8":   {[]part{{"file", "\xff.wav", file.content}}, 422, []string{`"loc":["body","file"]`, `"string_unicode"`}},
		"repeated":         {[]part{file, {"title", "", "a"}, {"title", "", "b"}}, 422, []string{`"loc":["body","title"]`, `"string_type"`}},
		"text as MP3":      {[]part{{"file", "a.mp3", "This is a text."}}, 415, []string{`"code":"unsupported_media"`, `"transcript_id":"`}},
		"nothing in a WAV": {[]part{{"file", "a.wav", ""}}, 415, []string{`"code":"unsupported_media"`}},
	} {
		t.Run("form "+name, func(t *testing.T) {
			a := s.upload(nil, c.parts...)
			require.Equal(t, c.status, a.StatusCode, a.body)
			for _, has := range c.has {
				require.Contains(t, a.body, has)
			}
			requireInvalidOrProblem(t, a)
			s.noUploadLeft()
		})
	}
	post := func(name, body string, status int, has ...string) scenario {
		return scenario{name: "JSON " + name, method: "POST", path: "/transcriptions", body: body, status: status, has: has}
	}
	id := fmt.Sprintf(`"generation_id":%q`, itemID)
	s.play(t, []scenario{
		post("absent", "", 422, `"loc":["body"]`, `"type":"missing"`),
		post("broken", "{", 422, `"type":"json_invalid"`),
		post("list", "[]", 422, `"loc":["body"]`),
		post("nothing", "{}", 422, `"loc":["body","generation_id"]`, `"type":"missing"`),
		post("malformed id", `{"generation_id":"x"}`, 422, `"loc":["body","generation_id"]`, `"type":"uuid_parsing"`),
		post("both", `{`+id+`,"recording_id":"`+itemID+`"}`, 422, `"loc":["body"]`),
		post("unknown id", `{`+id+`}`, 404, `"code":"generation_not_found"`),
		post("type", `{`+id+`,"translate":"yes"}`, 422, `"loc":["body","translate"]`, `"type":"bool_type"`),
		post("timestamps", `{`+id+`,"timestamps":["letter"]}`, 422, `"loc":["body","timestamps"]`, `"type":"enum"`),
		post("timestamps type", `{`+id+`,"timestamps":5}`, 422, `"loc":["body","timestamps"]`),
		post("surrogate", `{`+id+`,"title":"\udc00"}`, 422, `"loc":["body","title"]`, `"type":"string_unicode"`),
	})
	body, kind := multipartForm(t, file)
	formBody := func(name, body, kind string, status int, has ...string) scenario {
		return scenario{name: name, method: "POST", path: "/transcriptions", body: body, headers: []string{kind}, status: status, has: has}
	}
	s.play(t, []scenario{
		formBody("cut form", body[:len(body)-100], kind, 408, `"code":"body_incomplete"`),
		formBody("no boundary", body, "Content-Type: multipart/form-data", 422, `"loc":["body"]`),
		formBody("no form", "hello", kind, 422, `"loc":["body","file"]`, `"type":"missing"`),
	})
	require.Equal(t, 0, s.heard.Runs())
	for _, row := range s.do("GET", "/transcriptions", "").items(t) {
		require.Equal(t, "failed", row["status"], "only what could not be read leaves a row")
	}
	s.noUploadLeft()
}

func TestUploadThatDoesNotFit(t *testing.T) {
	s := newStudio(t, studioOptions{})
	s.free.Store(50_000_100)
	a := s.upload(nil, part{"file", "a.wav", string(talk(t, 1))})
	require.Equal(t, 507, a.StatusCode, a.body)
	require.Contains(t, a.body, `"code":"insufficient_disk"`)
	require.Contains(t, a.body, `"free":50000100`)
	require.Contains(t, a.object(t)["detail"], "upload")
	s.noUploadLeft()
	conn := s.raw("POST", "/transcriptions", "9999999999", "--x\r\n", bearer, "Content-Type: multipart/form-data; boundary=x")
	closes(t, conn, http.StatusRequestEntityTooLarge)
}

func TestTranscriptAddresses(t *testing.T) {
	s := newStudio(t, studioOptions{})
	for _, c := range [][3]string{
		{"GET", "/transcriptions/%s"},
		{"PATCH", "/transcriptions/%s", `{"title":"x"}`},
		{"DELETE", "/transcriptions/%s"},
		{"GET", "/transcriptions/%s/events"},
		{"POST", "/transcriptions/%s/cancel"},
		{"POST", "/transcriptions/%s/undo"},
		{"POST", "/transcriptions/%s/rerun"},
		{"POST", "/transcriptions/%s/rerun", `{"from":1}`},
		{"GET", "/transcriptions/%s/export?format=srt"},
		{"GET", "/transcriptions/%s/peaks"},
	} {
		a := s.do(c[0], fmt.Sprintf(c[1], "nope"), c[2])
		require.Equal(t, 422, a.StatusCode, c)
		require.Contains(t, a.body, `"loc":["path","transcript_id"]`, c)
		require.Contains(t, a.body, `"type":"uuid_parsing"`, c)
		a = s.do(c[0], fmt.Sprintf(c[1], itemID), c[2])
		require.Equal(t, 404, a.StatusCode, "%v: %s", c, a.body)
		require.Contains(t, a.body, `"code":"transcript_not_found"`, c)
	}
	require.Equal(t, 405, s.do("PUT", "/transcriptions", "{}").StatusCode)
}

func TestTranscriptEditsAndUndo(t *testing.T) {
	s := newStudio(t, studioOptions{})
	made := s.transcribe(3)
	path := "/transcriptions/" + made["id"].(string)
	require.Equal(t, false, made["can_undo"])
	var ids []string
	for _, segment := range made["segments"].([]any) {
		ids = append(ids, segment.(map[string]any)["id"].(json.Number).String())
	}
	edit := func(body string) object {
		a := s.do("PATCH", path, body)
		require.Equal(t, 200, a.StatusCode, a.body)
		return a.object(t)
	}
	var states []object
	for _, body := range []string{
		`{"title":"  A better title "}`,
		`{"segments":[{"id":` + ids[0] + `,"text":"First.","speaker":"Ada"},{"id":` + ids[2] + `,"text":""}]}`,
		`{"title":"","segments":[{"id":` + ids[1] + `,"speaker":"Ben"}]}`,
	} {
		states = append(states, s.do("GET", path, "").object(t))
		edit(body)
	}
	now := s.do("GET", path, "").object(t)
	require.Equal(t, "First.\n\nSecond 2.", now["text"])
	require.Equal(t, true, now["can_undo"])
	require.Len(t, s.do("GET", "/transcriptions?search=ada", "").items(t), 1)
	require.Len(t, s.do("GET", "/transcriptions?search=first", "").items(t), 1)
	require.Equal(t, true, edit(`{}`)["can_undo"])

	for i := len(states) - 1; i >= 0; i-- {
		a := s.do("POST", path+"/undo", "")
		require.Equal(t, 200, a.StatusCode, a.body)
		got := a.object(t)
		for _, field := range []string{"title", "text", "segments", "language", "can_undo"} {
			require.Equal(t, states[i][field], got[field], field)
		}
	}
	a := s.do("POST", path+"/undo", "")
	require.Equal(t, 409, a.StatusCode)
	require.Equal(t, "nothing_to_undo", a.object(t)["code"])

	patch := func(name, body string, has ...string) scenario {
		return scenario{name: name, method: "PATCH", path: path, body: body, status: 422, has: has}
	}
	s.play(t, []scenario{
		patch("unknown segment", `{"title":"lost","segments":[{"id":99,"text":"x"}]}`, `"loc":["body","segments","0","id"]`),
		patch("segment without id", `{"segments":[{"text":"x"}]}`, `"loc":["body","segments","0","id"]`, `"type":"missing"`),
		patch("long title", `{"title":"`+strings.Repeat("x", 201)+`"}`, `"loc":["body","title"]`, `"type":"string_too_long"`),
		patch("text type", `{"segments":[{"id":1,"text":5}]}`, `"loc":["body","segments","0","text"]`, `"type":"string_type"`),
		patch("absent body", "", `"type":"missing"`),
	})
	require.Equal(t, "Talk of today", s.do("GET", path, "").object(t)["title"], "a refused edit changes nothing")
}

func TestRerunATranscript(t *testing.T) {
	s := newStudio(t, studioOptions{})
	made := s.transcribe(3)
	path := "/transcriptions/" + made["id"].(string)
	a := s.do("POST", path+"/rerun", `{"from":1,"to":2,"language":"de"}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	got := a.object(t)
	require.Equal(t, "Second 1. Second 1. Second 3.", got["text"], "the part is heard by itself")
	require.Equal(t, true, got["can_undo"])
	a = s.do("POST", path+"/rerun", "", "Prefer: respond-async")
	require.Equal(t, 202, a.StatusCode, a.body)
	require.Equal(t, "respond-async", a.Header.Get("Preference-Applied"))
	states := s.transcriptStates(made["id"].(string))
	require.Equal(t, made["text"], states[len(states)-1]["text"])
	for _, want := range []any{got["text"], made["text"]} {
		a := s.do("POST", path+"/undo", "")
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Equal(t, want, a.object(t)["text"])
	}
	rerun := func(name, body string, status int, has ...string) scenario {
		return scenario{name: name, method: "POST", path: path + "/rerun", body: body, status: status, has: has}
	}
	s.play(t, []scenario{
		rerun("from", `{"from":-1}`, 422, `"loc":["body","from"]`),
		rerun("to", `{"from":2,"to":2}`, 422, `"loc":["body","to"]`, `"type":"greater_than"`),
		rerun("to 0", `{"to":0}`, 422, `"loc":["body","to"]`),
		rerun("beyond", `{"from":99}`, 422, `"loc":["body","from"]`),
		rerun("model", `{"model_name":"nope"}`, 404, `"model_unknown"`),
		rerun("language", `{"language":"fr"}`, 409, `"language_not_supported"`),
	})
	require.NoError(t, os.Remove(made["audio_path"].(string)))
	a = s.do("POST", path+"/rerun", "")
	require.Equal(t, 410, a.StatusCode, a.body)
	require.Equal(t, "audio_missing", a.object(t)["code"])
	require.Equal(t, true, s.do("GET", path, "").object(t)["audio_missing"])
}

func TestCancelATranscription(t *testing.T) {
	s := newStudio(t, studioOptions{heard: stuck()})
	var ids []string
	for range 2 {
		a := s.upload([]string{"Prefer: respond-async"}, part{"file", "a.wav", string(talk(t, 2))})
		require.Equal(t, 202, a.StatusCode, a.body)
		ids = append(ids, a.object(t)["id"].(string))
	}
	require.Eventually(t, func() bool {
		return s.do("GET", "/transcriptions/"+ids[0], "").object(t)["status"] == "transcribing"
	}, testTimeout, time.Millisecond)
	s.upload([]string{"Prefer: respond-async"}, part{"file", "a.wav", string(talk(t, 2))})
	full := s.upload([]string{"Prefer: respond-async"}, part{"file", "a.wav", string(talk(t, 2))})
	require.Equal(t, 503, full.StatusCode, full.body)
	require.Equal(t, "queue_full", full.object(t)["code"])
	require.NotEmpty(t, full.Header.Get("Retry-After"))

	path := "/transcriptions/" + ids[0]
	a := s.do("PATCH", path, `{"segments":[{"id":1,"text":"x"}]}`)
	require.Contains(t, []int{409, 422}, a.StatusCode, a.body)
	require.Equal(t, 409, s.do("POST", path+"/rerun", "").StatusCode)
	for _, id := range ids { // one runs, one waits
		a := s.do("POST", "/transcriptions/"+id+"/cancel", "")
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Equal(t, "cancelled", a.object(t)["status"])
		a = s.do("POST", "/transcriptions/"+id+"/cancel", "")
		require.Equal(t, 409, a.StatusCode, a.body)
		require.Equal(t, "not_in_progress", a.object(t)["code"])
	}
	require.Equal(t, 204, s.do("DELETE", path, "").StatusCode)
	require.Equal(t, 404, s.do("GET", path, "").StatusCode)
}

// stuck is a model that hears nothing until it is cancelled.
func stuck() *enginetest.FixtureTranscriber {
	return enginetest.NewTranscriber(enginetest.TranscriberOptions{
		Before: func(ctx context.Context, _ engines.TranscribeOptions, _ int) error {
			<-ctx.Done()
			return backend.ErrCancelled.WithCause(ctx.Err())
		},
	})
}

// TestClientOfATranscriptionGoesAway cancels what nobody waits for.
func TestClientOfATranscriptionGoesAway(t *testing.T) {
	s := newStudio(t, studioOptions{heard: stuck()})
	body, kind := multipartForm(t, part{"file", "a.wav", string(talk(t, 2))})
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.srv.URL+"/transcriptions", strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", strings.TrimPrefix(kind, "Content-Type: "))
	done := make(chan struct{})
	go func() {
		defer close(done)
		resp, err := s.client.Do(req)
		if err == nil {
			_ = resp.Body.Close()
		}
	}()
	first := func() object {
		rows := s.do("GET", "/transcriptions", "").items(t)
		if len(rows) == 0 {
			return object{}
		}
		return rows[0]
	}
	require.Eventually(t, func() bool { return first()["status"] == "transcribing" }, testTimeout, time.Millisecond)
	cancel()
	<-done
	require.Eventually(t, func() bool { return first()["status"] == "cancelled" }, testTimeout, time.Millisecond)
}

func TestTranscriptRowsAreShort(t *testing.T) {
	s := newStudio(t, studioOptions{})
	long := s.transcribe(40)
	s.transcribe(1)
	list := s.do("GET", "/transcriptions", "")
	rows := list.items(t)
	require.Len(t, rows, 2)
	require.Equal(t, json.Number("2"), list.object(t)["total"])
	for _, row := range rows {
		requireShape(t, transcriptShape, row)
		require.Empty(t, row["segments"])
	}
	require.NotContains(t, rows[0], "text_truncated")
	require.Equal(t, true, rows[1]["text_truncated"])
	require.Len(t, rows[1]["text"], 240)
	full := s.do("GET", "/transcriptions?full=true", "").items(t)
	require.Len(t, full[1]["segments"], 40)
	require.Equal(t, long["text"], full[1]["text"])
	require.NotContains(t, full[1], "text_truncated")

	hits := s.do("GET", "/transcriptions?search=40", "").items(t)
	require.Len(t, hits, 1)
	require.Contains(t, hits[0]["highlight"], "<mark>40</mark>", "after the part that is shown")
	require.Len(t, hits[0]["text"], 240)
	require.Len(t, s.do("GET", "/transcriptions?status=complete", "").items(t), 2)
	require.Empty(t, s.do("GET", "/transcriptions?status=failed", "").items(t))
	require.Len(t, s.pages("/transcriptions?limit=1", "id"), 2)
	for _, query := range []string{"status=x", "limit=0", "limit=501", "cursor=x", "full=maybe"} {
		require.Equal(t, 422, s.do("GET", "/transcriptions?"+query, "").StatusCode, query)
	}
}

func TestTranscriptFiles(t *testing.T) {
	s := newStudio(t, studioOptions{})
	made := s.transcribe(2, part{"title", "", `Über "alles": Teil 1/2`})
	path := "/transcriptions/" + made["id"].(string)
	for format, want := range map[string][2]string{
		"":     {"text/plain; charset=utf-8", "Second 1."},
		"txt":  {"text/plain; charset=utf-8", "Second 2."},
		"srt":  {"application/x-subrip", "00:00:00,000 --> "},
		"vtt":  {"text/vtt; charset=utf-8", "WEBVTT"},
		"json": {"application/json", `"segments"`},
		"md":   {"text/markdown; charset=utf-8", "Second 1."},
	} {
		a := s.do("GET", path+"/export?format="+format, "")
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Equal(t, want[0], a.Header.Get("Content-Type"), format)
		require.Contains(t, a.body, want[1], format)
		_, params, err := mime.ParseMediaType(a.Header.Get("Content-Disposition"))
		require.NoError(t, err)
		if format == "" {
			format = "txt"
		}
		require.Equal(t, backend.FileName(made["title"].(string), "")+"."+format, params["filename"])
	}
	require.Equal(t, 422, s.do("GET", path+"/export?format=pdf", "").StatusCode)

	url := made["audio_url"].(string)
	whole := s.do("GET", url, "", "-Authorization")
	require.Equal(t, 200, whole.StatusCode)
	require.Equal(t, "audio/wav", whole.Header.Get("Content-Type"))
	require.Len(t, whole.body, 44+2*2*16000)
	partial := s.do("GET", url, "", "-Authorization", "Range: bytes=44-47")
	require.Equal(t, 206, partial.StatusCode)
	require.Equal(t, whole.body[44:48], partial.body)
	require.Equal(t, 200, s.do("HEAD", url, "", "-Authorization").StatusCode)
	require.Equal(t, 401, s.do("GET", url+"x", "", "-Authorization").StatusCode)
	peaks := s.do("GET", path+"/peaks?n=10", "").object(t)
	require.Len(t, peaks["peaks"], 10)

	use := s.do("GET", "/history/storage", "").object(t)
	require.Equal(t, json.Number("1"), use["files"])
	require.Equal(t, json.Number(fmt.Sprint(len(whole.body))), use["bytes"])
	require.Equal(t, use["bytes"], use["transcripts"].(map[string]any)["bytes"])
	stats := s.do("GET", "/history/stats", "").object(t)
	require.Equal(t, json.Number("1"), stats["transcripts"])
	require.Equal(t, json.Number("2"), stats["transcribed_seconds"])

	require.NoError(t, os.Remove(made["audio_path"].(string)))
	require.Equal(t, 410, s.do("GET", url, "").StatusCode)
	require.Equal(t, json.Number("1"), s.do("GET", "/history/storage", "").object(t)["missing"])
	require.Equal(t, 204, s.do("DELETE", path, "").StatusCode)
	require.Equal(t, 404, s.do("GET", url, "").StatusCode)
	require.Empty(t, s.do("GET", "/transcriptions", "").items(t))
}

// TestPanicOfATranscription fails that one only.
func TestPanicOfATranscription(t *testing.T) {
	s := newStudio(t, studioOptions{heard: enginetest.NewTranscriber(enginetest.TranscriberOptions{
		Before: func(_ context.Context, o engines.TranscribeOptions, _ int) error {
			if o.Prompt == "panic" {
				panic("on demand")
			}
			return nil
		},
	})})
	a := s.upload(nil, part{"prompt", "", "panic"}, part{"file", "a.wav", string(talk(t, 1))})
	require.Equal(t, 500, a.StatusCode, a.body)
	require.NotContains(t, a.body, "on demand")
	id := a.object(t)["transcript_id"].(string)
	row := s.do("GET", "/transcriptions/"+id, "").object(t)
	require.Equal(t, "failed", row["status"])
	require.Equal(t, a.object(t)["code"], row["error"].(map[string]any)["code"])
	require.Equal(t, "complete", s.transcribe(1)["status"])
}
