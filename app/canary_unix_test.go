//go:build unix

package app_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

// canaryIssuer signs in whoever comes, with the secrets above.
type canaryIssuer struct {
	*identitytest.Issuer
	mu        sync.Mutex
	nonce     string
	verifiers []string // the proofs of the client, which are secrets too
	refreshed int
	client    string // the secret of the client
}

func newCanaryIssuer(t *testing.T) *canaryIssuer {
	i := &canaryIssuer{Issuer: identitytest.New(t)}
	i.Handle(identitytest.DiscoveryPath, func(w http.ResponseWriter, _ *http.Request) {
		respond(w, object{
			"issuer": i.URL, "jwks_uri": i.URL + identitytest.KeysPath, "authorization_endpoint": i.URL + "/authorize",
			"token_endpoint": i.URL + "/token", "revocation_endpoint": i.URL + "/revoke",
		})
	})
	i.Handle("/token", i.token)
	i.Handle("/revoke", func(http.ResponseWriter, *http.Request) {})
	return i
}

func respond(w http.ResponseWriter, body object) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

func (i *canaryIssuer) token(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.client = r.PostForm.Get("client_secret")
	if r.PostForm.Get("grant_type") == "refresh_token" {
		i.refreshed++
		respond(w, object{"access_token": canaryRenewed, "token_type": "Bearer", "expires_in": 3600, "refresh_token": canaryRefresh})
		return
	}
	i.verifiers = append(i.verifiers, r.PostForm.Get("code_verifier"))
	respond(w, object{
		"access_token": canaryAccess, "token_type": "Bearer", "expires_in": 3600, "refresh_token": canaryRefresh,
		"id_token": i.Token("ann", map[string]any{"aud": "canary-client", "nonce": i.nonce, "name": "Ann Example"}),
	})
}

// secrets returns what the issuer has learned of the client.
func (i *canaryIssuer) secrets() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]string(nil), i.verifiers...)
}

// signIn does what a browser does with the address of a sign-in, and returns the page at which it ends.
func (i *canaryIssuer) signIn(t *testing.T, authorization string) string {
	t.Helper()
	u, err := url.Parse(authorization)
	require.NoError(t, err)
	q := u.Query()
	i.mu.Lock()
	i.nonce = q.Get("nonce")
	i.mu.Unlock()
	back := url.Values{"code": {canaryCode}, "state": {q.Get("state")}}
	resp, err := http.Get(q.Get("redirect_uri") + "?" + back.Encode())
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	page, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode, "%s", page)
	return string(page)
}

// canaryRun is a server with secrets, and all that it has said.
type canaryRun struct {
	*server
	said []string
}

// call makes a request, keeps the answer, and requires its status.
func (c *canaryRun) call(want int, method, path, body string, headers ...string) string {
	c.t.Helper()
	status, answer := c.request(method, path, body, headers...)
	require.Equal(c.t, want, status, "%s %s: %s", method, path, answer)
	c.said = append(c.said, answer)
	return answer
}

// TestSecretsStayInTheirPlace uses an API key, a sign-in and a passphrase in every way, and then looks for them wherever the
// program writes: files, log, answers, events, exports, children, and what it prints when it crashes.
func TestSecretsStayInTheirPlace(t *testing.T) {
	t.Parallel()
	issuer := newCanaryIssuer(t)
	service := hostedtest.Start(t, hostedtest.Options{
		Issuer: issuer.URL, Key: canaryKey, Login: object{"client_id": "canary-client", "client_secret": canarySecret},
	})
	service.SetTokens(canaryAccess)
	u, record := recordEnvironment(t, newUser(t), "espeak-ng", "ffmpeg", "xdg-open")
	u = u.withEnv("VOICEWRIGHT_PASSPHRASE="+canaryPassphrase, "DISPLAY=:7")
	c := &canaryRun{server: u.serve("--log-level", "debug")}
	events := c.followEvents("/events")
	var heard lines
	heard.more = make(chan struct{}, 1)
	go func(stream *bufio.Scanner) {
		for stream.Scan() {
			_, _ = heard.Write(append(stream.Bytes(), '\n'))
		}
	}(events)

	c.call(200, "PUT", "/settings", `{"hosted.base_url":"`+service.URL+`","secrets.allow_file":true}`)
	c.useKey(service)
	c.useSignIn(service, issuer)
	c.useExports(u)
	require.Contains(t, service.Requests("/api/v1/user/credits")[0].Header.Get("Authorization")+
		service.Requests("/api/v1/user/credits")[0].Header.Get("X-Api-Key"), canaryKey, "the key is in use")
	require.Eventually(t, func() bool { return strings.Contains(heard.String(), "hosted") }, testTimeout, 5*time.Millisecond)

	// A crash: the program prints all goroutines while it holds the secrets.
	require.NotZero(t, c.signal(syscall.SIGQUIT))
	require.Contains(t, c.err.String(), "goroutine 1")

	all := newCanaries(t, append(issuer.secrets(), canaryKey, canaryPassphrase, canaryRefresh, canaryAccess, canaryRenewed, canaryCode, canarySecret)...)
	for _, answer := range c.said {
		require.Empty(t, all.found([]byte(answer)), answer)
	}
	all.requireNone("log and crash", []byte(c.out.String()+c.err.String()))
	all.requireNone("events", []byte(heard.String()))
	for _, program := range []string{"espeak-ng", "ffmpeg", "xdg-open"} {
		all.requireNone(program, []byte(record(program)))
	}
	all.requireNoneBelow(u.data)
	all.requireNoneBelow(u.dir)
	require.FileExists(t, filepath.Join(u.data, "secrets.enc"), "where they are")
}

// useKey stores the API key and uses it, also where the service fails and repeats it.
func (c *canaryRun) useKey(service *hostedtest.Service) {
	c.t.Helper()
	c.call(200, "PUT", "/hosted/key", `{"key":"`+canaryKey+`"}`)
	c.call(200, "GET", "/hosted/key", "")
	c.call(200, "GET", "/hosted/status", "")
	c.call(200, "GET", "/hosted/voices", "")
	c.call(200, "GET", "/hosted/models", "")
	c.call(200, "POST", "/hosted/test", "")
	echo := "<html>" + canaryKey + " " + canaryAccess + "</html>"
	service.Fault("/api/v1/tts/voices", hostedtest.Fault{Status: 500, Type: "text/html", Body: echo},
		hostedtest.Fault{Type: "text/html", Body: echo}, hostedtest.Fault{Body: `{"voices":"` + canaryKey + `"}`},
		hostedtest.Fault{Status: 400, Body: `{"error":"` + canaryKey + `","message":"` + canaryKey + `"}`},
		hostedtest.Fault{Redirect: "https://other.example/" + canaryKey})
	for range 5 {
		_, answer := c.request("GET", "/hosted/voices?refresh=true", "")
		c.said = append(c.said, answer)
	}
	c.call(200, "GET", "/api/v1/user/credits", "")
	c.call(200, "POST", "/api/v1/tts/synthesize", `{"text":"Hello.","voice":"`+hostedtest.VoiceID(0)+`","ttsModel":"providerA-v3"}`)
	c.call(200, "GET", "/api/v1/tts/voices", "", "X-Voicewright-Auth: key")
	c.call(404, "GET", "/api/v1/admin/"+canaryKey, "")
	c.call(200, "POST", "/hosted/enhance", `{"text":"Hello there."}`)
	speech := `{"voice":"hosted:` + hostedtest.VoiceID(0) + `","text":"Hello."}`
	c.call(200, "POST", "/hosted/quote", speech)
	speech = `{"profile_id":"` + c.firstProfile() + `",` + speech[1:]
	c.call(200, "POST", "/generate", speech)
	service.Fault("/api/v1/tts/synthesize", hostedtest.Fault{Status: 500, Type: "text/html", Body: echo})
	_, failed := c.request("POST", "/generate", speech)
	c.said = append(c.said, failed)
	service.Fault("/api/v1/user/credits", hostedtest.Fault{Cut: hostedtest.CutBefore})
	_, answer := c.request("GET", "/api/v1/user/credits", "") // retried or a failure, which is worded
	c.said = append(c.said, answer)
	c.call(422, "PUT", "/hosted/key", `{"key":"Bearer `+canaryKey+` "}`)
	c.call(422, "PUT", "/hosted/key", `{"key":["`+canaryKey+`"]}`)
}

// useSignIn signs in, has the token renewed, and uses it.
func (c *canaryRun) useSignIn(service *hostedtest.Service, issuer *canaryIssuer) {
	c.t.Helper()
	begun := parseJSON(c.t, c.call(202, "POST", "/hosted/login", ""))
	c.said = append(c.said, issuer.signIn(c.t, begun["authorization_url"].(string)))
	require.Eventually(c.t, func() bool {
		_, status := c.request("GET", "/hosted/status", "")
		return parseJSON(c.t, status)["signed_in"] == true
	}, testTimeout, 5*time.Millisecond)
	c.call(200, "GET", "/hosted/status", "")
	c.call(204, "DELETE", "/hosted/key", "")
	service.SetTokens(canaryRenewed) // the first token has expired
	c.call(200, "GET", "/hosted/voices?refresh=true", "")
	require.Positive(c.t, issuer.refreshed)
	require.Equal(c.t, canarySecret, issuer.client)
	c.call(200, "PUT", "/hosted/key", `{"key":"`+canaryKey+`"}`)
	c.call(409, "POST", "/hosted/login/finish", `{"url":"http://127.0.0.1/?code=`+canaryCode+`&state=x"}`)
}

// useExports generates speech and exports all that can be exported.
func (c *canaryRun) useExports(u *user) {
	c.t.Helper()
	profile := c.firstProfile()
	c.call(200, "POST", "/generate", `{"profile_id":"`+profile+`","text":"Hello.","format":"mp3"}`)
	for _, path := range []string{"/profiles/" + profile + "/export", "/history/export?format=csv", "/history/export?format=json", "/backup", "/settings", "/system"} {
		c.call(200, "GET", path, "")
	}
	u.mustRun("backup", "library.zip")
	c.said = append(c.said, u.mustRun("--log-level", "debug", "doctor", "--bundle", "report.zip"))
}
