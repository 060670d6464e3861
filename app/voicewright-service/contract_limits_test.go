package main_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func checkTextTooLong(w *world) {
	checkV3Text(w)
	w = newWorld(w.T, worldOptions{prices: service.Prices{
		Limits: map[string]int{"providerB-2-5-pro": 20}, PlanCaps: map[service.Plan]int{service.Free: 10, service.Pro: 40},
	}})
	pro, free := w.user(service.Pro), w.user(service.Free)
	pro.say(pro.speech(service.ProviderB, "providerB-2-5-pro", body{"text": strings.Repeat("a", 21)})).fails(400, "TEXT_TOO_LONG")
	pro.say(pro.speech(service.ProviderB, "providerB-2-5-flash", body{"text": strings.Repeat("a", 40)})).is(200)
	pro.say(pro.v3(body{"text": strings.Repeat("a", 41)})).fails(400, "TEXT_TOO_LONG")
	free.say(free.speech(service.ProviderC, "providerC-neural2", body{"text": strings.Repeat("a", 11)})).fails(400, "TEXT_TOO_LONG")
	free.say(free.speech(service.ProviderC, "providerC-neural2", body{"text": strings.Repeat("a", 10)})).is(200)
}

func checkMissingFields(w *world) {
	u := w.user(service.Pro)
	for _, more := range []body{{"text": nil}, {"text": ""}, {"text": " \n"}, {"voice": nil}, {"voice": ""}, {"voice": "no id"}} {
		u.say(u.v3(more)).fails(400, "")
	}
	require.Zero(w, w.speakers[service.ProviderA].count())
}

// checkNoCredits: the contract promises no code; decisions.md adds one.
func checkNoCredits(w *world) {
	u := w.user(service.Free, 5)
	text := strings.Repeat("a", 4766) // 10,008.6: less than plan and pay-as-you-go have, and one more is too much
	u.say(u.v3(body{"text": text})).fails(402, "INSUFFICIENT_CREDITS")
	require.EqualValues(w, 10_005, u.credits())
	u.say(u.v3(body{"text": text[:4764]})).is(200) // 10,004.4
	require.EqualValues(w, 0, u.credits())
}

func checkPaidAccess(w *world) {
	free, payg, pro, max := w.user(service.Free), w.user(service.Free, 1000), w.user(service.Pro), w.user(service.Max)
	for model, provider := range map[string]service.ProviderID{
		service.ModelV3: service.ProviderA, "providerB-2-5-flash": service.ProviderB, "providerB-2-5-pro": service.ProviderB,
	} {
		free.say(free.speech(provider, model, nil)).fails(403, "PAID_ACCESS_REQUIRED")
		for _, u := range []*client{payg, pro, max} {
			u.say(u.speech(provider, model, nil)).is(200)
		}
	}
	for _, model := range []string{"providerC-neural2", "providerC-wavenet"} {
		for _, u := range []*client{free, payg, pro, max} {
			u.say(u.speech(service.ProviderC, model, nil)).is(200)
		}
	}
	pro.setPlan(service.Pro, 0) // an expired plan counts as free at once
	pro.say(pro.v3(nil)).fails(403, "PAID_ACCESS_REQUIRED")
	pro.say(pro.speech(service.ProviderC, "providerC-neural2", nil)).is(200)
}

func checkOneAtATime(w *world) {
	u := w.user(service.Pro)
	key := u.key()
	w.speakers[service.ProviderA].hold()
	first := u.start("/api/v1/tts/synthesize", u.v3(nil))
	<-w.speakers[service.ProviderA].started
	u.say(u.v3(nil)).fails(409, "DUPLICATE_REQUEST")
	key.say(u.speech(service.ProviderC, "providerC-neural2", nil)).fails(409, "DUPLICATE_REQUEST")
	other := w.user(service.Pro)
	other.say(u.speech(service.ProviderC, "providerC-neural2", nil)).is(200)
	w.speakers[service.ProviderA].release()
	r := <-first
	require.NoError(w, r.err)
	r.is(200)
	u.say(u.v3(nil)).is(200)
}

func checkRate(w *world) {
	u, other := w.user(service.Pro), w.user(service.Pro)
	key := u.key()
	for i := range 10 {
		u.say(u.v3(nil)).is(200)
		key.post("/api/v1/tts/enhance", body{"text": "Haha!"}).is(200)
		if w.clock.wait(time.Second); i%2 == 0 {
			u.post("/api/v1/tts/enhance-dialogue", body{"turns": []body{{"id": "1", "text": "Haha!"}}}).is(200)
		} else {
			u.post("/api/v1/tts/synthesize-dialogue", body{
				"turns": []body{{"voice": u.voice(service.ProviderA), "text": "a"}}, "ttsModel": service.ModelV3, "response_format": "pcm_8000",
			}).is(200)
		}
	}
	for range 3 { // refused calls do not count
		r := u.say(u.v3(nil)).fails(429, "RATE_LIMITED")
		require.Equal(w, "50", r.header.Get("Retry-After"))
	}
	u.post("/api/v1/tts/enhance", body{"text": "Haha!"}).fails(429, "RATE_LIMITED")
	u.post("/api/v1/tts/enhance-dialogue", body{"turns": []body{{"id": "1", "text": "Haha!"}}}).fails(429, "RATE_LIMITED")
	key.say(u.v3(nil)).fails(429, "RATE_LIMITED")
	other.say(u.v3(nil)).is(200)
	u.get("/api/v1/tts/voices").is(200)
	w.clock.wait(50 * time.Second)
	u.say(u.v3(nil)).is(200)
}

func checkServerBusy(w *world) {
	w = newWorld(w.T, worldOptions{queue: 1})
	b := w.speakers[service.ProviderB]
	b.hold()
	first, second, third := w.user(service.Pro), w.user(service.Pro), w.user(service.Max)
	request := first.speech(service.ProviderB, "providerB-2-5-flash", nil)
	running := first.start("/api/v1/tts/synthesize", request)
	<-b.started
	waiting := second.start("/api/v1/tts/synthesize", request)
	w.untilWaiting(service.ProviderB, 1)
	full := third.say(request).fails(503, "SERVER_BUSY")
	require.Equal(w, "5", full.header.Get("Retry-After"))
	b.release()
	for _, answer := range []<-chan reply{running, waiting} {
		r := <-answer
		require.NoError(w, r.err)
		r.is(200)
	}
	third.say(request).is(200)
}

// untilWaiting waits until n calls wait in a provider's queue.
func (w *world) untilWaiting(id service.ProviderID, n int) {
	w.Helper()
	require.Eventually(w, func() bool { return w.lanes[id].State().Waiting == n }, time.Minute, time.Millisecond)
}

func checkProviderBusy(w *world) {
	u := w.user(service.Pro)
	a := w.speakers[service.ProviderA]
	a.failWith(&service.Error{Status: 503, Code: service.CodeProviderBusy, Sentence: "Try again.", RetryAfter: 7 * time.Second})
	var r reply
	require.Zero(w, u.cost(func() { r = u.say(u.v3(nil)).fails(503, "PROVIDER_BUSY") }))
	require.Equal(w, "7", r.header.Get("Retry-After"))
	a.failWith(nil)
	u.say(u.v3(nil)).is(200)
}

// checkRefunds: nothing is charged for a synthesis that fails, by whatever it fails.
func checkRefunds(w *world) {
	w = newWorld(w.T, worldOptions{})
	u := w.user(service.Pro, 50)
	a := w.speakers[service.ProviderA]
	a.failWith(errors.New("the provider died"))
	require.Zero(w, u.cost(func() { u.say(u.v3(nil)).fails(http.StatusBadGateway, "") }))
	a.failWith(&service.Error{Status: 503, Code: service.CodeProviderBusy, Sentence: "Try again.", RetryAfter: time.Second})
	require.Zero(w, u.cost(func() { u.say(u.v3(nil)).fails(503, "PROVIDER_BUSY") }))
	a.failWith(nil)
	a.hold()
	require.Zero(w, u.cost(func() {
		leaving, leave := context.WithCancel(w.Context())
		left := u.until(leaving).start("/api/v1/tts/synthesize", u.v3(body{"title": "left"}))
		for range 3 {
			<-a.started
		}
		leave()
		require.Error(w, (<-left).err)
		require.Eventually(w, func() bool {
			last := u.get("/api/v1/user/usage").is(200).list("usage")[0]
			return last["status"] == "refunded"
		}, time.Minute, 10*time.Millisecond)
	}))
	a.release()
	require.EqualValues(w, 50, u.get("/api/v1/user/credits").number("payg_credits"))
	require.Empty(w, filesIn(w))
	u.say(u.v3(nil)).is(200)
	require.NoError(w, w.store.Check(w.Context()))
}

// checkPriority: while ProviderB speaks, who has a plan waits less than who has not; within both the first comes first.
func checkPriority(w *world) {
	b := w.speakers[service.ProviderB]
	b.hold()
	say := func(u *client, text string) <-chan reply {
		return u.start("/api/v1/tts/synthesize", u.speech(service.ProviderB, "providerB-2-5-flash", body{"text": text}))
	}
	users := []*client{w.user(service.Pro), w.user(service.Free, 1000), w.user(service.Free, 1000), w.user(service.Pro), w.user(service.Max)}
	names := []string{"running", "first without a plan", "second without a plan", "pro", "max"}
	var answers []<-chan reply
	for i, u := range users {
		answers = append(answers, say(u, names[i]))
		if i == 0 {
			<-b.started
		} else {
			w.untilWaiting(service.ProviderB, i)
		}
	}
	b.release()
	var order []string
	for range names[1:] {
		order = append(order, <-b.started)
	}
	require.Equal(w, []string{"pro", "max", "first without a plan", "second without a plan"}, order)
	for _, answer := range answers {
		r := <-answer
		require.NoError(w, r.err)
		r.is(200)
	}
}
