package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// generationShape is what decisions.md section 2 and model-server.md promise of a finished one.
var generationShape = map[string]string{
	"id": "string", "profile_id": "string", "profile_name": "string", "text": "string", "language": "string",
	"audio_path": "string", "duration": "number", "seed": "integer", "created_at": "string", "status": "string",
	"progress": "number", "error": "null", "audio_url": "string", "sample_rate": "integer", "channels": "integer",
	"format": "string", "model_name": "string", "engine": "string", "voice": "string", "speed": "number",
	"source": "string", "credits": "null", "favorite": "boolean", "title": "string", "parent_id": "null",
	"chunks": "array", "receipt": "object",
}

// unfinished is the shape of a generation that has no audio.
func unfinished(changes map[string]string) map[string]string {
	shape := map[string]string{}
	for k, v := range generationShape {
		shape[k] = v
	}
	shape["receipt"] = "null"
	for k, v := range changes {
		shape[k] = v
	}
	return shape
}

func requireUTC(t *testing.T, v any) {
	t.Helper()
	text, _ := v.(string)
	at, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(text, "Z"), text)
	require.WithinDuration(t, time.Now(), at, time.Minute)
}

// scripted calls before at the start of each utterance, numbered from 0, and fails with its error.
type scripted struct {
	*enginetest.Fixture
	said   atomic.Int64
	before func(ctx context.Context, n int) error
}

func newScripted(before func(ctx context.Context, n int) error) *scripted {
	return &scripted{Fixture: enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: 8000}), before: before}
}

// Info takes one caller, so that the sentences come in their order.
func (s *scripted) Info() engines.Info {
	info := s.Fixture.Info()
	info.Concurrency = 1
	return info
}

func (s *scripted) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	if err := s.before(ctx, int(s.said.Add(1))-1); err != nil {
		return err
	}
	return s.Fixture.Speak(ctx, u, emit)
}

// blocked speaks one sentence and then waits for its end.
func blocked() *scripted {
	return newScripted(func(ctx context.Context, n int) error {
		if n == 0 {
			return nil
		}
		<-ctx.Done()
		return backend.ErrCancelled.WithCause(ctx.Err())
	})
}

func TestGenerate(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	a := s.do("POST", "/generate", `{"profile_id":"`+strings.ToUpper(s.profile)+`","text":"  Hello there. Goodbye. ","unknown":{}}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	g := a.object(t)
	requireShape(t, generationShape, g)
	requireUTC(t, g["created_at"])
	require.Equal(t, s.profile, g["profile_id"])
	require.Equal(t, backend.BuiltInProfileName, g["profile_name"])
	require.Equal(t, "Hello there. Goodbye.", g["text"])
	require.Equal(t, "complete", g["status"])
	require.Equal(t, "local", g["source"])
	for _, chunk := range g["chunks"].([]any) {
		requireShape(t, map[string]string{
			"text": "string", "start": "number", "end": "number", "take": "integer", "takes": "integer",
		}, chunk.(map[string]any))
	}
	file, err := os.ReadFile(g["audio_path"].(string))
	require.NoError(t, err)
	sound := s.do("GET", g["audio_url"].(string), "", "-Authorization")
	require.Equal(t, 200, sound.StatusCode)
	require.Equal(t, string(file), sound.body)

	read := s.do("GET", "/history/"+g["id"].(string), "").object(t)
	requireShape(t, generationShape, read)
	for _, name := range []string{"id", "seed", "audio_path", "duration", "created_at", "profile_name", "receipt"} {
		require.Equal(t, g[name], read[name], name)
	}
	require.Equal(t, g["id"], s.do("GET", "/generate/"+g["id"].(string), "").object(t)["id"])
	require.Equal(t, "42", fmt.Sprint(s.speak("Hello.", `,"seed":42`)["seed"]))
	require.Equal(t, "2147483647", fmt.Sprint(s.speak("Hello.", `,"seed":2147483647`)["seed"]))
}

func TestInvalidGenerateRequests(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	body := func(fields string) string { return `{"profile_id":"{profile}",` + fields + `}` }
	post := func(name, body string, status int, has ...string) scenario {
		return scenario{name: name, method: "POST", path: "/generate", body: body, status: status, has: has}
	}
	list := []scenario{
		post("absent body", "", 422, `"loc":["body"]`, `"type":"missing"`),
		post("broken JSON", `{"text":`, 422, `"type":"json_invalid"`),
		post("not an object", `[]`, 422, `"loc":["body"]`),
		post("no fields", `{}`, 422, `"loc":["body","profile_id"]`, `"loc":["body","text"]`, `"type":"missing"`),
		post("no text", `{"profile_id":"{profile}"}`, 422, `"loc":["body","text"]`, `"type":"missing"`),
		post("empty text", body(`"text":""`), 422, `"loc":["body","text"]`, `"type":"string_too_short"`),
		post("blank text", body(`"text":" \n\t\u2003"`), 422, `"loc":["body","text"]`, `"type":"string_too_short"`),
		post("200,001 characters", body(`"text":"`+strings.Repeat("é", 200_001)+`"`), 422, `"type":"string_too_long"`),
		post("nothing to speak", body(`"text":"..."`), 422, `"code":"nothing_to_speak"`, `"remedy":"`),
		post("text of another type", body(`"text":5`), 422, `"loc":["body","text"]`, `"type":"string_type"`),
		post("text null", body(`"text":null`), 422, `"loc":["body","text"]`),
		post("lone surrogate", body(`"text":"a\ud83d"`), 422, `"loc":["body","text"]`, `"type":"string_unicode"`),
		post("NUL", body(`"text":"a\u0000b"`), 422, `"loc":["body","text"]`, `"type":"string_unicode"`),
		post("invalid UTF-8", body("\"text\":\"a\xffb\""), 422, `"loc":["body","text"]`, `"type":"string_unicode"`),
		post("NUL in another field", body(`"text":"a","title":"\u0000"`), 422, `"loc":["body","title"]`, `"type":"string_unicode"`),
		post("profile of another type", `{"profile_id":5,"text":"a"}`, 422, `"loc":["body","profile_id"]`, `"type":"string_type"`),
		post("unknown profile", `{"profile_id":"`+itemID+`","text":"Hello."}`, 404, `"code":"profile_not_found"`, `"remedy":"`),
		post("no profile", `{"profile_id":"nobody","text":"Hello."}`, 404, `"code":"profile_not_found"`),
		post("seed text", body(`"text":"a","seed":"1"`), 422, `"loc":["body","seed"]`, `"type":"int_type"`),
		post("seed fraction", body(`"text":"a","seed":1.5`), 422, `"loc":["body","seed"]`),
		post("seed low", body(`"text":"a","seed":-1`), 422, `"type":"greater_than_equal"`),
		post("seed high", body(`"text":"a","seed":2147483648`), 422, `"type":"less_than_equal"`),
		post("speed low", body(`"text":"a","speed":0.24`), 422, `"loc":["body","speed"]`, `"type":"greater_than_equal"`),
		post("speed high", body(`"text":"a","speed":4.01`), 422, `"loc":["body","speed"]`, `"type":"less_than_equal"`),
		post("chunk low", body(`"text":"a","max_chunk_chars":49`), 422, `"loc":["body","max_chunk_chars"]`),
		post("chunk high", body(`"text":"a","max_chunk_chars":5001`), 422, `"loc":["body","max_chunk_chars"]`),
		post("crossfade low", body(`"text":"a","crossfade_ms":-1`), 422, `"loc":["body","crossfade_ms"]`),
		post("crossfade high", body(`"text":"a","crossfade_ms":501`), 422, `"loc":["body","crossfade_ms"]`),
		post("pause low", body(`"text":"a","pauses":{"sentence":-1}`), 422, `"loc":["body","pauses","sentence"]`, `"type":"greater_than_equal"`),
		post("pause high", body(`"text":"a","pauses":{"scene":10.5}`), 422, `"loc":["body","pauses","scene"]`, `"type":"less_than_equal"`),
		post("pause of another type", body(`"text":"a","pauses":{"heading":"x"}`), 422, `"loc":["body","pauses","heading"]`),
		post("normalize", body(`"text":"a","normalize":"yes"`), 422, `"loc":["body","normalize"]`, `"type":"bool_type"`),
		post("limit", body(`"text":"a","limit":"no"`), 422, `"loc":["body","limit"]`, `"type":"bool_type"`),
		post("format", body(`"text":"a","format":"ogg"`), 422, `"loc":["body","format"]`, `"type":"enum"`),
		post("unknown model", body(`"text":"a","model_name":"nope"`), 404, `"code":"model_unknown"`),
		post("language", body(`"text":"a","language":"xx"`), 409, `"code":"language_not_supported"`),
		post("voice without model", body(`"text":"a","voice":"nope"`), 422, `"loc":["body","voice"]`),
		post("unknown voice", body(`"text":"a","voice":"fixture:nope"`), 422, `"loc":["body","voice"]`),
		post("5 MB", body(`"text":"`+strings.Repeat("a", 5_000_000)+`"`), 413, `"code":"body_too_large"`, `"remedy":"`),
	}
	for _, path := range []string{"/generate", "/generate/stream"} {
		t.Run(path, func(t *testing.T) {
			for i := range list {
				list[i].path = path
			}
			s.play(t, list)
		})
	}
	require.Empty(t, s.do("GET", "/history", "").items(t), "a refused request leaves nothing")
	require.Zero(t, s.voice.Spoken())
}

// TestGenerateLimits sends the values at the very edges.
func TestGenerateLimits(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	for _, more := range []string{
		`,"seed":0`, `,"seed":null`, `,"speed":0.25`, `,"speed":4`, `,"max_chunk_chars":50`, `,"max_chunk_chars":5000`,
		`,"crossfade_ms":0`, `,"crossfade_ms":500`, `,"normalize":false`, `,"limit":false`, `,"format":"wav"`, `,"language":"en-GB"`,
		`,"pauses":{}`, `,"pauses":{"paragraph":10}`, `,"pauses":{"sentence":0}`, `,"pauses":{"scene":null}`,
		`,"voice":"fixture:0"`, `,"model_name":"fixture"`, `,"title":"A title"`, `,"text_":[]`,
	} {
		requireShape(t, generationShape, s.speak("A first sentence of some length. A second one.", more))
	}
	// The longest text is accepted; what happens then is another matter.
	long := " " + strings.Repeat("é", 200_000) + "\n"
	a := s.do("POST", "/generate", fmt.Sprintf(`{"profile_id":%q,"text":%q}`, s.profile, long), "Prefer: respond-async")
	require.Equal(t, 202, a.StatusCode)
	require.Equal(t, 204, s.do("DELETE", "/history/"+a.object(t)["id"].(string), "").StatusCode)
}

// TestRespondAsync reads the body of a generation at acceptance, while it runs, and after it was cancelled.
func TestRespondAsync(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{voice: blocked()})
	a := s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"One. Two."}`), `Prefer: wait=5, respond-async`)
	require.Equal(t, 202, a.StatusCode, a.body)
	require.Equal(t, "respond-async", a.Header.Get("Preference-Applied"))
	g := a.object(t)
	requireShape(t, unfinished(nil), g)
	require.Equal(t, "", g["audio_path"])
	require.Equal(t, "", g["audio_url"])
	require.Equal(t, "0", fmt.Sprint(g["duration"]))
	id := g["id"].(string)
	require.Eventually(t, func() bool {
		return s.do("GET", "/generate/"+id, "").object(t)["status"] == "generating"
	}, testTimeout, 5*time.Millisecond)
	require.Equal(t, "generating", s.do("GET", "/history", "").items(t)[0]["status"])
	require.Equal(t, "generating", s.do("GET", "/history/"+id, "").object(t)["status"])
	require.Equal(t, 410, s.do("GET", "/audio/"+id, "").StatusCode)

	c := s.do("POST", "/generate/"+id+"/cancel", "")
	require.Equal(t, 200, c.StatusCode, c.body)
	requireShape(t, unfinished(map[string]string{"error": "object"}), c.object(t))
	require.Equal(t, "cancelled", c.object(t)["status"])
	requireShape(t, map[string]string{"code": "string", "detail": "string", "remedy": "string"},
		c.object(t)["error"].(map[string]any))
	again := s.do("POST", "/generate/"+id+"/cancel", "")
	require.Equal(t, 409, again.StatusCode)
	require.Contains(t, again.body, `"code":"not_in_progress"`)
}

// TestStopAndRetry stops a generation, reads what is finished of it everywhere, and makes the rest.
func TestStopAndRetry(t *testing.T) {
	t.Parallel()
	var open atomic.Bool
	waiting := make(chan struct{}, 10)
	voice := newScripted(func(ctx context.Context, n int) error {
		if n == 0 || open.Load() {
			return nil
		}
		waiting <- struct{}{}
		<-ctx.Done()
		return backend.ErrCancelled.WithCause(ctx.Err())
	})
	s := newStudio(t, studioOptions{voice: voice})
	a := s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"One.\n\nTwo.\n\nThree."}`), "Prefer: respond-async")
	require.Equal(t, 202, a.StatusCode, a.body)
	id := a.object(t)["id"].(string)
	<-waiting
	require.Nil(t, s.do("GET", "/generate/"+id, "").object(t)["partial"], "it grows")
	a = s.do("POST", "/generate/"+id+"/stop", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	want := a.object(t)["partial"].(map[string]any)
	requireShape(t, map[string]string{"chunks": "integer", "total": "integer", "seconds": "number"}, want)
	require.Equal(t, []string{"1", "3"}, []string{fmt.Sprint(want["chunks"]), fmt.Sprint(want["total"])})
	require.Equal(t, "cancelled", a.object(t)["status"])
	require.Equal(t, want, s.do("GET", "/history/"+id, "").object(t)["partial"])
	require.Equal(t, want, s.do("GET", "/history", "").items(t)[0]["partial"])
	require.Equal(t, 409, s.do("POST", "/generate/"+id+"/stop", "").StatusCode)

	open.Store(true)
	require.Equal(t, 202, s.do("POST", "/generate/"+id+"/retry", "").StatusCode)
	require.Eventually(t, func() bool {
		return s.do("GET", "/generate/"+id, "").object(t)["status"] == "complete"
	}, testTimeout, 5*time.Millisecond)
	require.Nil(t, s.do("GET", "/history/"+id, "").object(t)["partial"])
	require.Equal(t, int64(4), voice.said.Load(), "one was not spoken again, two was stopped")
}

// TestCancelWhileWaiting cancels a generation whose caller waits for its end.
func TestCancelWhileWaiting(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{voice: blocked()})
	waiting := make(chan answer, 1)
	go func() { waiting <- s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"One. Two."}`)) }()
	var id string
	require.Eventually(t, func() bool {
		rows := s.do("GET", "/history?status=generating", "").items(t)
		if len(rows) == 1 {
			id = rows[0]["id"].(string)
		}
		return id != ""
	}, testTimeout, 5*time.Millisecond)
	require.Equal(t, 200, s.do("POST", "/generate/"+id+"/cancel", "").StatusCode)
	a := <-waiting
	require.Equal(t, 499, a.StatusCode, a.body)
	require.Equal(t, "cancelled", a.object(t)["code"])
	require.Equal(t, id, a.object(t)["generation_id"])
	require.Equal(t, "cancelled", s.do("GET", "/history/"+id, "").object(t)["status"])
}

// TestClientDisconnects leaves while the text is spoken: the row is cancelled.
func TestClientDisconnects(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/generate", "/generate/stream"} {
		s := newStudio(t, studioOptions{voice: blocked()})
		ctx, leave := context.WithCancel(t.Context())
		body := strings.NewReader(s.fill(`{"profile_id":"{profile}","text":"One. Two."}`))
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.srv.URL+path, body)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+token)
		left := make(chan struct{})
		go func() {
			defer close(left)
			if resp, err := s.client.Do(req); err == nil {
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
		}()
		require.Eventually(t, func() bool {
			return len(s.do("GET", "/history?status=generating", "").items(t)) == 1
		}, testTimeout, 5*time.Millisecond)
		leave()
		<-left
		require.Eventually(t, func() bool {
			return len(s.do("GET", "/history?status=cancelled", "").items(t)) == 1
		}, testTimeout, 5*time.Millisecond)
	}
}

func TestFailedGeneration(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cause  error
		status int
		code   string
	}{
		{backend.E(backend.CodeEngineFailed, "The graph gave NaN.", "Try another seed.").With("stage", "decode"), 500, "engine_failed"},
		{backend.E(backend.CodeRuntimeMissing, "No runtime.", "Install it."), 503, "runtime_missing"},
		{backend.E(backend.CodeOutOfMemory, "Too large.", "Use a smaller one."), 507, "out_of_memory"},
		{errors.New("secret of the inside"), 500, "internal"},
	} {
		s := newStudio(t, studioOptions{voice: enginetest.NewFixture(enginetest.FixtureOptions{Fail: c.cause})})
		a := s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"Hello."}`))
		require.Equal(t, c.status, a.StatusCode, a.body)
		o := a.object(t)
		requireShape(t, map[string]string{
			"detail": "string", "code": "string", "remedy": "string", "params": "object", "generation_id": "string",
		}, o)
		require.Equal(t, c.code, o["code"])
		require.NotContains(t, a.body, "secret")
		g := s.do("GET", "/history/"+o["generation_id"].(string), "").object(t)
		requireShape(t, unfinished(map[string]string{"error": "object"}), g)
		require.Equal(t, "failed", g["status"])
		require.Equal(t, c.code, g["error"].(map[string]any)["code"])
		require.Equal(t, c.status, s.do("POST", "/generate/stream", s.fill(`{"profile_id":"{profile}","text":"Hello."}`)).StatusCode,
			"a stream that fails before its first sound has the status of the failure")
	}
}

func TestRetryAndRegenerate(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{voice: newScripted(func(_ context.Context, n int) error {
		if n == 0 {
			return backend.E(backend.CodeEngineFailed, "It failed.", "Retry it.")
		}
		return nil
	})})
	a := s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"Hello.","seed":7,"title":"T"}`))
	require.Equal(t, 500, a.StatusCode)
	id := a.object(t)["generation_id"].(string)
	a = s.do("POST", "/generate/"+id+"/retry", "")
	require.Equal(t, 202, a.StatusCode, a.body)
	require.Equal(t, id, a.object(t)["id"])
	g := s.follow(id)
	require.Equal(t, "complete", g["status"])
	require.Nil(t, g["error"])
	require.Equal(t, "7", fmt.Sprint(g["seed"]))
	a = s.do("POST", "/generate/"+id+"/retry", "")
	require.Equal(t, 409, a.StatusCode)
	require.Equal(t, "not_in_progress", a.object(t)["code"])

	for _, body := range []string{"", "{}", `{"seed":9}`} {
		a = s.do("POST", "/generate/"+id+"/regenerate", body)
		require.Equal(t, 202, a.StatusCode, a.body)
		take := s.follow(a.object(t)["id"].(string))
		require.Equal(t, "complete", take["status"])
		require.Equal(t, id, take["parent_id"])
		require.Equal(t, "T", take["title"])
		require.Equal(t, body == `{"seed":9}`, fmt.Sprint(take["seed"]) == "9")
	}
	require.Equal(t, 422, s.do("POST", "/generate/"+id+"/regenerate", `{"seed":-1}`).StatusCode)
}

func TestGenerationAddresses(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	for _, c := range [][2]string{
		{"GET", "/generate/%s"},
		{"GET", "/generate/%s/events"},
		{"GET", "/generate/%s/live"},
		{"GET", "/generate/%s/live/peaks"},
		{"POST", "/generate/%s/cancel"},
		{"POST", "/generate/%s/stop"},
		{"POST", "/generate/%s/retry"},
		{"POST", "/generate/%s/regenerate"},
		{"GET", "/history/%s"},
		{"PATCH", "/history/%s"},
		{"DELETE", "/history/%s"},
		{"GET", "/history/%s/peaks"},
		{"GET", "/history/%s/export"},
	} {
		body := map[string]string{"PATCH": `{"title":"x"}`}[c[0]]
		a := s.do(c[0], fmt.Sprintf(c[1], "nope"), body)
		require.Equal(t, 422, a.StatusCode, c)
		require.Contains(t, a.body, `"loc":["path","generation_id"]`, c)
		require.Contains(t, a.body, `"type":"uuid_parsing"`, c)
		a = s.do(c[0], fmt.Sprintf(c[1], itemID), body)
		require.Equal(t, 404, a.StatusCode, c)
		require.Contains(t, a.body, `"code":"generation_not_found"`, c)
	}
}
