package main_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

// fault is a way in which a speaking server fails, and the answer of the service.
type fault struct {
	name       string
	serve      http.HandlerFunc
	status     int
	code       any // nil: none
	retryAfter string
	logged     string // the reason in the log
}

const secretText = "Swordfish is my password"

// faults are the faults of a provider: the first two are no failures of it, the others are five.
func faults() []fault {
	sound := string(tone())
	return []fault{
		{"429", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
		}, 503, "PROVIDER_BUSY", "7", "busy"},
		{"503", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusServiceUnavailable)
		}, 503, "PROVIDER_BUSY", "5", "busy"},
		{"dies in the audio", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(sound)))
			_, _ = io.WriteString(w, sound[:len(sound)/2])
			panic(http.ErrAbortHandler)
		}, 502, nil, "", "unexpected EOF"},
		{"500", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "cannot speak "+secretText+" with the key "+apiKey, http.StatusInternalServerError)
		}, 502, nil, "", "the server answered 500: cannot speak"},
		{"HTML", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "<html><body>"+secretText+"</body></html>")
		}, 502, nil, "", "the answer is no audio"},
		{"hangs", func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
		}, 502, nil, "", "deadline exceeded"},
		{"redirects", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
		}, 502, nil, "", "the server answered 302"},
	}
}

// Whatever a provider does, the answer is that of the contract, nothing is charged, and the log says why without text or key.
func TestFaultsOfAProvider(t *testing.T) {
	t.Parallel()
	var handler atomic.Pointer[http.HandlerFunc]
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked.Add(1)
		(*handler.Load())(w, r)
	}))
	t.Cleanup(server.Close)
	issuer := identitytest.New(t)
	o := newOperator(t)
	o.file("providers.yaml", "ProviderC: {adapter: openai, url: "+server.URL+"/v1, api_key: "+apiKey+", model: tts, timeout: 1s}")
	r := o.serve("--metrics", "--providers", "providers.yaml", "--issuer", issuer.URL, "--audience", identitytest.Audience)
	token := issuer.Token("ann")
	body := r.synthesis(token)
	body["text"] = secretText
	for _, f := range faults() {
		handler.Store(&f.serve)
		a := r.call("POST", "/api/v1/tts/synthesize", token, body)
		require.Equal(t, f.status, a.status, "%s: %s", f.name, a.text)
		require.Equal(t, f.code, a.json["code"], f.name)
		require.Equal(t, f.retryAfter, a.header.Get("Retry-After"), f.name)
		r.waitForLog(f.logged)
		require.InDelta(t, 10_000, r.credits(token), 0, "%s: the credits are refunded", f.name)
	}

	before := asked.Load()
	a := r.call("POST", "/api/v1/tts/synthesize", token, body)
	require.Equal(t, http.StatusServiceUnavailable, a.status, "after five failures the provider is left alone")
	require.Equal(t, "PROVIDER_BUSY", a.json["code"])
	wait, err := time.ParseDuration(a.header.Get("Retry-After") + "s")
	require.NoError(t, err)
	require.Positive(t, wait)
	require.LessOrEqual(t, wait, 15*time.Second)
	require.Equal(t, before, asked.Load())
	require.Contains(t, r.call("GET", "/metrics", "", nil).text, `voicewright_provider_breaker_open{provider="ProviderC"} 1`)

	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
	for _, secret := range []string{apiKey, token, "Swordfish", "password"} {
		require.NotContains(t, r.err.String(), secret)
	}
}

// One account sends texts that the provider refuses, and the other one is served all the same. So it is with letters that
// espeak-ng speaks as silence.
func TestBadTextsOfOneAccountStopNobody(t *testing.T) {
	t.Parallel()
	var refusal atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		if strings.Contains(string(text), "Forbidden") {
			http.Error(w, "<script>no</script> "+apiKey+strings.Repeat(" and so on", 500), int(refusal.Load()))
			return
		}
		w.Header().Set("Content-Type", "audio/wav")
		_, _ = w.Write(tone())
	}))
	t.Cleanup(server.Close)
	issuer := identitytest.New(t)
	o := newOperator(t)
	adapter := "{adapter: openai, url: " + server.URL + "/v1, api_key: " + apiKey + ", model: tts}\n"
	o.file("providers.yaml", "ProviderA: "+adapter+"ProviderB: "+adapter)
	r := o.serve("--metrics", "--providers", "providers.yaml", "--issuer", issuer.URL, "--audience", identitytest.Audience)
	good, bad := issuer.Token("ann"), issuer.Token("bob")
	for _, sub := range []string{"ann", "bob"} {
		r.credits(map[string]string{"ann": good, "bob": bad}[sub]) // signs in
		o.mustRun("account", "set-plan", sub, "max")
	}
	a, c := r.voice(good, "ProviderA"), r.voice(good, "ProviderC")
	long := strings.Repeat("This is a sentence of some length. ", 130) + "Forbidden."
	bodies := []struct {
		path      string
		body, use object
	}{
		{"synthesize", object{"text": "Forbidden.", "voice": a, "ttsModel": "providerA-v3"}, nil},
		{"synthesize", object{"text": long, "voice": a, "ttsModel": "providerA-v3"}, nil},
		{"synthesize-dialogue", object{"turns": []object{{"text": "Hello.", "voice": a}, {"text": "Forbidden.", "voice": a}}, "ttsModel": "providerA-v3"}, nil},
		{"synthesize", object{"text": "⅐", "voice": c, "ttsModel": "providerC-neural2"}, object{"text": "Hello.", "voice": c, "ttsModel": "providerC-neural2"}},
	}
	for _, status := range []int32{400, 413, 422} {
		refusal.Store(status)
		for _, b := range bodies {
			for range 2 {
				before := r.credits(bad)
				answer := r.call("POST", "/api/v1/tts/"+b.path, bad, b.body)
				require.Equal(t, http.StatusBadRequest, answer.status, answer.text)
				require.Equal(t, object{"error": "The provider of this voice does not speak this text. Nothing was charged. " +
					"Change or shorten the text, or use another voice."}, answer.json)
				require.InDelta(t, before, r.credits(bad), 0, "the credits are refunded")
			}
			use := b.use
			if use == nil {
				use = object{"text": "Hello.", "voice": a, "ttsModel": "providerA-v3"}
			}
			r.must("POST", "/api/v1/tts/synthesize", good, use)
		}
		r.waitForLog("the server answered " + strconv.Itoa(int(status)))
	}
	require.NotContains(t, r.call("GET", "/metrics", "", nil).text, "breaker_open{provider=\"ProviderA\"} 1")
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
	for _, secret := range []string{apiKey, "Forbidden"} {
		require.NotContains(t, r.err.String(), secret)
	}
}

// TestVoicesSayTheirEngine: without models the engine of this machine is espeak-ng for every provider. What speaks for another
// server is not known.
func TestVoicesSayTheirEngine(t *testing.T) {
	t.Parallel()
	issuer := identitytest.New(t)
	o := newOperator(t)
	o.file("providers.yaml", "ProviderB: {adapter: openai, url: http://127.0.0.1:1/v1, model: tts}")
	r := o.serve("--models", t.TempDir(), "--providers", "providers.yaml", "--issuer", issuer.URL, "--audience", identitytest.Audience)
	seen := map[any]int{}
	for _, v := range r.must("GET", "/api/v1/tts/voices", issuer.Token("ann"), nil)["voices"].([]any) {
		v := v.(object)
		seen[v["provider"]]++
		engine := v["metadata"].(object)["engine"]
		if v["provider"] == "ProviderB" {
			require.Nil(t, engine)
		} else {
			require.Equal(t, "espeak-ng", engine, v["name"])
		}
	}
	require.Len(t, seen, 3)
}
