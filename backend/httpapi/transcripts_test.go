package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/filename"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestTranscriptAddresses(t *testing.T) {
	t.Parallel()
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
		{"POST", "/transcriptions/%s/script"},
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
	t.Parallel()
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

func TestRerunKeepsThePrompt(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	path := "/transcriptions/" + s.transcribe(3)["id"].(string)
	rerun := func(body string) string {
		a := s.do("POST", path+"/rerun", body)
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Equal(t, a.object(t)["prompt"], s.do("GET", path, "").object(t)["prompt"], "it is stored")
		return a.body
	}
	require.NotContains(t, rerun(`{"from":1,"to":2}`), `"prompt"`)
	require.Contains(t, rerun(`{"prompt":"Names: Zoë"}`), `"prompt":"Names: Zoë"`)
	require.Contains(t, rerun(`{"language":"de"}`), `"prompt":"Names: Zoë"`)
	require.NotContains(t, rerun(`{"prompt":""}`), `"prompt"`)
}

func TestRerunATranscript(t *testing.T) {
	t.Parallel()
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
		rerun("prompt", `{"prompt":"`+strings.Repeat("é", 4001)+`"}`, 422, `"loc":["body","prompt"]`, `"type":"string_too_long"`),
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
		require.Equal(t, filename.Safe(made["title"].(string), "")+"."+format, params["filename"])
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
	t.Parallel()
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
