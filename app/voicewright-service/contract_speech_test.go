package main_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// checkSynthesis: a call is answered with finished audio, at once and without a job.
func checkSynthesis(w *world) {
	u := w.user(service.Pro)
	r := u.say(u.v3(body{"text": "A finished file.", "response_format": nil})).is(200).has("url", "remainingCredits", "projectCreated")
	require.Equal(w, "A finished file.", w.speakers[service.ProviderA].last(w).Turns[0].Text)
	audio := u.with(nil).get(r.text("url")).is(200)
	require.Equal(w, "audio/mpeg", audio.header.Get("Content-Type"))
	requireMP3(w, audio.raw)
	require.Equal(w, u.credits(), r.number("remainingCredits"))
	require.Equal(w, true, r.json["projectCreated"])
}

// requireMP3 checks that audio has frames of 44,100 Hz and 128 kbit/s.
func requireMP3(t require.TestingT, audio []byte) {
	if bytes.HasPrefix(audio, []byte("ID3")) {
		size := int(audio[6])<<21 | int(audio[7])<<14 | int(audio[8])<<7 | int(audio[9])
		audio = audio[10+size:]
	}
	require.Greater(t, len(audio), 4)
	require.Equal(t, byte(0xff), audio[0])
	require.Equal(t, byte(0xe2), audio[1]&0xe6, "MPEG, layer 3")
	require.Equal(t, byte(9), audio[2]>>4, "128 kbit/s")
	require.Equal(t, byte(0), audio[2]>>2&3, "44,100 Hz")
}

func checkFormats(w *world) {
	u := w.user(service.Pro)
	requireMP3(w, u.get(u.say(u.v3(body{"response_format": nil})).is(200).text("url")).raw)
	requireMP3(w, u.get(u.say(u.v3(body{"response_format": "mp3_44100_128"})).is(200).text("url")).raw)
	for format, rate := range map[string]int{"pcm_8000": 8000, "pcm_16000": 16000, "pcm_22050": 22050, "pcm_24000": 24000} {
		audio := u.get(u.say(u.v3(body{"response_format": format})).is(200).text("url")).is(200)
		require.Equal(w, "audio/pcm", audio.header.Get("Content-Type"))
		require.InDelta(w, rate, len(audio.raw), float64(rate)/100, "half a second in 16 bits of %s", format)
	}
	for _, wrong := range []any{"mp3", "pcm_44100", "", 8000} {
		u.say(u.v3(body{"response_format": wrong})).fails(400, "")
	}
}

func checkOnlySpeech(w *world) {
	u := w.user(service.Pro)
	for path := range u.get("/openapi.json").is(200).json["paths"].(map[string]any) {
		require.Regexp(w, `^/(api/v1/(tts|user)/|files/|previews/|health$|ready$|metrics$|openapi\.json$|\.well-known/)`, path)
	}
	for _, kind := range []string{"image", "images", "video", "music"} {
		u.post("/api/v1/"+kind+"/generate", body{}).fails(404, "")
	}
}

func checkNoJobs(w *world) {
	u := w.user(service.Pro)
	u.say(u.v3(nil)).is(200).has("url", "remainingCredits", "projectCreated")
	for path := range u.get("/openapi.json").is(200).json["paths"].(map[string]any) {
		require.NotRegexp(w, `job|poll|event|status|task`, path)
	}
}

func checkSupportingFunctions(w *world) {
	u := w.user(service.Pro)
	u.get("/api/v1/tts/voices").is(200)
	u.get("/api/v1/tts/filters").is(200)
	u.get("/api/v1/tts/favorites").is(200)
	u.post("/api/v1/tts/favorites/toggle", body{"voiceId": u.voice(service.ProviderA)}).is(200)
	u.get("/api/v1/tts/models").is(200)
	u.get("/api/v1/user/credits").is(200)
	u.post("/api/v1/user/subscription/check-renewal", nil).is(200)
	u.post("/api/v1/tts/enhance", body{"text": "Haha!"}).is(200)
	u.post("/api/v1/user/api-keys", nil).is(201)
	u.get("/api/v1/user/api-keys").is(200)
	u.say(u.v3(nil)).is(200)
}

// checkRetention: a file can be downloaded for 24 hours and is deleted then, by the service itself.
func checkRetention(w *world) {
	w = newWorld(w.T, worldOptions{})
	u := w.user(service.Pro)
	url := u.say(u.v3(nil)).is(200).text("url")
	require.Regexp(w, `^`+w.url+`/files/[A-Za-z0-9_-]{43}\.pcm$`, url)
	require.Len(w, filesIn(w), 1)
	w.clock.wait(24*time.Hour - time.Second)
	u.with(nil).get(url).is(200)
	w.clock.wait(time.Second)
	u.with(nil).get(url).fails(http.StatusGone, "")
	w.reopen() // the sweeper's interval is a minute; it runs at the start too
	require.Eventually(w, func() bool { return len(filesIn(w)) == 0 }, time.Minute, 10*time.Millisecond)
	u.world = w
	u.get(w.url+strings.TrimPrefix(url, url[:strings.Index(url, "/files/")])).fails(http.StatusGone, "")
}

func filesIn(w *world) []string {
	var all []string
	require.NoError(w, filepath.WalkDir(filepath.Join(w.dir, "files"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".pcm") {
			all = append(all, path)
		}
		return err
	}))
	return all
}

// checkNoHosting: clients can neither upload files nor list them.
func checkNoHosting(w *world) {
	u := w.user(service.Pro)
	url := u.say(u.v3(nil)).is(200).text("url")
	u.get("/files/").fails(404, "")
	u.get("/files").fails(404, "")
	for _, method := range []string{"PUT", "POST", "DELETE"} {
		u.do(method, url, body{}).fails(http.StatusMethodNotAllowed, "")
	}
}

func checkCost(w *world) {
	u := w.user(service.Pro)
	for characters, credits := range map[int]int64{1: 3, 10: 21, 500: 1050, 999: 2098, 1000: 2100, 1001: 2103} {
		got := u.cost(func() { u.say(u.v3(body{"text": strings.Repeat("é", characters)})).is(200) })
		require.Equal(w, credits, got, "%d characters", characters)
	}
}

func checkDiscount(w *world) {
	u := w.user(service.Pro)
	key := u.key()
	text := strings.Repeat("a", 1000)
	require.EqualValues(w, 2100, u.cost(func() { u.say(u.v3(body{"text": text})).is(200) }))
	require.EqualValues(w, 1890, u.cost(func() { key.say(u.v3(body{"text": text})).is(200) }))
	dialogue := body{"turns": []body{{"voice": u.voice(service.ProviderA), "text": text}}, "ttsModel": service.ModelV3, "response_format": "pcm_8000"}
	require.EqualValues(w, 1890, u.cost(func() { key.post("/api/v1/tts/synthesize-dialogue", dialogue).is(200) }))
}

func checkCommonFields(w *world) {
	u := w.user(service.Pro)
	for _, field := range []string{"text", "voice", "ttsModel"} {
		u.say(u.v3(body{field: nil})).fails(400, "")
		u.say(u.v3(body{field: ""})).fails(400, "")
		u.say(u.v3(body{field: 5})).fails(400, "")
	}
	u.say(u.v3(body{"ttsModel": "providerA-v9"})).fails(400, "")
	u.say(u.v3(nil)).is(200).has("url", "remainingCredits", "projectCreated")
}

func checkProviderFromVoice(w *world) {
	u := w.user(service.Pro)
	for _, id := range service.ProviderIDs() {
		before := w.speakers[id].count()
		u.say(u.v3(body{"voice": u.voice(id), "text": "Who speaks?"})).is(200)
		require.Equal(w, before+1, w.speakers[id].count(), "%s serves its voice", id)
		require.Equal(w, u.voice(id), w.speakers[id].last(w).Turns[0].Voice.ID)
	}
	free := w.user(service.Free)
	require.EqualValues(w, 4, free.cost(func() { // at the rate of ProviderC, not of v3
		free.say(u.v3(body{"voice": u.voice(service.ProviderC), "text": "0123456789", "stability": 7})).is(200)
	}))
}

func checkV3Text(w *world) {
	u := w.user(service.Pro)
	u.say(u.v3(body{"text": strings.Repeat("字", 5000)})).is(200)
	u.say(u.v3(body{"text": strings.Repeat("字", 5001)})).fails(400, "TEXT_TOO_LONG")
	u.say(u.v3(body{"text": strings.Repeat("😀", 5000)})).is(200) // a code point is a character
	text := "[laughs] Hello. [whispers] Come here. [excited] Now! [sighs]"
	u.say(u.v3(body{"text": text})).is(200)
	require.Equal(w, text, w.speakers[service.ProviderA].last(w).Turns[0].Text, "the provider receives the tags")
}

func checkV3Voice(w *world) {
	u := w.user(service.Pro)
	for _, v := range u.get("/api/v1/tts/voices").is(200).list("voices") {
		if v["provider"] == "ProviderA" {
			u.say(u.v3(body{"voice": v["id"]})).is(200)
			require.Equal(w, v["id"], w.speakers[service.ProviderA].last(w).Turns[0].Voice.ID)
		}
	}
	u.say(u.v3(body{"voice": "Ada"})).fails(400, "")
	u.say(u.v3(body{"voice": "00000000-0000-4000-8000-000000000000"})).fails(400, "")
}

func checkV3Model(w *world) {
	u := w.user(service.Pro)
	u.say(u.v3(body{"stability": 0.25})).is(200)
	require.InDelta(w, 0.25, w.speakers[service.ProviderA].last(w).Settings.Stability, 0)
	for _, model := range []string{"v3", "providerA-V3", "providerA-v3 "} {
		u.say(u.v3(body{"ttsModel": model})).fails(400, "")
	}
	u.say(u.speech(service.ProviderA, "providerA-multilingual-v2", body{"stability": 7})).is(200) // v3's fields belong to v3
}

func (w *world) settings(more body) service.VoiceSettings {
	u := w.user(service.Pro)
	u.say(u.v3(more)).is(200)
	return w.speakers[service.ProviderA].last(w).Settings
}

// checkNumber checks a field of v3 from 0 to 1.
func checkNumber(w *world, field string, absent float64, of func(service.VoiceSettings) float64) {
	require.InDelta(w, absent, of(w.settings(nil)), 0, "default")
	for _, v := range []float64{0, 0.3, 1} {
		require.InDelta(w, v, of(w.settings(body{field: v})), 0)
	}
	u := w.user(service.Pro)
	for _, wrong := range []any{-0.01, 1.01, "0.5", true, 1e300} {
		u.say(u.v3(body{field: wrong})).fails(400, "")
	}
}

func checkSpeakerBoost(w *world) {
	require.True(w, w.settings(nil).SpeakerBoost, "default")
	require.True(w, w.settings(body{"speaker_boost": true}).SpeakerBoost)
	require.False(w, w.settings(body{"speaker_boost": false}).SpeakerBoost)
	u := w.user(service.Pro)
	u.say(u.v3(body{"speaker_boost": "yes"})).fails(400, "")
}

func checkLanguageOverride(w *world) {
	require.False(w, w.settings(nil).LanguageOverride, "default")
	require.True(w, w.settings(body{"language_override": true}).LanguageOverride)
	u := w.user(service.Pro)
	u.say(u.v3(body{"language_override": 1})).fails(400, "")
}

func checkTitle(w *world) {
	u := w.user(service.Pro)
	u.say(u.v3(body{"title": "Chapter 1"})).is(200)
	require.Equal(w, "Chapter 1", u.get("/api/v1/user/usage").is(200).list("usage")[0]["title"])
	u.say(u.v3(body{"title": 1})).fails(400, "")
}

func checkIgnoredFields(w *world) {
	for _, speed := range []any{99, "fast", body{}, []any{1}, true, nil, -1, json.Number("1e999")} {
		with := w.settings(body{"speed": speed, "style_exaggeration": "much"})
		require.Equal(w, w.settings(nil), with)
		require.InDelta(w, 1, with.Speed, 0)
	}
}

func checkEmotion(w *world) {
	u := w.user(service.Pro)
	u.say(u.v3(body{"text": "[sad] Goodbye.", "stability": 0.1})).is(200)
	last := w.speakers[service.ProviderA].last(w)
	require.Equal(w, "[sad] Goodbye.", last.Turns[0].Text)
	require.InDelta(w, 0.1, last.Settings.Stability, 0)
}

// checkOtherModels: what decisions.md settles for models other than v3.
func checkOtherModels(w *world) {
	u := w.user(service.Pro)
	for model, provider := range map[string]service.ProviderID{
		"providerA-multilingual-v2": service.ProviderA, "providerB-2-5-pro": service.ProviderB, "providerC-wavenet": service.ProviderC,
	} {
		u.say(u.speech(provider, model, body{"speed": 1.5, "title": "T"})).is(200)
		require.InDelta(w, 1.5, w.speakers[provider].last(w).Settings.Speed, 0)
		u.say(u.speech(provider, model, body{"speed": 0.24})).fails(400, "")
		u.say(u.speech(provider, model, body{"speed": 4.01})).fails(400, "")
		for _, speed := range []any{"fast", body{}, true, json.Number("1e999")} {
			require.Contains(w, u.say(u.speech(provider, model, body{"speed": speed})).fails(400, "").text("error"), `"speed"`)
		}
		require.Equal(w, model, u.get("/api/v1/user/usage").is(200).list("usage")[0]["model"])
	}
}

func checkDialogue(w *world) {
	u := w.user(service.Pro)
	const path = "/api/v1/tts/synthesize-dialogue"
	ada, ben := service.VoiceID(service.ProviderA, "Ada"), service.VoiceID(service.ProviderA, "Ben")
	turns := func(turns ...body) body {
		return body{"turns": turns, "ttsModel": service.ModelV3, "response_format": "pcm_8000"}
	}
	r := u.post(path, turns(body{"voice": ada, "text": "Hello?"}, body{"voice": ben, "text": "Hi!"})).is(200)
	r.has("url", "remainingCredits", "projectCreated")
	spoken := w.speakers[service.ProviderA].last(w).Turns
	require.Equal(w, []string{"Hello?", "Hi!"}, []string{spoken[0].Text, spoken[1].Text})
	require.Equal(w, []string{ada, ben}, []string{spoken[0].Voice.ID, spoken[1].Voice.ID})
	require.EqualValues(w, 5, u.cost(func() { // 2 characters: 4.2, rounded once
		u.post(path, turns(body{"voice": ada, "text": "a"}, body{"voice": ben, "text": "b"})).is(200)
	}))
	long := strings.Repeat("a", 2500)
	u.post(path, turns(body{"voice": ada, "text": long}, body{"voice": ben, "text": long})).is(200)
	u.post(path, turns(body{"voice": ada, "text": long}, body{"voice": ben, "text": long + "a"})).fails(400, "TEXT_TOO_LONG")
	u.post(path, turns()).fails(400, "")
	u.post(path, turns(body{"voice": ada, "text": ""})).fails(400, "")
	u.post(path, turns(body{"voice": u.voice(service.ProviderB), "text": "a"})).fails(400, "")
	w.user(service.Free).post(path, turns(body{"voice": ada, "text": "a"})).fails(403, "PAID_ACCESS_REQUIRED")
}

func checkStability(w *world) {
	checkNumber(w, "stability", 0.5, func(s service.VoiceSettings) float64 { return s.Stability })
}

func checkSimilarity(w *world) {
	checkNumber(w, "similarity_boost", 0.75, func(s service.VoiceSettings) float64 { return s.SimilarityBoost })
}
