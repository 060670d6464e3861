package main_test

import (
	"errors"
	"maps"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// checkBusy: what callers see of full queues and open breakers. The lane's own tests have its times.
func checkBusy(w *world) {
	checkServerBusy(w)
	checkPriority(w)
	w = newWorld(w.T, worldOptions{queue: 1})
	for provider, model := range map[service.ProviderID]string{service.ProviderA: service.ModelV3, service.ProviderC: "providerC-neural2"} {
		s := w.speakers[provider]
		s.hold()
		first, second, third := w.user(service.Pro), w.user(service.Pro), w.user(service.Pro)
		running := first.start("/api/v1/tts/synthesize", first.speech(provider, model, nil))
		<-s.started
		waiting := second.start("/api/v1/tts/synthesize", second.speech(provider, model, nil))
		w.untilWaiting(provider, 1)
		r := third.say(third.speech(provider, model, nil)).fails(503, "PROVIDER_BUSY")
		require.NotEmpty(w, r.header.Get("Retry-After"))
		s.release()
		(<-running).as(w).is(200)
		(<-waiting).as(w).is(200)
	}
	b := w.speakers[service.ProviderB]
	u := w.user(service.Pro)
	request := u.speech(service.ProviderB, "providerB-2-5-pro", nil)
	b.failWith(errors.New("broken"))
	for range 5 {
		u.say(request).fails(502, "")
	}
	b.failWith(nil)
	require.Zero(w, u.cost(func() {
		r := u.say(request).fails(503, "PROVIDER_BUSY")
		require.Regexp(w, `^1?\d$`, r.header.Get("Retry-After"))
	}))
	require.Equal(w, 5, b.count(), "the provider is left alone")
}

func checkServicePaths(w *world) {
	anyone := &client{world: w}
	anyone.get("/health").is(200)
	anyone.get("/ready").is(200)
	require.Equal(w, "3.1", anyone.get("/openapi.json").is(200).text("openapi")[:3])
	anyone.get("/metrics").fails(404, "") // it needs --metrics
}

func checkUsage(w *world) {
	u := w.user(service.Pro)
	key := u.key()
	empty := u.get("/api/v1/user/usage").is(200).has("usage", "nextCursor")
	require.Empty(w, empty.list("usage"))
	require.Nil(w, empty.json["nextCursor"])
	for i := range 7 {
		u.say(u.v3(body{"title": string(rune('a' + i))})).is(200)
		w.clock.wait(time.Second)
	}
	w.speakers[service.ProviderA].failWith(&service.Error{Status: 503, Code: service.CodeProviderBusy, Sentence: "Try again.", RetryAfter: time.Second})
	u.say(u.v3(body{"title": "h"})).fails(503, "PROVIDER_BUSY")
	var titles []string
	path := "/api/v1/user/usage?limit=3"
	for path != "" {
		page := key.get(path).is(200).has("usage", "nextCursor")
		require.LessOrEqual(w, len(page.list("usage")), 3)
		for _, row := range page.list("usage") {
			requireFields(w, row, "id", "createdAt", "kind", "provider", "model", "title", "characters", "seconds", "credits", "status", "url")
			require.NoError(w, uuid.Validate(row["id"].(string)))
			requireTime(w, row["createdAt"])
			titles = append(titles, row["title"].(string))
			if row["status"] == "refunded" { // it left no project, which has the title
				require.Equal(w, []any{"", 0.0, 0.0, nil}, []any{row["title"], row["credits"], row["seconds"], row["url"]})
				continue
			}
			require.Equal(w, []any{"charged", 13.0, 6.0, 0.5, "synthesize", "ProviderA", service.ModelV3},
				[]any{row["status"], row["credits"], row["characters"], row["seconds"], row["kind"], row["provider"], row["model"]})
			u.with(nil).get(row["url"].(string)).is(200)
		}
		path = ""
		if next, ok := page.json["nextCursor"].(string); ok {
			path = "/api/v1/user/usage?limit=3&cursor=" + next
		}
	}
	require.Equal(w, []string{"", "g", "f", "e", "d", "c", "b", "a"}, titles, "newest first")
	for _, query := range []string{"limit=0", "limit=101", "limit=x", "cursor=-1"} {
		u.get("/api/v1/user/usage?"+query).fails(400, "")
	}
	require.Empty(w, w.user(service.Free).get("/api/v1/user/usage").is(200).list("usage"), "of another account")
}

func checkIdempotency(w *world) {
	w = newWorld(w.T, worldOptions{})
	u := w.user(service.Pro)
	key := u.key()
	with := func(c *client, value string) *client {
		headers := maps.Clone(c.headers)
		headers["Idempotency-Key"] = value
		return c.with(headers)
	}
	require.Equal(w, true, u.with(nil).get("/.well-known/voicewright").is(200).json["idempotency_key"])
	for _, wrong := range []string{"", " ", "a b", "ü", strings.Repeat("x", 256)} {
		with(u, wrong).say(u.v3(nil)).fails(400, "")
	}

	w.speakers[service.ProviderA].hold()
	running := with(u, "one").start("/api/v1/tts/synthesize", u.v3(nil))
	<-w.speakers[service.ProviderA].started
	busy := with(key, "one").say(u.v3(nil)).fails(409, "DUPLICATE_REQUEST")
	require.Equal(w, "1", busy.header.Get("Retry-After"))
	with(u, "one").say(u.v3(body{"text": "Bye."})).fails(400, "")
	w.speakers[service.ProviderA].release()
	first := (<-running).as(w).is(200)
	left := u.credits()
	u.setPlan(service.Free, 0)
	for range service.CallsPerMinute + 1 {
		again := with(u, "one").say(u.v3(nil)).is(200)
		require.Equal(w, string(first.raw), string(again.raw))
		require.Equal(w, string(first.raw), string(with(key, "one").say(u.v3(nil)).is(200).raw), "the key has no paid access")
	}
	require.EqualValues(w, left, first.number("remainingCredits"))
	require.Equal(w, 1, w.speakers[service.ProviderA].count())
	with(u, "one").post("/api/v1/tts/synthesize-dialogue", body{
		"turns": []body{{"voice": u.voice(service.ProviderA), "text": "Hello."}}, "ttsModel": service.ModelV3,
	}).fails(400, "")

	w.speakers[service.ProviderC].failWith(errors.New("broken"))
	standard := u.speech(service.ProviderC, "providerC-neural2", nil)
	with(u, "two").say(standard).fails(502, "")
	w.speakers[service.ProviderC].failWith(nil)
	with(u, "two").say(u.speech(service.ProviderC, "providerC-neural2", body{"text": "A refunded call frees its key."})).is(200)

	w.clock.wait(24 * time.Hour)
	u.signIn()
	for _, row := range u.get("/api/v1/user/usage").is(200).list("usage") {
		require.Nil(w, row["url"])
	}
	before := u.credits()
	with(u, "one").say(u.v3(nil)).fails(410, "")
	require.Equal(w, before, u.credits())
}
