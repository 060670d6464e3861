package main_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

// apiKey is the key of the speaking server; it must appear nowhere.
const apiKey = "sk-of-the-provider-0123456789"

// lab is an operator with an issuer of tokens and a server that speaks for ProviderA and ProviderC.
type lab struct {
	*operator
	issuer *identitytest.Issuer
	speech *speechServer
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{operator: newOperator(t), issuer: identitytest.New(t), speech: newSpeechServer(t)}
	server := "{adapter: openai, url: " + l.speech.url + "/v1, api_key: " + apiKey + ", model: tts, queue: 8, timeout: 60s}\n"
	providers := l.file("providers.yaml", "ProviderA: "+server+"ProviderC: "+server)
	l.env = append(l.env, "VOICEWRIGHT_SERVICE_PROVIDERS="+providers, "VOICEWRIGHT_SERVICE_ISSUER="+l.issuer.URL,
		"VOICEWRIGHT_SERVICE_AUDIENCE="+identitytest.Audience)
	return l
}

// speechServer is a server of OpenAI's shape. While it holds, requests wait.
type speechServer struct {
	url     string
	hold    chan struct{} // receives one value for each request that may end; nil: all of them
	started chan struct{} // receives a value when a request begins
}

func newSpeechServer(t *testing.T) *speechServer {
	s := &speechServer{started: make(chan struct{}, 100)}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func (s *speechServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	s.started <- struct{}{}
	if s.hold != nil {
		select {
		case <-s.hold:
		case <-r.Context().Done():
			return
		}
	}
	w.Header().Set("Content-Type", "audio/wav")
	_, _ = w.Write(tone())
}

// tone returns half a second of a square wave as a WAV file.
func tone() []byte {
	const rate = 24000
	samples := make([]float32, rate/2)
	for i := range samples {
		samples[i] = 0.25 * float32(1-2*(i/50%2))
	}
	return audio.PCM16(audio.WAVHeader(rate, 1, uint32(2*len(samples))), samples)
}

// answer is the answer to a request.
type answer struct {
	status int
	header http.Header
	text   string
	json   object
}

// call sends a request with a credential, and a body that is sent as JSON unless it is nil.
func (r *running) call(method, path, credential string, body any) answer {
	r.t.Helper()
	a, err := r.tryCall(method, path, credential, body)
	require.NoError(r.t, err)
	return a
}

func (r *running) tryCall(method, path, credential string, body any) (answer, error) {
	return r.tryKeyed(method, path, credential, "", body)
}

// tryKeyed is tryCall with an idempotency key, unless that is empty.
func (r *running) tryKeyed(method, path, credential, key string, body any) (answer, error) {
	var reader io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return answer{}, err
		}
		reader = bytes.NewReader(raw)
	}
	if !strings.HasPrefix(path, "http") {
		path = r.url + path
	}
	q, err := http.NewRequestWithContext(r.t.Context(), method, path, reader)
	if err != nil {
		return answer{}, err
	}
	if credential != "" {
		q.Header.Set("Authorization", "Bearer "+credential)
	}
	if key != "" {
		q.Header.Set("Idempotency-Key", key)
	}
	client := http.Client{Timeout: testTimeout, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(q)
	if err != nil {
		return answer{}, err
	}
	text, err := io.ReadAll(res.Body)
	if err == nil {
		err = res.Body.Close()
	}
	a := answer{status: res.StatusCode, header: res.Header, text: string(text)}
	_ = json.Unmarshal(text, &a.json) // not every answer is an object
	return a, err
}

// must sends a request that must succeed.
func (r *running) must(method, path, credential string, body any) object {
	r.t.Helper()
	a := r.call(method, path, credential, body)
	require.Less(r.t, a.status, 300, a.text)
	return a.json
}

// credits returns the balance of the user of a token.
func (r *running) credits(token string) float64 {
	r.t.Helper()
	return r.must("GET", "/api/v1/user/credits", token, nil)["credits"].(float64)
}

// voice returns a voice of a provider.
func (r *running) voice(token, provider string) string {
	r.t.Helper()
	for _, v := range r.must("GET", "/api/v1/tts/voices", token, nil)["voices"].([]any) {
		if v := v.(object); v["provider"] == provider {
			return v["id"].(string)
		}
	}
	require.Fail(r.t, "no voice of "+provider)
	return ""
}

// synthesis is a body of synthesize: 100 characters, which cost 40 credits with a voice of ProviderC.
func (r *running) synthesis(token string) object {
	r.t.Helper()
	return object{"text": strings.Repeat("A tone.  x", 10), "voice": r.voice(token, "ProviderC"), "ttsModel": "providerC-neural2"}
}

// background runs a call and returns its answer later; nil where the connection broke.
func (r *running) background(method, path, credential string, body any) <-chan *answer {
	done := make(chan *answer, 1)
	go func() {
		if a, err := r.tryCall(method, path, credential, body); err == nil {
			done <- &a
		} else {
			done <- nil
		}
	}()
	return done
}

// waitFor waits for a value of a channel.
func waitFor[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(testTimeout):
		require.Fail(t, "nothing happened")
		panic("unreachable")
	}
}
