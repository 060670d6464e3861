//go:build unix

package app_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
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

// The secrets that must be found nowhere. Some have characters that JSON and addresses escape.
const (
	canaryKey        = "svc_sk_cnryQ7vX2mK9pR4tW8zB3nH6jL1sD5gF0aYc"
	canaryPassphrase = `canary "passphrase" <with> \ & ü`
	canaryRefresh    = `canary-refresh/"<4rT&9>\+zQ=`
	canaryAccess     = "eyJhbGciOiJub25lIn0.eyJjYW5hcnkiOiJhY2Nlc3MifQ.c2lnbmF0dXJlLW9mLWNhbmFyeS0x"
	canaryRenewed    = "eyJhbGciOiJub25lIn0.eyJjYW5hcnkiOiJyZW5ld2VkIn0.c2lnbmF0dXJlLW9mLWNhbmFyeS0y"
	canaryCode       = "canary-code-5Jw2"
)

// forms returns how a secret may appear: plain, in JSON, in an address, in hexadecimal digits, and in base64 at each offset.
func forms(secret string) [][]byte {
	escaped, _ := json.Marshal(secret)
	var plainer bytes.Buffer
	e := json.NewEncoder(&plainer)
	e.SetEscapeHTML(false)
	_ = e.Encode(secret)
	all := [][]byte{
		[]byte(secret), bytes.Trim(escaped, `"`), bytes.Trim(bytes.TrimSpace(plainer.Bytes()), `"`),
		[]byte(url.QueryEscape(secret)), []byte(hex.EncodeToString([]byte(secret))),
	}
	for offset := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := encoding.EncodeToString([]byte(strings.Repeat("x", offset) + secret))
			all = append(all, []byte(text[(8*offset+5)/6:len(text)-1])) // without characters that its neighbours change
		}
	}
	return all
}

// canaries is what is looked for, and where each was found.
type canaries struct {
	t     *testing.T
	forms map[string][][]byte
}

func newCanaries(t *testing.T, secrets ...string) *canaries {
	c := &canaries{t: t, forms: map[string][][]byte{}}
	for _, s := range secrets {
		c.forms[s] = forms(s)
	}
	return c
}

// found returns the secrets in some content; zip files are looked into.
func (c *canaries) found(content []byte) []string {
	c.t.Helper()
	var names []string
	for secret, all := range c.forms {
		for _, form := range all {
			if bytes.Contains(content, form) {
				names = append(names, secret+" as "+string(form))
			}
		}
	}
	if z, err := zip.NewReader(bytes.NewReader(content), int64(len(content))); err == nil {
		for _, f := range z.File {
			r, err := f.Open()
			require.NoError(c.t, err)
			inner, err := io.ReadAll(r)
			require.NoError(c.t, err)
			names = append(names, c.found(inner)...)
		}
	}
	return names
}

func (c *canaries) requireNone(where string, content []byte) {
	c.t.Helper()
	require.NotEmpty(c.t, content, where)
	require.Empty(c.t, c.found(content), where)
}

// requireNoneBelow looks into all files of a folder.
func (c *canaries) requireNoneBelow(dir string) {
	c.t.Helper()
	require.NoError(c.t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		require.NoError(c.t, err)
		require.Empty(c.t, c.found(raw), path)
		return nil
	}))
}

func TestCanariesAreFound(t *testing.T) {
	t.Parallel()
	c := newCanaries(t, canaryRefresh)
	escaped, err := json.Marshal(map[string]string{"value": canaryRefresh})
	require.NoError(t, err)
	require.NotContains(t, string(escaped), canaryRefresh)
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	w, err := z.Create("secret.txt")
	require.NoError(t, err)
	_, err = io.WriteString(w, canaryRefresh)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	contents := [][]byte{
		[]byte("before" + canaryRefresh + "after"), escaped, []byte("a=" + url.QueryEscape(canaryRefresh)), zipped.Bytes(),
	}
	for _, before := range []string{"", "1", "22", "333"} {
		contents = append(contents, []byte(base64.StdEncoding.EncodeToString([]byte(before+canaryRefresh+"after"))),
			[]byte(base64.URLEncoding.EncodeToString([]byte(before+canaryRefresh+"x"))))
	}
	for _, content := range contents {
		require.NotEmpty(t, c.found(content), "%s", content)
	}
	require.Empty(t, c.found([]byte(canaryRefresh[:len(canaryRefresh)-1])))
}

// canaryIssuer signs in whoever comes, with the secrets above.
type canaryIssuer struct {
	*identitytest.Issuer
	mu        sync.Mutex
	nonce     string
	verifiers []string // the proofs of the client, which are secrets too
	refreshed int
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
	service := hostedtest.Start(t, hostedtest.Options{Issuer: issuer.URL, Key: canaryKey})
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

	c.call(200, "PUT", "/settings", `{"hosted.base_url":"`+service.URL+`","secrets.allow_file":true,"hosted.client_id":"canary-client"}`)
	c.useKey(service)
	c.useSignIn(service, issuer)
	c.useExports(u)
	require.Contains(t, service.Requests("/api/v1/user/credits")[0].Header.Get("Authorization")+
		service.Requests("/api/v1/user/credits")[0].Header.Get("X-Api-Key"), canaryKey, "the key is in use")
	require.Eventually(t, func() bool { return strings.Contains(heard.String(), "hosted") }, testTimeout, 5*time.Millisecond)

	// A crash: the program prints all goroutines while it holds the secrets.
	require.NotZero(t, c.signal(syscall.SIGQUIT))
	require.Contains(t, c.err.String(), "goroutine 1")

	all := newCanaries(t, append(issuer.secrets(), canaryKey, canaryPassphrase, canaryRefresh, canaryAccess, canaryRenewed, canaryCode)...)
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
