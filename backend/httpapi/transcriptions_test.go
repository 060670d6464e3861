package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
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
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/transcribe"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// transcriptions returns the service on the real store, with the fixture as its only model.
func (s *studio) transcriptions(t testing.TB, dir string, db *sqlite.DB, events *events.Streams, w studioOptions) *transcribe.Service {
	if s.heard = w.heard; s.heard == nil {
		s.heard = enginetest.NewTranscriber(enginetest.TranscriberOptions{})
	}
	service, err := transcribe.New(t.Context(), transcribe.Options{
		Dir: filepath.Join(dir, "transcripts"), Store: db, Models: listeners{s.heard}, Codecs: wavOnly{audio.FindCodecs()},
		Diarizers: w.speakers, Known: s.prints, Detector: everything{}, Generations: db, DefaultModel: func(string, backend.TranscribeOptions) (string, bool) { return "whisper-base", false },
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

// listeners are the models whisper-base, whisper-large and whisper-base.en.
type listeners struct{ *enginetest.FixtureTranscriber }

func (l listeners) Model(name string) (engines.Model, error) {
	m := engines.Model{Name: name, DisplayName: name, Abilities: engines.Abilities{Transcribes: true}}
	switch name {
	case "whisper-base", "whisper-large":
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

// Installed counts whisper-base alone as installed.
func (l listeners) Installed(name string) error {
	if name == "whisper-base" {
		return nil
	}
	return backend.E(backend.CodeModelNotDownloaded, name+" is not downloaded.", "Download it first.").
		With("model_name", name).With("display_name", name).With("size_mb", 148)
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
