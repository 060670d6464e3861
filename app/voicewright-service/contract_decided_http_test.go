package main_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// raw sends bytes to enhance as they are.
func (c *client) raw(content string) reply {
	c.Helper()
	q, err := http.NewRequestWithContext(c.Context(), "POST", c.url+"/api/v1/tts/enhance", strings.NewReader(content))
	require.NoError(c, err)
	for k, v := range c.headers {
		q.Header.Set(k, v)
	}
	return c.answer(q)
}

// answer sends a request that the test has built.
func (c *client) answer(q *http.Request) reply {
	c.Helper()
	got, err := http.DefaultClient.Do(q)
	require.NoError(c, err)
	defer got.Body.Close()
	recorded := httptest.NewRecorder()
	_, err = io.Copy(recorded, got.Body)
	require.NoError(c, err)
	r := reply{T: c.T, request: q.Method + " " + q.URL.Path, status: got.StatusCode, header: got.Header, raw: recorded.Body.Bytes()}
	if strings.HasPrefix(r.header.Get("Content-Type"), "application/json") {
		r.json = parseJSON(c.T, string(r.raw))
	}
	return r
}

func checkTokensMore(w *world) {
	u := w.user(service.Free)
	u.token(body{"x": strings.Repeat("a", 8<<10)}).get("/api/v1/user/credits").is(200)
	u.token(body{"x": strings.Repeat("a", 16<<10)}).get("/api/v1/user/credits").fails(401, "")
	u.token(body{"sub": strings.Repeat("a", 255)}).get("/api/v1/user/credits").is(200)
	u.token(body{"sub": strings.Repeat("a", 256)}).get("/api/v1/user/credits").fails(401, "")
	for typ, status := range map[string]int{"JWT": 200, "at+jwt": 200, "dpop+jwt": 401} {
		payload := `{"iss":"` + w.issuer.URL + `","aud":"voicewright-service","sub":"typed","exp":` + stamp(w.clock.time().Add(time.Hour)) + `}`
		jwt := w.issuer.SignPayload([]byte(payload), map[string]any{"typ": typ})
		require.Equal(w, status, u.with(map[string]string{"Authorization": "Bearer " + jwt}).get("/api/v1/user/credits").status, typ)
		twice := w.issuer.SignPayload([]byte(strings.Replace(payload, "{", `{"sub":"other",`, 1)), map[string]any{"typ": typ})
		u.with(map[string]string{"Authorization": "Bearer " + twice}).get("/api/v1/user/credits").fails(401, "")
	}
	for range 3 {
		u.get("/api/v1/user/credits").is(200) // a bearer token may be used again
	}
	w.clock.wait(time.Hour + time.Minute)
	u.get("/api/v1/user/credits").fails(401, "")
}

func checkJSONRow(w *world) {
	u := w.user(service.Free)
	nested := func(n int) string { return `{"text":"a","x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	for _, accepted := range []string{`{"text":"a"}`, `{"text":"a","voiceId":null}`, nested(15), `{"text":"a\ud83d\ude00"}`, `{"text":"a","Text":"b"}`} {
		u.raw(accepted).is(200)
	}
	for _, refused := range []string{
		"", "[]", `"a"`, "null", `{"Text":"a"}`, `{"text":null}`, `{"text":"a","text":"a"}`, nested(16), "{\"text\":\"\xff\"}",
		`{"text":"\u0000"}`, `{"text":"\ud83d"}`, `{"text":"a"`, `{"text":"a"}{}`,
	} {
		u.raw(refused).fails(400, "")
	}
}

func checkCredentialsMore(w *world) {
	w = newWorld(w.T, worldOptions{})
	u := w.user(service.Pro)
	key, other := u.key(), u.key()
	bearer := "Bearer " + key.headers["X-API-Key"]
	u.with(map[string]string{"Authorization": bearer, "X-API-Key": other.headers["X-API-Key"]}).get("/api/v1/user/credits").fails(401, "")
	for _, header := range []string{"Authorization", "X-API-Key"} {
		q, err := http.NewRequestWithContext(w.Context(), "GET", w.url+"/api/v1/user/credits", nil)
		require.NoError(w, err)
		value := map[string]string{"Authorization": bearer, "X-API-Key": key.headers["X-API-Key"]}[header]
		q.Header[header] = []string{value, value}
		if header == "X-API-Key" {
			q.Header = http.Header{"X-Api-Key": {value, value}}
		}
		u.answer(q).fails(401, "")
	}
	url := u.say(u.v3(nil)).is(200).text("url")
	wrong := u.with(map[string]string{"X-API-Key": "svc_sk_wrong"})
	for range 97 { // and three above
		wrong.get("/api/v1/user/credits").fails(401, "")
	}
	require.Equal(w, "1", wrong.get("/api/v1/user/credits").fails(429, "RATE_LIMITED").header.Get("Retry-After"))
	key.get("/api/v1/user/credits").is(200)
	w.clock.wait(time.Second)
	for range 10 {
		wrong.get("/api/v1/user/credits").fails(401, "")
	}
	wrong.get("/api/v1/user/credits").fails(429, "RATE_LIMITED")
	guess := w.url + "/files/" + strings.Repeat("A", 43) + ".mp3"
	for range 100 {
		u.with(nil).get(guess).fails(404, "")
	}
	u.with(nil).get(guess).fails(429, "RATE_LIMITED")
	u.with(nil).get(url).is(200)
}

func checkAnswers(w *world) {
	u := w.user(service.Pro)
	r := u.get("/api/v1/user/credits").is(200)
	require.Equal(w, "no-store", r.header.Get("Cache-Control"))
	require.NotEmpty(w, r.header.Get("X-Request-Id"))
	require.NotEqual(w, r.header.Get("X-Request-Id"), u.get("/api/v1/user/credits").header.Get("X-Request-Id"))
	require.Regexp(w, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$`, r.json["expiresAt"])
	require.Equal(w, "GET, HEAD", u.post("/api/v1/user/credits", nil).fails(405, "").header.Get("Allow"))
	require.Equal(w, "DELETE", u.get("/api/v1/user/api-keys/"+uuid.NewString()).fails(405, "").header.Get("Allow"))
	head := u.do("HEAD", "/api/v1/user/credits", nil).is(200)
	require.Empty(w, bytes.TrimSpace(head.raw))
}

func stamp(at time.Time) string {
	return strconv.FormatInt(at.Unix(), 10)
}

func checkModelsMore(w *world) {
	u := w.user(service.Pro)
	turns := []body{{"voice": u.voice(service.ProviderA), "text": "a"}}
	for _, model := range []string{"providerA-multilingual-v2", "providerA-flash-v2-5"} {
		u.post("/api/v1/tts/synthesize-dialogue", body{"turns": turns, "ttsModel": model}).fails(400, "")
	}
	u.say(u.v3(body{"text": " \t\n\u00a0"})).fails(400, "")
	u.post("/api/v1/tts/enhance", body{"text": " \n"}).fails(400, "")
}

// checkVoicesMore has a provider that fails to list its voices for a while, then one without voices.
func checkVoicesMore(w *world) {
	w = newWorld(w.T, worldOptions{})
	u := w.user(service.Pro)
	b := w.speakers[service.ProviderB]
	favourite := body{"voiceId": u.voice(service.ProviderB)}
	require.Equal(w, true, u.post("/api/v1/tts/favorites/toggle", favourite).is(200).json["favorited"])
	b.list(errors.New("no connection"))
	w.clock.wait(time.Second)
	require.Len(w, u.voices(), 6)
	u.say(u.speech(service.ProviderB, "providerB-2-5-pro", nil)).fails(503, "PROVIDER_BUSY")
	u.say(u.v3(nil)).is(200)
	require.Empty(w, u.get("/api/v1/tts/favorites").is(200).list("favorites"))
	b.list(nil)
	w.clock.wait(time.Second)
	require.Len(w, u.voices(), 9)
	require.Len(w, u.get("/api/v1/tts/favorites").is(200).list("favorites"), 1, "it was kept")
	delete(w.speakers, service.ProviderB)
	w.reopen()
	u.world = w
	u.say(u.speech(service.ProviderB, "providerB-2-5-pro", nil)).fails(400, "")
	require.Empty(w, u.get("/api/v1/tts/favorites").is(200).list("favorites"))
	require.Equal(w, false, u.post("/api/v1/tts/favorites/toggle", favourite).is(200).json["favorited"])
	u.post("/api/v1/tts/favorites/toggle", favourite).fails(404, "")
}

// checkPreviewsMore requests five previews at once.
func checkPreviewsMore(w *world) {
	w = newWorld(w.T, worldOptions{})
	anyone := &client{world: w}
	voices := w.user(service.Free).voices()
	for _, s := range w.speakers {
		s.hold()
	}
	answers := make(chan reply, 4)
	for _, v := range voices[:4] {
		go func() { answers <- anyone.send("GET", v["preview_url"].(string), nil) }()
	}
	w.untilWaiting(service.ProviderA, 2) // three voices of ProviderA, and one of ProviderB
	require.Eventually(w, func() bool { return w.lanes[service.ProviderB].State().Running }, time.Minute, time.Millisecond)
	require.Equal(w, "5", anyone.get(voices[8]["preview_url"].(string)).fails(503, "PROVIDER_BUSY").header.Get("Retry-After"))
	for _, s := range w.speakers {
		s.release()
	}
	for range 4 {
		(<-answers).as(w).is(200)
	}
}
