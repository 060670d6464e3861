package main_test

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// checkEnhance: tags come in, words and credits stay.
func checkEnhance(w *world) {
	u := w.user(service.Free)
	text := "Haha, we won! “Be quiet,” she whispered."
	var r reply
	require.Zero(w, u.cost(func() { r = u.post("/api/v1/tts/enhance", body{"text": text}).is(200).has("text", "original") }))
	require.Equal(w, text, r.text("original"))
	require.NotEqual(w, text, r.text("text"))
	require.Equal(w, text, tag.ReplaceAllString(r.text("text"), ""))
	empty := w.user(service.Free)
	empty.say(empty.speech(service.ProviderC, "providerC-neural2", body{"text": strings.Repeat("a", 5000)})).is(200)
	for empty.credits() >= 2000 {
		empty.say(empty.speech(service.ProviderC, "providerC-neural2", body{"text": strings.Repeat("a", 5000)})).is(200)
	}
	empty.post("/api/v1/tts/enhance", body{"text": text}).is(200)
}

var tag = regexp.MustCompile(`\[[a-z]+\] `)

func checkEnhanceLength(w *world) {
	u := w.user(service.Free)
	u.post("/api/v1/tts/enhance", body{"text": strings.Repeat("é", 2000)}).is(200)
	u.post("/api/v1/tts/enhance", body{"text": strings.Repeat("é", 2001)}).fails(400, "TEXT_TOO_LONG")
	half := strings.Repeat("é", 1000)
	turns := func(last string) body {
		return body{"turns": []body{{"id": "1", "text": half}, {"id": "2", "text": last}}}
	}
	u.post("/api/v1/tts/enhance-dialogue", turns(half)).is(200)
	u.post("/api/v1/tts/enhance-dialogue", turns(half+"é")).fails(400, "TEXT_TOO_LONG")
}

func checkEnhanceVoice(w *world) {
	u := w.user(service.Free)
	of := func(voice any) string {
		return u.post("/api/v1/tts/enhance", body{"text": "“Run!” he shouted.", "voiceId": voice}).is(200).text("text")
	}
	require.Equal(w, "“[shouts] Run!” he shouted.", of(service.VoiceID(service.ProviderA, "Ada")))
	require.Equal(w, "“Run!” he shouted.", of(service.VoiceID(service.ProviderA, "Ben")), "a narrator does not shout")
	u.post("/api/v1/tts/enhance", body{"text": "Hi.", "voiceId": uuid.NewString()}).fails(400, "")
	u.post("/api/v1/tts/enhance", body{"text": "Hi.", "voiceId": 7}).fails(400, "")
}

// failing is an Enhancer that fails, or that changes words.
type failing struct{ text string }

func (f failing) Enhance(context.Context, string, *service.Voice) (string, error) {
	if f.text != "" {
		return f.text, nil
	}
	return "", errors.New("no model")
}

func checkFallback(w *world) {
	for _, enhancer := range []failing{{}, {"[laughs] Other words."}, {"Haha"}, {"Haha, we won! And more."}} {
		w := newWorld(w.T, worldOptions{enhancer: enhancer})
		u := w.user(service.Free)
		r := u.post("/api/v1/tts/enhance", body{"text": "Haha, we won!"}).is(200).has("text", "original", "fallback")
		require.Equal(w, "Haha, we won!", r.text("text"))
		require.Equal(w, "Haha, we won!", r.text("original"))
		require.Equal(w, true, r.json["fallback"])
		turns := u.post("/api/v1/tts/enhance-dialogue", body{"turns": []body{{"id": "1", "text": "Haha, we won!"}}}).is(200).has("turns", "fallback")
		require.Equal(w, true, turns.json["fallback"])
		require.Equal(w, []body{{"id": "1", "text": "Haha, we won!"}}, turns.list("turns"))
	}
}

func checkEnhanceDialogue(w *world) {
	u := w.user(service.Free)
	turns := []body{
		{"id": "b", "text": "“Run!” he shouted.", "voiceId": service.VoiceID(service.ProviderA, "Ada")},
		{"id": "a", "text": "“Run!” he shouted.", "voiceId": service.VoiceID(service.ProviderA, "Ben")},
		{"id": "b", "text": "Plain."},
	}
	var r reply
	require.Zero(w, u.cost(func() { r = u.post("/api/v1/tts/enhance-dialogue", body{"turns": turns}).is(200).has("turns") }))
	require.Equal(w, []body{
		{"id": "b", "text": "“[shouts] Run!” he shouted."}, {"id": "a", "text": "“Run!” he shouted."}, {"id": "b", "text": "Plain."},
	}, r.list("turns"))
}

func checkEnhanceMissing(w *world) {
	u := w.user(service.Free)
	for _, b := range []body{{}, {"text": ""}, {"text": "  "}, {"text": nil}, {"text": 1}} {
		u.post("/api/v1/tts/enhance", b).fails(400, "")
	}
	for _, b := range []body{{}, {"turns": []body{}}, {"turns": "x"}, {"turns": []body{{"id": "1", "text": ""}}}, {"turns": []body{{"id": "1"}}}} {
		u.post("/api/v1/tts/enhance-dialogue", b).fails(400, "")
	}
	for _, id := range []any{1, "", nil, true} {
		turn := body{"id": id, "text": "Hi."}
		u.post("/api/v1/tts/enhance-dialogue", body{"turns": []body{{"id": "1", "text": "Hi."}, turn}}).fails(400, "")
	}
	u.post("/api/v1/tts/enhance-dialogue", body{"turns": []body{{"text": "Hi."}}}).fails(400, "")
}

func checkWholeFlow(w *world) {
	u := w.user(service.Pro)
	enhanced := u.post("/api/v1/tts/enhance", body{"text": "Haha, we won!", "voiceId": u.voice(service.ProviderA)}).is(200).text("text")
	require.Contains(w, enhanced, "[laughs]")
	u.say(u.v3(body{"text": enhanced})).is(200)
	require.Equal(w, enhanced, w.speakers[service.ProviderA].last(w).Turns[0].Text)
}

// checkEnhanceTags enhances a text that has a reason for a tag in every sentence.
func checkEnhanceTags(w *world) {
	u := w.user(service.Free)
	known := strings.Fields("angry chuckles crying curious excited gasps happy hesitates laughs nervous pause sad sarcastic shouts sighs surprised whispers")
	text := strings.Repeat("Haha, we won! “Go,” he whispered. I am furious! Well... I can't wait. “No!” she shouted. ", 15)
	for name, least := range map[string]int{"Ada": 10, "Ben": 24, "": 14} {
		voice := ""
		if name != "" {
			voice = service.VoiceID(service.ProviderA, name)
		}
		of := func(text string) string {
			return u.post("/api/v1/tts/enhance", body{"text": text, "voiceId": voice}).is(200).text("text")
		}
		got := of(text)
		require.Equal(w, text, tag.ReplaceAllString(got, ""))
		tags := tag.FindAllString(got, -1)
		require.NotEmpty(w, tags)
		for _, t := range tags {
			require.Contains(w, known, strings.Trim(t, "[] "))
			if name == "Ben" {
				require.NotContains(w, []string{"laughs", "crying", "shouts", "gasps", "hesitates"}, strings.Trim(t, "[] "))
			}
		}
		between := tag.Split(got, -1)
		for _, words := range between[1 : len(between)-1] {
			require.GreaterOrEqual(w, len(strings.Fields(words)), least, name)
		}
		require.Equal(w, got, of(got), "enhanced again")
	}
	german := u.post("/api/v1/tts/enhance", body{"text": "I am furious. Was?!", "voiceId": service.VoiceID(service.ProviderA, "Cleo")}).is(200)
	require.Equal(w, "I am furious. [surprised] Was?!", german.text("text"))
	for _, kept := range []string{"A note [haha! Wow!] here.", "An open [bracket. Haha, we won!"} {
		require.Equal(w, kept, u.post("/api/v1/tts/enhance", body{"text": kept}).is(200).text("text"))
	}
}
