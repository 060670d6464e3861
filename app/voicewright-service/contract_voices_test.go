package main_test

import (
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func (c *client) voices() []body {
	c.Helper()
	return c.get("/api/v1/tts/voices").is(200).has("voices").list("voices")
}

// values returns a list of strings in an object.
func values(t require.TestingT, b body, field string) []string {
	require.IsType(t, []any{}, b[field], field)
	var all []string
	for _, v := range b[field].([]any) {
		require.IsType(t, "", v)
		all = append(all, v.(string))
	}
	return all
}

// checkVoiceField returns a check of one field of each voice.
func checkVoiceField(field string, check func(w *world, filters body, value string)) func(*world) {
	return func(w *world) {
		u := w.user(service.Pro)
		filters := u.get("/api/v1/tts/filters").is(200).json
		voices := u.voices()
		require.Len(w, voices, 9)
		for _, v := range voices {
			requireFields(w, v, "id", "name", "gender", "provider", "accent", "language", "category", "preview_url", "metadata")
			require.IsType(w, "", v[field])
			check(w, filters, v[field].(string))
		}
	}
}

var (
	checkVoiceID = checkVoiceField("id", func(w *world, _ body, id string) {
		require.NoError(w, uuid.Validate(id))
		w.user(service.Pro).say(body{"text": "Hi.", "voice": id, "ttsModel": service.ModelV3, "response_format": "pcm_8000"}).is(200)
	})
	checkVoiceName   = checkVoiceField("name", func(w *world, _ body, name string) { require.NotEmpty(w, name) })
	checkVoiceGender = checkVoiceField("gender", func(w *world, filters body, gender string) {
		require.Contains(w, values(w, filters, "genders"), gender)
		require.Contains(w, []string{"male", "female"}, gender)
	})
	checkVoiceProvider = checkVoiceField("provider", func(w *world, filters body, provider string) {
		require.Contains(w, []string{"ProviderA", "ProviderB", "ProviderC"}, provider)
		require.Contains(w, values(w, filters, "providers"), provider)
	})
	checkVoiceAccent = checkVoiceField("accent", func(w *world, filters body, accent string) {
		require.Contains(w, append(values(w, filters, "accents"), ""), accent)
	})
	checkVoiceLanguage = checkVoiceField("language", func(w *world, filters body, language string) {
		require.Regexp(w, `^[a-z]{2,3}$`, language)
		require.Contains(w, values(w, filters, "languages"), language)
	})
	checkVoiceCategory = checkVoiceField("category", func(w *world, filters body, category string) {
		require.Contains(w, values(w, filters, "categories"), category)
		require.Contains(w, []string{"conversational", "professional", "narrator", "news"}, category)
	})
	checkVoicePreview = checkVoiceField("preview_url", func(w *world, _ body, url string) {
		audio := (&client{world: w}).get(url).is(200)
		require.Equal(w, "audio/mpeg", audio.header.Get("Content-Type"))
		requireMP3(w, audio.raw)
	})
)

// checkVoiceMetadata: the models that speak with a voice, with the identifiers that decisions.md gives them.
func checkVoiceMetadata(w *world) {
	want := map[any][]string{
		"ProviderA": {"providerA-v3", "providerA-multilingual-v2", "providerA-flash-v2-5"},
		"ProviderB": {"providerB-2-5-flash", "providerB-2-5-pro"},
		"ProviderC": {"providerC-neural2", "providerC-wavenet"},
	}
	for _, v := range w.user(service.Free).voices() {
		metadata := body(v["metadata"].(map[string]any))
		requireFields(w, metadata, "supported_models")
		require.ElementsMatch(w, want[v["provider"]], values(w, metadata, "supported_models"))
	}
}

func checkFilters(w *world) {
	filters := w.user(service.Free).get("/api/v1/tts/filters").is(200).has("providers", "genders", "languages", "accents", "categories").json
	require.Equal(w, []string{"ProviderA", "ProviderB", "ProviderC"}, values(w, filters, "providers"))
	require.Equal(w, []string{"female", "male"}, values(w, filters, "genders"))
	require.Equal(w, []string{"de", "en"}, values(w, filters, "languages"))
	require.Equal(w, []string{"United Kingdom", "United States"}, values(w, filters, "accents"))
	require.Equal(w, []string{"conversational", "narrator"}, values(w, filters, "categories"))
}

func (c *client) models() []body {
	c.Helper()
	return c.get("/api/v1/tts/models").is(200).list("models")
}

// modelNames are the names of the models by provider, as the contract gives them.
var modelNames = map[string][]string{
	"ProviderA": {"v3", "Multilingual v2", "Flash v2.5"}, "ProviderB": {"2.5 Flash", "2.5 Pro"}, "ProviderC": {"Neural2", "Wavenet"},
}

func checkModels(w *world) {
	names, plans, categories := map[string][]string{}, map[string]any{}, map[string][]string{}
	for _, m := range w.user(service.Free).models() {
		requireFields(w, m, "id", "name", "provider", "description", "category", "planRequired")
		for _, field := range []string{"id", "name", "provider", "description", "category"} {
			require.IsType(w, "", m[field])
			require.NotEmpty(w, m[field])
		}
		provider, category := m["provider"].(string), m["category"].(string)
		names[provider] = append(names[provider], m["name"].(string))
		plans[m["id"].(string)] = m["planRequired"]
		if !slices.Contains(categories[provider], category) {
			categories[provider] = append(categories[provider], category)
		}
	}
	for provider, want := range modelNames {
		require.ElementsMatch(w, want, names[provider])
		require.Len(w, categories[provider], 1, "one category a provider")
	}
	require.Len(w, categories, 3)
	require.Equal(w, map[string]any{
		"providerA-v3": "pro", "providerA-multilingual-v2": "pro", "providerA-flash-v2-5": "pro", "providerB-2-5-flash": "pro",
		"providerB-2-5-pro": "pro", "providerC-neural2": nil, "providerC-wavenet": nil,
	}, plans)
}

func checkModelID(w *world) {
	u := w.user(service.Pro)
	for _, m := range u.models() {
		u.say(u.speech(service.ProviderID(m["provider"].(string)), m["id"].(string), nil)).is(200)
		require.Equal(w, m["id"], u.get("/api/v1/user/usage").is(200).list("usage")[0]["model"])
	}
}

func checkModelsEnvelope(w *world) {
	r := w.user(service.Free).get("/api/v1/tts/models").is(200).has("version", "timestamp", "models", "metadata")
	require.NotEmpty(w, r.text("version"))
	requireTime(w, r.json["timestamp"])
	require.Len(w, r.list("models"), 7)
	metadata := body(r.json["metadata"].(map[string]any))
	requireFields(w, metadata, "total", "categories", "note")
	require.InDelta(w, 7, metadata["total"], 0)
	require.Len(w, values(w, metadata, "categories"), 3)
	require.IsType(w, "", metadata["note"])
}

// checkFreeModels: planRequired says what the calls do.
func checkFreeModels(w *world) {
	checkModels(w)
	checkPaidAccess(w)
}

func checkFavourites(w *world) {
	u, other := w.user(service.Free), w.user(service.Free)
	voice := u.voices()[4]
	toggle := func(want bool) {
		r := u.post("/api/v1/tts/favorites/toggle", body{"voiceId": voice["id"]}).is(200).has("success", "favorited")
		require.Equal(w, true, r.json["success"])
		require.Equal(w, want, r.json["favorited"])
	}
	require.Empty(w, u.get("/api/v1/tts/favorites").is(200).has("favorites").list("favorites"))
	toggle(true)
	require.Equal(w, []body{voice}, u.get("/api/v1/tts/favorites").is(200).list("favorites"))
	require.Empty(w, other.get("/api/v1/tts/favorites").is(200).list("favorites"))
	toggle(false)
	require.Empty(w, u.get("/api/v1/tts/favorites").is(200).list("favorites"))
	u.post("/api/v1/tts/favorites/toggle", body{"voiceId": uuid.NewString()}).fails(404, "")
	u.post("/api/v1/tts/favorites/toggle", body{}).fails(400, "")
}

func checkVoices(w *world) {
	voices := w.user(service.Free).voices()
	require.Len(w, voices, 9)
	w = newWorld(w.T, worldOptions{})
	delete(w.speakers, service.ProviderB)
	w.reopen()
	for _, v := range w.user(service.Free).voices() {
		require.NotEqual(w, "ProviderB", v["provider"], "voices of a provider that is not there are not active")
	}
}

// checkVoiceIDs: a UUID is the same in any case of its letters, and other spellings of one are none.
func checkVoiceIDs(w *world) {
	u := w.user(service.Pro)
	ada := service.VoiceID(service.ProviderA, "Ada")
	capitals, mixed := strings.ToUpper(ada), strings.ToUpper(ada[:18])+ada[18:]
	turn := func(id string) []body { return []body{{"voice": id, "text": "Hi."}} }
	for _, id := range []string{ada, capitals, mixed} {
		u.say(u.v3(body{"voice": id})).is(200)
		require.Equal(w, ada, w.speakers[service.ProviderA].last(w).Turns[0].Voice.ID)
		u.post("/api/v1/tts/synthesize-dialogue", body{"turns": turn(id), "ttsModel": service.ModelV3}).is(200)
		u.post("/api/v1/tts/enhance", body{"text": "Hi.", "voiceId": id}).is(200)
		u.post("/api/v1/tts/enhance-dialogue", body{"turns": []body{{"id": "1", "text": "Hi.", "voiceId": id}}}).is(200)
		u.with(nil).get("/previews/" + id + ".mp3").is(200)
	}
	require.Equal(w, true, u.post("/api/v1/tts/favorites/toggle", body{"voiceId": capitals}).is(200).json["favorited"])
	require.Equal(w, ada, u.get("/api/v1/tts/favorites").is(200).list("favorites")[0]["id"])
	require.Equal(w, false, u.post("/api/v1/tts/favorites/toggle", body{"voiceId": mixed}).is(200).json["favorited"])
	for _, id := range []string{"{" + ada + "}", "urn:uuid:" + ada, strings.ReplaceAll(ada, "-", ""), " " + ada, ada + "\n"} {
		u.say(u.v3(body{"voice": id})).fails(400, "")
		u.post("/api/v1/tts/synthesize-dialogue", body{"turns": turn(id), "ttsModel": service.ModelV3}).fails(400, "")
		u.post("/api/v1/tts/enhance", body{"text": "Hi.", "voiceId": id}).fails(400, "")
		u.post("/api/v1/tts/favorites/toggle", body{"voiceId": id}).fails(404, "")
		u.with(nil).get("/previews/"+url.PathEscape(id)+".mp3").fails(404, "")
	}
	key := u.key()
	id := u.get("/api/v1/user/api-keys").is(200).list("apiKeys")[0]["id"].(string)
	u.do("DELETE", "/api/v1/user/api-keys/"+strings.ToUpper(id), nil).is(200)
	key.get("/api/v1/user/credits").fails(401, "")
}
