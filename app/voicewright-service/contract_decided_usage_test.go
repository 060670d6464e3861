package main_test

import (
	"errors"
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
			requireFields(w, row, "id", "createdAt", "kind", "provider", "model", "title", "characters", "seconds", "credits", "status")
			require.NoError(w, uuid.Validate(row["id"].(string)))
			requireTime(w, row["createdAt"])
			titles = append(titles, row["title"].(string))
			if row["status"] == "refunded" { // it left no project, which has the title
				require.Equal(w, []any{"", 0.0, 0.0}, []any{row["title"], row["credits"], row["seconds"]})
				continue
			}
			require.Equal(w, []any{"charged", 13.0, 6.0, 0.5, "synthesize", "ProviderA", service.ModelV3},
				[]any{row["status"], row["credits"], row["characters"], row["seconds"], row["kind"], row["provider"], row["model"]})
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
