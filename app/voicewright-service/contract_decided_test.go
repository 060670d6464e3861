package main_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// token returns the same user with a JWT whose claims are changed.
func (c *client) token(changes body) *client {
	return c.with(map[string]string{"Authorization": "Bearer " + c.issuer.Token(c.subject, changes)})
}

func checkAlgorithms(w *world) {
	w = newWorld(w.T, worldOptions{})
	u := w.user(service.Free) // by RS256
	u.say(u.speech(service.ProviderC, "providerC-neural2", nil)).is(200)
	w.issuer.Rotate() // to ES256
	require.Equal(w, u.credits(), u.token(nil).credits(), "the subject is the account")
	require.Equal(w, u.credits(), u.token(body{"email": nil}).credits())
	u.token(body{"email": "new@example.com"}).get("/api/v1/user/credits").is(200)
	account, err := w.store.Account(w.Context(), u.subject)
	require.NoError(w, err)
	require.Equal(w, "new@example.com", account.Email)
}

func checkTokens(w *world) {
	u := w.user(service.Free)
	at := func(d time.Duration) int64 { return w.clock.time().Add(d).Unix() }
	for _, accepted := range []body{
		nil,
		{"email": nil},
		{"iat": at(59 * time.Second)},
		{"nbf": at(59 * time.Second)},
		{"exp": at(-58 * time.Second)},
		{"aud": []string{"other", "voicewright-service"}},
	} {
		u.token(accepted).get("/api/v1/user/credits").is(200)
	}
	for _, refused := range []body{
		{"sub": nil},
		{"sub": ""},
		{"exp": nil},
		{"aud": nil},
		{"aud": "other"},
		{"iss": "https://other.example"},
		{"iat": at(62 * time.Second)},
		{"nbf": at(62 * time.Second)},
		{"exp": at(-62 * time.Second)},
	} {
		u.token(refused).get("/api/v1/user/credits").fails(401, "")
	}
	jwt := strings.TrimPrefix(u.headers["Authorization"], "Bearer ")
	u.with(map[string]string{"X-API-Key": jwt}).get("/api/v1/user/credits").fails(401, "")
}

func checkAccess(w *world) {
	u := w.user(service.Pro, 40)
	key := u.key()
	setDisabled := func(disabled bool) {
		_, err := w.store.SetDisabled(w.Context(), u.account().ID, disabled, service.Change{})
		require.NoError(w, err)
	}
	setDisabled(true)
	for _, c := range []*client{u, key} {
		c.get("/api/v1/tts/voices").fails(403, "")
		c.say(c.v3(nil)).fails(403, "")
	}
	setDisabled(false)
	u.say(u.v3(body{"stability": 2})).fails(400, "")
	u.setPlan(service.Pro, 0) // it has just expired
	balance := u.get("/api/v1/user/credits").is(200)
	require.Equal(w, "pro", balance.text("plan"), "its fields change by check-renewal only")
	require.EqualValues(w, 100_040, balance.number("credits"))
	u.say(u.v3(nil)).is(200) // by its pay-as-you-go credits
	require.Equal(w, "subscription_expired_reset_to_free", u.renew().text("action"))
	require.EqualValues(w, 40, u.get("/api/v1/user/credits").number("payg_credits"))

	without := w.user(service.Max)
	key = without.key()
	without.setPlan(service.Max, 0)
	for _, path := range []string{"/api/v1/tts/voices", "/api/v1/tts/filters", "/api/v1/tts/models", "/api/v1/tts/prices", "/api/v1/tts/favorites", "/api/v1/user/credits", "/api/v1/user/usage"} {
		key.get(path).fails(403, "PAID_ACCESS_REQUIRED")
	}
	key.post("/api/v1/tts/enhance", body{"text": "Hi."}).fails(403, "PAID_ACCESS_REQUIRED")
	without.post("/api/v1/user/api-keys", nil).fails(403, "PAID_ACCESS_REQUIRED")
	without.say(without.v3(nil)).fails(403, "PAID_ACCESS_REQUIRED")
	require.EqualValues(w, 3, without.cost(func() { without.say(without.speech(service.ProviderC, "providerC-neural2", nil)).is(200) }))
}

func checkUnknownIDs(w *world) {
	u := w.user(service.Pro)
	for _, id := range []string{uuid.NewString(), "no-id", "../../etc"} {
		u.post("/api/v1/tts/enhance", body{"text": "Hi.", "voiceId": id}).fails(400, "")
		u.post("/api/v1/tts/enhance-dialogue", body{"turns": []body{{"id": "1", "text": "Hi.", "voiceId": id}}}).fails(400, "")
		u.post("/api/v1/tts/favorites/toggle", body{"voiceId": id}).fails(404, "")
	}
}

// checkOrder breaks every rule and mends one after another: each time the first rule that is still broken answers.
func checkOrder(w *world) {
	u := w.user(service.Free, 10)
	a := w.speakers[service.ProviderA]
	a.hold()
	running := u.start("/api/v1/tts/synthesize", u.v3(body{"text": "1234"})) // 9 of 10 pay-as-you-go credits are last to go
	<-a.started
	long := strings.Repeat("a", 5001)
	u.with(nil).send("POST", "/api/v1/tts/synthesize", nil).as(w).fails(401, "")
	u.post("/api/v1/tts/synthesize", nil).fails(400, "")
	u.say(body{"ttsModel": service.ModelV3, "voice": "none", "text": ""}).fails(400, "")
	require.Contains(w, u.say(body{"ttsModel": service.ModelV3, "voice": "none", "text": long}).fails(400, "").text("error"), `"voice"`)
	free := w.user(service.Free)
	free.say(free.v3(body{"text": long})).fails(400, "TEXT_TOO_LONG")
	for range 30 {
		free.post("/api/v1/tts/enhance", body{"text": "Hi."}).is(200)
	}
	free.say(free.v3(nil)).fails(403, "PAID_ACCESS_REQUIRED")
	free.say(free.speech(service.ProviderC, "providerC-neural2", nil)).fails(429, "RATE_LIMITED")
	u.say(u.v3(body{"text": long[:5000]})).fails(409, "DUPLICATE_REQUEST")
	for range 28 {
		u.post("/api/v1/tts/enhance", body{"text": "Hi."}).is(200)
	}
	u.say(u.v3(nil)).fails(429, "RATE_LIMITED")
	a.release()
	r := <-running
	require.NoError(w, r.err)
	r.is(200)
	w.clock.wait(time.Minute)
	u.say(u.v3(body{"text": long[:5000]})).fails(402, "INSUFFICIENT_CREDITS")
}

// as returns the answer for the check of a world.
func (r reply) as(w *world) reply {
	require.NoError(w, r.err)
	r.T = w.T
	return r
}

func checkSpendingOrder(w *world) {
	u := w.user(service.Free, 1000)
	say := func(characters int) reply {
		u.say(u.speech(service.ProviderC, "providerC-neural2", body{"text": strings.Repeat("a", characters)})).is(200)
		return u.get("/api/v1/user/credits").is(200)
	}
	for _, characters := range []int{5000, 5000, 5000, 5000, 4975} { // 9,990 of 10,000 plan credits
		require.EqualValues(w, 1000, say(characters).number("payg_credits"))
	}
	r := say(100)
	require.EqualValues(w, 970, r.number("credits"), "10 plan credits were left")
	require.EqualValues(w, 970, r.number("payg_credits"))
}

// checkCharging: however many calls come at once, an account spends what it has and no more.
func checkCharging(w *world) {
	u := w.user(service.Free, 30)
	u.say(u.speech(service.ProviderC, "providerC-neural2", body{"text": strings.Repeat("a", 5000)})).is(200)
	before := u.credits()
	var group sync.WaitGroup
	answers := make([]reply, 20)
	for i := range answers {
		group.Go(func() {
			answers[i] = u.send("POST", "/api/v1/tts/synthesize", u.speech(service.ProviderC, "providerC-neural2", body{"text": strings.Repeat("a", 2500)}))
		})
	}
	group.Wait()
	var spent int64
	for _, r := range answers {
		require.NoError(w, r.err)
		require.Contains(w, []int{200, 402, 409}, r.status)
		if r.status == 200 {
			spent += 1000
		}
	}
	require.Equal(w, before-spent, u.credits())
	require.NoError(w, w.store.Check(w.Context()))
	checkRefunds(w)
}

// checkPreviews: the first GET makes a preview, later ones return the same audio.
func checkPreviews(w *world) {
	w = newWorld(w.T, worldOptions{})
	for _, v := range w.user(service.Free).voices() {
		provider := service.ProviderID(v["provider"].(string))
		require.Equal(w, service.VoiceID(provider, v["name"].(string)), v["id"])
		require.Equal(w, w.url+"/previews/"+v["id"].(string)+".mp3", v["preview_url"])
	}
	url := "/previews/" + service.VoiceID(service.ProviderB, "Ada") + ".mp3"
	anyone := &client{world: w}
	first := anyone.get(url).is(200)
	require.Equal(w, first.raw, anyone.get(url).is(200).raw)
	require.Equal(w, 1, w.speakers[service.ProviderB].count())
	anyone.get("/previews/"+uuid.NewString()+".mp3").fails(404, "")
}

func checkVoiceRow(w *world) {
	for _, check := range []func(*world){checkVoiceGender, checkVoiceCategory, checkVoiceMetadata, checkPreviews, checkVoices} {
		check(w)
	}
}

func checkCredentials(w *world) {
	none := &client{world: w}
	for _, path := range []string{"voices", "filters", "models", "favorites"} {
		r := none.get("/api/v1/tts/"+path).fails(401, "")
		require.Equal(w, "Bearer", r.header.Get("WWW-Authenticate"))
		w.user(service.Free).get("/api/v1/tts/" + path).is(200)
		w.user(service.Pro).key().get("/api/v1/tts/" + path).is(200)
	}
	none.post("/api/v1/tts/favorites/toggle", body{"voiceId": "x"}).fails(401, "")
}

func checkModelRow(w *world) {
	r := w.user(service.Free).get("/api/v1/tts/models").is(200)
	require.Equal(w, "1", r.text("version"))
	metadata := body(r.json["metadata"].(map[string]any))
	require.Equal(w, "", metadata["note"])
	require.ElementsMatch(w, []string{"Expressive", "Fast", "Standard"}, values(w, metadata, "categories"))
	var ids []string
	for _, m := range r.list("models") {
		ids = append(ids, m["id"].(string))
		require.Equal(w, map[string]string{"ProviderA": "Expressive", "ProviderB": "Fast", "ProviderC": "Standard"}[m["provider"].(string)], m["category"])
	}
	require.Equal(w, []string{
		"providerA-v3", "providerA-multilingual-v2", "providerA-flash-v2-5", "providerB-2-5-flash", "providerB-2-5-pro",
		"providerC-neural2", "providerC-wavenet",
	}, ids)
}

func checkKeyRow(w *world) {
	u := w.user(service.Pro)
	u.post("/api/v1/user/api-keys", body{"name": strings.Repeat("字", 100)}).is(201)
	u.post("/api/v1/user/api-keys", body{"name": strings.Repeat("字", 101)}).fails(400, "")
	used := u.with(map[string]string{"X-API-Key": u.post("/api/v1/user/api-keys", nil).is(201).text("key")})
	last := func() any {
		i := slices.IndexFunc(u.keys(), func(k body) bool { return k["name"] == "" })
		return u.keys()[i]["lastUsedAt"]
	}
	used.get("/api/v1/user/credits").is(200)
	first := last()
	w.clock.wait(59 * time.Second)
	used.get("/api/v1/user/credits").is(200)
	require.Equal(w, first, last())
	w.clock.wait(time.Second)
	used.get("/api/v1/user/credits").is(200)
	require.NotEqual(w, first, last())
	checkKeyRecord(w)
	checkRevoke(w)
}

func checkRequestRow(w *world) {
	u := w.user(service.Pro)
	checkRequestBodies(w)
	u.say(u.v3(body{"unknown": body{"a": []int{1}}})).is(200)
	u.say(u.v3(body{"unknown": strings.Repeat("a", 257<<10)})).fails(http.StatusRequestEntityTooLarge, "")
	u.say(u.v3(body{"unknown": strings.Repeat("a", 250<<10)})).is(200)
	u.say(u.v3(body{"title": strings.Repeat("é", 1000)})).is(200)
	u.say(u.v3(body{"title": strings.Repeat("é", 1001)})).fails(400, "")
	for _, wrong := range []body{{"text": 1}, {"voice": []string{}}, {"ttsModel": true}, {"ttsModel": nil}, {"ttsModel": "x"}, {"stability": "x"}} {
		u.say(u.v3(wrong)).fails(400, "")
	}
	u.say(u.v3(body{"voice": u.voice(service.ProviderB), "stability": 9})).is(200)
	require.Equal(w, "providerB-2-5-flash", u.get("/api/v1/user/usage").is(200).list("usage")[0]["model"])
	u.say(u.speech(service.ProviderA, "providerC-wavenet", body{"stability": 9})).is(200)
	require.Equal(w, service.ModelV3, u.get("/api/v1/user/usage").is(200).list("usage")[0]["model"])
}

func checkDialogueRow(w *world) {
	u := w.user(service.Pro)
	const path = "/api/v1/tts/synthesize-dialogue"
	of := func(n int, more body) body {
		turns := make([]body, n)
		for i := range turns {
			turns[i] = body{"voice": u.voice(service.ProviderA), "text": "a"}
		}
		b := body{"turns": turns, "ttsModel": service.ModelV3, "response_format": "pcm_8000"}
		for k, v := range more {
			b[k] = v
		}
		return b
	}
	u.post(path, of(100, body{"stability": 0.2, "similarity_boost": 0.3, "speaker_boost": false, "language_override": true, "title": "T"})).is(200)
	settings := w.speakers[service.ProviderA].last(w).Settings
	require.InDelta(w, 0.2, settings.Stability, 0)
	require.InDelta(w, 0.3, settings.SimilarityBoost, 0)
	require.False(w, settings.SpeakerBoost)
	require.True(w, settings.LanguageOverride)
	require.Equal(w, "T", u.get("/api/v1/user/usage").is(200).list("usage")[0]["title"])
	u.post(path, of(0, nil)).fails(400, "")
	u.post(path, of(101, nil)).fails(400, "")
	u.post(path, of(1, body{"turns": []body{{"voice": u.voice(service.ProviderA), "text": " "}}})).fails(400, "")
	u.post(path, of(1, body{"turns": []body{{"voice": u.voice(service.ProviderC), "text": "a"}}})).fails(400, "")
	u.post(path, of(1, body{"stability": 1.5})).fails(400, "")
	w.speakers[service.ProviderA].reset()
	w.speakers[service.ProviderA].hold()
	running := u.start(path, of(1, nil))
	<-w.speakers[service.ProviderA].started
	require.Equal(w, "held", u.get("/api/v1/user/usage").is(200).list("usage")[0]["status"])
	u.say(u.v3(nil)).fails(409, "DUPLICATE_REQUEST")
	w.speakers[service.ProviderA].release()
	(<-running).as(w).is(200)
}

func checkFilterRow(w *world) {
	filters := w.user(service.Free).get("/api/v1/tts/filters").is(200)
	for field := range filters.json {
		require.True(w, slices.IsSorted(values(w, filters.json, field)), field)
	}
	checkFilters(w)
}

func checkEnhanceRow(w *world) {
	checkEnhance(w)
	checkEnhanceDialogue(w)
	checkFallback(w)
}
