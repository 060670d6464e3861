package main_test

import (
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

func checkBalance(w *world) {
	u := w.user(service.Free)
	r := u.get("/api/v1/user/credits").is(200).has("credits", "payg_credits", "plan", "expiresAt")
	require.EqualValues(w, 10_000, r.number("credits"))
	require.EqualValues(w, 0, r.number("payg_credits"))
	require.Equal(w, "free", r.text("plan"))
	require.Nil(w, r.json["expiresAt"])
	for plan, credits := range map[service.Plan]int64{service.Pro: 100_000, service.Max: 500_000} {
		u := w.user(plan, 700)
		r := u.get("/api/v1/user/credits").is(200)
		require.Equal(w, credits+700, r.number("credits"))
		require.EqualValues(w, 700, r.number("payg_credits"))
		require.Equal(w, string(plan), r.text("plan"))
		require.WithinDuration(w, w.clock.time().Add(30*24*time.Hour), requireTime(w, r.json["expiresAt"]), time.Second)
	}
}

func checkRemaining(w *world) {
	u := w.user(service.Pro, 100)
	r := u.say(u.v3(nil)).is(200)
	require.Equal(w, u.credits(), r.number("remainingCredits"))
	require.EqualValues(w, 100_100-13, r.number("remainingCredits"))
}

func checkProject(w *world) {
	u := w.user(service.Pro)
	require.Equal(w, true, u.say(u.v3(body{"title": "Mine"})).is(200).json["projectCreated"])
	project := u.get("/api/v1/user/usage").is(200).list("usage")[0]
	require.Equal(w, "Mine", project["title"])
	require.Equal(w, "charged", project["status"])
}

func checkFileURL(w *world) {
	u := w.user(service.Pro)
	url := u.say(u.v3(nil)).is(200).text("url")
	require.NotEmpty(w, u.with(nil).get(url).is(200).raw)
	w.clock.wait(24 * time.Hour)
	u.with(nil).get(url).fails(410, "")
}

func (c *client) renew() reply {
	c.Helper()
	return c.post("/api/v1/user/subscription/check-renewal", nil).is(200).has("action", "credits", "plan", "expiresAt")
}

func checkRenewalAfterExpiry(w *world) {
	for _, plan := range []service.Plan{service.Pro, service.Max} {
		u := w.user(plan, 300)
		w.clock.wait(30*24*time.Hour - time.Second)
		u.signIn()
		require.Equal(w, "none", u.renew().text("action"))
		w.clock.wait(time.Second)
		r := u.renew()
		require.Equal(w, "subscription_expired_reset_to_free", r.text("action"))
		require.Equal(w, "free", r.text("plan"))
		require.EqualValues(w, 10_300, r.number("credits"), "the baseline, and pay-as-you-go credits stay")
		require.Nil(w, r.json["expiresAt"])
		balance := u.get("/api/v1/user/credits").is(200)
		require.Equal(w, "free", balance.text("plan"))
		require.EqualValues(w, 10_300, balance.number("credits"))
		require.Nil(w, balance.json["expiresAt"])
		require.Equal(w, "none", u.renew().text("action"))
	}
}

func checkRenewalWhileActive(w *world) {
	for _, plan := range []service.Plan{service.Pro, service.Max} {
		u := w.user(plan)
		before := u.get("/api/v1/user/credits").is(200).json
		r := u.renew()
		require.Equal(w, "none", r.text("action"))
		for _, field := range []string{"credits", "plan", "expiresAt"} {
			require.Equal(w, before[field], r.json[field])
		}
		require.Equal(w, before, u.get("/api/v1/user/credits").is(200).json)
	}
}

func checkRenewalOfFree(w *world) {
	u := w.user(service.Free)
	u.say(u.speech(service.ProviderC, "providerC-neural2", nil)).is(200)
	before := u.credits()
	w.clock.wait(90 * 24 * time.Hour)
	u.signIn()
	r := u.renew()
	require.Equal(w, "none", r.text("action"))
	require.Equal(w, before, r.number("credits"))
	require.Nil(w, r.json["expiresAt"])
}

// checkPlanChange: an operator sets plans anew, with the credits that decisions.md gives them.
func checkPlanChange(w *world) {
	u := w.user(service.Pro, 200)
	u.say(u.v3(nil)).is(200)
	u.setPlan(service.Max, 30*24*time.Hour)
	r := u.get("/api/v1/user/credits").is(200)
	require.Equal(w, "max", r.text("plan"))
	require.EqualValues(w, 500_200, r.number("credits"))
	require.EqualValues(w, 200, r.number("payg_credits"))
}

func checkPaths(w *world) {
	u := w.user(service.Pro)
	base := u.get("/openapi.json").is(200).json
	for path := range base["paths"].(map[string]any) {
		if strings.Contains(path, "/tts/") || strings.Contains(path, "/user/") {
			require.Regexp(w, `^/api/v1/`, path)
		}
	}
	u.get("/api/v1/tts/voices").is(200)
	u.get("/tts/voices").fails(404, "")
	u.get("/api/tts/voices").fails(404, "")
	u.get("/api/v2/tts/voices").fails(404, "")
}

func checkJSON(w *world) {
	u := w.user(service.Pro)
	id := func() string {
		u.key()
		return u.keys()[0]["id"].(string)
	}()
	for _, r := range []reply{
		u.say(u.v3(nil)), u.say(body{}), u.get("/api/v1/tts/voices"), u.get("/api/v1/tts/filters"), u.get("/api/v1/tts/favorites"),
		u.get("/api/v1/tts/models"), u.get("/api/v1/user/credits"), u.get("/api/v1/user/api-keys"), u.renew(), u.get("/api/v1/none"),
		u.post("/api/v1/tts/enhance", body{"text": "Hi."}), u.do("DELETE", "/api/v1/user/api-keys/"+id, nil),
		u.with(nil).get("/api/v1/tts/voices"),
	} {
		require.Regexp(w, `^application/json`, r.header.Get("Content-Type"), r.request)
		require.NotEmpty(w, r.json, r.request)
	}
}

func checkRequestBodies(w *world) {
	u := w.user(service.Pro)
	u.say(u.v3(nil)).is(200) // sent as application/json
	plain := u.with(map[string]string{"Authorization": u.headers["Authorization"], "Content-Type": "text/plain"})
	plain.say(u.v3(nil)).is(200) // read as JSON too
	u.post("/api/v1/tts/synthesize", nil).fails(400, "")
}

func checkBothHeaders(w *world) {
	u := w.user(service.Pro)
	key := u.key().headers["X-API-Key"]
	for _, headers := range []map[string]string{{"X-API-Key": key}, {"Authorization": "Bearer " + key}, {"Authorization": "Bearer " + key, "X-API-Key": key}} {
		c := u.with(headers)
		c.get("/api/v1/user/credits").is(200)
		c.say(c.v3(nil)).is(200)
		c.post("/api/v1/tts/enhance", body{"text": "Hi."}).is(200)
	}
	other := w.user(service.Pro).key().headers["X-API-Key"]
	u.with(map[string]string{"Authorization": "Bearer " + key, "X-API-Key": other}).get("/api/v1/user/credits").fails(401, "")
}

func checkBearerKey(w *world) {
	u := w.user(service.Pro)
	key := u.with(map[string]string{"Authorization": "Bearer " + u.key().headers["X-API-Key"]})
	require.Equal(w, u.credits(), key.credits())
	require.EqualValues(w, 1890, u.cost(func() { key.say(u.v3(body{"text": strings.Repeat("a", 1000)})).is(200) }))
}

func checkKeyHeader(w *world) {
	u := w.user(service.Pro)
	key := u.key()
	require.Equal(w, u.credits(), key.credits())
	require.EqualValues(w, 1890, u.cost(func() { key.say(u.v3(body{"text": strings.Repeat("a", 1000)})).is(200) }))
	jwt := strings.TrimPrefix(u.headers["Authorization"], "Bearer ")
	u.with(map[string]string{"X-API-Key": jwt}).get("/api/v1/user/credits").fails(401, "")
}

func checkJWT(w *world) {
	u := w.user(service.Pro)
	u.get("/api/v1/tts/voices").is(200)
	u.say(u.v3(nil)).is(200)
	require.EqualValues(w, 2100, u.cost(func() { u.say(u.v3(body{"text": strings.Repeat("a", 1000)})).is(200) }))
	for name, changes := range map[string]body{
		"expired": {"exp": w.clock.time().Add(-2 * time.Minute).Unix()}, "audience": {"aud": "another"}, "issuer": {"iss": "https://other.example"},
		"no subject": {"sub": nil}, "future": {"iat": w.clock.time().Add(2 * time.Minute).Unix()},
	} {
		r := u.with(map[string]string{"Authorization": "Bearer " + w.issuer.Token(u.subject, changes)}).get("/api/v1/user/credits").fails(401, "")
		require.Equal(w, "Bearer", r.header.Get("WWW-Authenticate"), name)
	}
}

func checkKeyManagementTakesJWT(w *world) {
	u := w.user(service.Pro)
	key := u.key()
	id := u.keys()[0]["id"].(string)
	for _, c := range []*client{key, key.with(map[string]string{"Authorization": "Bearer " + key.headers["X-API-Key"]})} {
		c.post("/api/v1/user/api-keys", nil).fails(403, "")
		c.get("/api/v1/user/api-keys").fails(403, "")
		c.do("DELETE", "/api/v1/user/api-keys/"+id, nil).fails(403, "")
	}
	u.with(nil).get("/api/v1/user/api-keys").fails(401, "")
	u.do("DELETE", "/api/v1/user/api-keys/"+id, nil).is(200)
}

// checkLogin: the service says where clients get a JWT.
func checkLogin(w *world) {
	r := (&client{world: w}).get("/.well-known/voicewright").is(200).has("issuer", "client_id", "audience", "scopes", "use_id_token", "idempotency_key")
	require.Equal(w, w.issuer.URL, r.text("issuer"))
	require.Equal(w, identitytest.Audience, r.text("audience"))
}

func checkUnauthorized(w *world) {
	u := w.user(service.Pro)
	key := u.key().headers["X-API-Key"]
	for _, headers := range []map[string]string{
		nil,
		{"X-API-Key": ""},
		{"X-API-Key": "svc_sk_" + strings.Repeat("A", 43)},
		{"X-API-Key": key[:len(key)-1]},
		{"Authorization": key},
		{"Authorization": "Bearer svc_sk_wrong"},
		{"Authorization": "Basic " + key},
		{"Authorization": "Bearer"},
		{"X-API-Key": strings.ToUpper(key)},
	} {
		c := u.with(headers)
		r := c.post("/api/v1/tts/enhance", body{"text": "Hi."}).fails(401, "")
		require.Equal(w, "Bearer", r.header.Get("WWW-Authenticate"))
		c.post("/api/v1/tts/enhance-dialogue", body{"turns": []body{{"id": "1", "text": "Hi."}}}).fails(401, "")
		c.get("/api/v1/tts/voices").fails(401, "")
		c.say(u.v3(nil)).fails(401, "")
	}
}

func checkKeySpends(w *world) {
	u := w.user(service.Pro)
	key := u.key()
	require.EqualValues(w, 12, u.cost(func() { key.say(u.v3(nil)).is(200) })) // 6 characters x 2.1 x 0.9 = 11.34
}

func checkAdmin(w *world) {
	u := w.user(service.Max)
	key := u.key()
	for _, path := range []string{
		"/api/admin/accounts", "/api/admin/jobs/sweep", "/api/admin/x", "/api/admin", "/api/admin/", "/api/admin//", "/api//admin",
		"/api/admin/x/", "/api/admin/../v1/tts/voices", "/api/v1/../admin/x", "/api/%61dmin/x", "/api/admin%2Fx", "/api/admin?x=1",
	} {
		for _, method := range []string{"GET", "POST"} {
			key.do(method, path, nil).fails(403, "")
			u.do(method, path, nil).fails(404, "")
			u.with(nil).do(method, path, nil).fails(404, "")
		}
	}
	for path := range u.get("/openapi.json").is(200).json["paths"].(map[string]any) {
		require.NotRegexp(w, `admin|cron|internal|sweep`, path)
	}
}

func checkNoEvents(w *world) {
	document := (&client{world: w}).get("/openapi.json").is(200)
	require.NotContains(w, document.json, "webhooks")
	require.NotContains(w, string(document.raw), `"callbacks"`)
	require.NotContains(w, string(document.raw), "text/event-stream")
}

// checkErrorBody: the shape that decisions.md gives to errors, for each group of endpoints.
func checkErrorBody(w *world) {
	u, free := w.user(service.Pro), w.user(service.Free)
	none := u.with(nil)
	for _, path := range []string{"/api/v1/tts/voices", "/api/v1/tts/filters", "/api/v1/tts/favorites", "/api/v1/tts/models", "/api/v1/user/credits"} {
		none.get(path).fails(401, "").has("error")
	}
	none.post("/api/v1/user/subscription/check-renewal", nil).fails(401, "").has("error")
	free.post("/api/v1/user/api-keys", nil).fails(403, "PAID_ACCESS_REQUIRED").has("error", "code")
	u.post("/api/v1/tts/favorites/toggle", body{"voiceId": "x"}).fails(404, "").has("error")
	u.do("DELETE", "/api/v1/user/api-keys/x", nil).fails(404, "").has("error")
	u.post("/api/v1/tts/voices", nil).fails(405, "").has("error")
}

// checkOtherLimits: the limits and rates that decisions.md gives to other models.
// checkPrices compares the listed prices with what calls cost.
func checkPrices(w *world) {
	u := w.user(service.Pro)
	prices := map[any]any{}
	for _, p := range u.get("/api/v1/tts/prices").is(200).has("prices").list("prices") {
		requireFields(w, p, "model", "creditsPer1000")
		prices[p["model"]] = p["creditsPer1000"]
	}
	require.Len(w, prices, 7)
	for _, model := range []string{"providerA-v3", "providerB-2-5-pro", "providerC-neural2"} {
		provider := service.ProviderID("Provider" + model[8:9])
		require.EqualValues(w, prices[model], u.cost(func() {
			u.say(u.speech(provider, model, body{"text": strings.Repeat("a", 1000)})).is(200)
		}), model)
	}
	u.key().get("/api/v1/tts/prices").is(200)
}

func checkOtherLimits(w *world) {
	u := w.user(service.Pro)
	for model, credits := range map[string]int64{
		"providerA-flash-v2-5": 2100, "providerA-multilingual-v2": 2100, "providerB-2-5-flash": 1200, "providerB-2-5-pro": 1200,
		"providerC-neural2": 400, "providerC-wavenet": 400,
	} {
		provider := service.ProviderID("Provider" + model[8:9])
		require.Equal(w, credits, u.cost(func() {
			u.say(u.speech(provider, model, body{"text": strings.Repeat("a", 1000)})).is(200)
		}), model)
		u.say(u.speech(provider, model, body{"text": strings.Repeat("a", 5001)})).fails(400, "TEXT_TOO_LONG")
	}
	checkTextTooLong(w)
}
