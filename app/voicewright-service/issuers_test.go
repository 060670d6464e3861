package main_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
	"github.com/voicewright/voicewright/backend/service/identity/issuertest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// appProgram builds the app once and returns its path.
var appProgram = sync.OnceValues(func() (string, error) {
	path := filepath.Join(filepath.Dir(binary), "voicewright")
	return path, buildPackage(path, module)
})

// TestRecipesOfIssuers signs in through the app with each recipe of docs/service.md, as it is on the page: a browser opens the
// address, a call succeeds, the sign-in is renewed, and the sign-out reaches the issuer.
func TestRecipesOfIssuers(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(enginetest.Root(t), "docs", "service.md"))
	require.NoError(t, err)
	program, err := appProgram()
	require.NoError(t, err)
	for _, kind := range issuertest.Kinds() {
		t.Run(kind.Name, func(t *testing.T) {
			t.Parallel()
			issuer := issuertest.Start(t, kind)
			o := newOperator(t)
			o.env = append(o.env, "VOICEWRIGHT_ORT="+o.file("no-runtime", ""), "HF_ENDPOINT=http://127.0.0.1:9")
			service := o.serve("--config", o.file("config.yaml", recipe(t, string(page), issuer)))
			app, stop := o.openApp(program)
			app.must("PUT", "/settings", appToken, object{"hosted.base_url": service.url, "secrets.allow_file": true})

			issuer.ShortTokens(1) // the first token has to be renewed before it can be used
			signInThroughApp(t, app)
			status := app.must("GET", "/hosted/status", appToken, nil)
			require.Equal(t, true, status["signed_in"])
			require.Equal(t, issuertest.Email, status["email"])
			for range 2 {
				require.InDelta(t, 10_000, app.credits(appToken), 0)
			}
			require.Equal(t, 1, issuer.Refreshed(), "renewed once")
			require.Equal(t, 1, strings.Count(o.mustRun("account", "list"), "active"), "one account")

			app.must("POST", "/hosted/logout", appToken, nil)
			require.Equal(t, issuer.Revokes(), issuer.Ended() == 1)
			answer := app.call("GET", "/api/v1/user/credits", appToken, nil)
			require.Equal(t, http.StatusUnauthorized, answer.status)
			require.Equal(t, "hosted_not_signed_in", answer.json["code"])
			require.Empty(t, issuer.Refusals())

			stop()
			require.Equal(t, exitDone, service.signal(syscall.SIGTERM))
			if kind.Secret != "" {
				require.NotContains(t, service.out.String()+service.err.String(), kind.Secret)
			}
		})
	}
}

// TestTheAppIsToldHowToSignIn compares the settings with what the service hands out: nothing but the scopes where nobody set more,
// and the secret of a client nowhere else.
func TestTheAppIsToldHowToSignIn(t *testing.T) {
	t.Parallel()
	const secret = "GOCSPX-of-the-app"
	l := newLab(t)
	given := object{
		"issuer": l.issuer.URL, "client_id": "app", "audience": identitytest.Audience, "scopes": "openid email", "client_secret": secret,
		"use_id_token": true, "resource": "none", "auth_params": "access_type=offline&prompt=consent",
	}
	config := l.file("config.yaml", "client_id: app\nscopes: openid email\nclient_secret: "+secret+"\nuse_id_token: true\nresource: none\n"+
		"auth-params: access_type=offline&prompt=consent\n")
	flags := []string{
		"--client-id", "app", "--scopes", "openid email", "--client-secret", secret, "--use-id-token", "--resource", "none",
		"--auth-params", "access_type=offline&prompt=consent",
	}
	variables := []string{
		"VOICEWRIGHT_SERVICE_CLIENT_ID=app", "VOICEWRIGHT_SERVICE_SCOPES=openid email", "VOICEWRIGHT_SERVICE_CLIENT_SECRET=" + secret,
		"VOICEWRIGHT_SERVICE_USE_ID_TOKEN=true", "VOICEWRIGHT_SERVICE_RESOURCE=none",
		"VOICEWRIGHT_SERVICE_AUTH_PARAMS=access_type=offline&prompt=consent",
	}
	for name, c := range map[string]struct {
		env, args []string
		want      object
	}{
		"file": {nil, []string{"--config", config}, given}, "flags": {nil, flags, given}, "variables": {variables, nil, given},
		"default": {nil, nil, object{
			"issuer": l.issuer.URL, "client_id": "voicewright", "audience": identitytest.Audience, "scopes": "openid profile email offline_access",
			"use_id_token": false,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			o := *l.withEnv(append(c.env, "VOICEWRIGHT_SERVICE_DATABASE=sqlite:"+filepath.Join(t.TempDir(), "service.db"))...)
			o.t = t
			r := o.serve(c.args...)
			told := r.must("GET", "/.well-known/voicewright", "", nil)
			delete(told, "idempotency_key") // is no matter of signing in
			require.Equal(t, c.want, told)
			require.NotContains(t, o.mustRun("run", "--help"), secret)
			require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
			require.NotContains(t, r.out.String()+r.err.String(), secret)
		})
	}
}

// recipe returns the settings on the page for a kind of issuer, with the address of the stub.
func recipe(t *testing.T, page string, issuer *issuertest.Issuer) string {
	t.Helper()
	_, section, found := strings.Cut(page, "\n### "+issuer.Name+"\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n### ")
	require.Contains(t, section, "Tried against a stub, not against")
	block := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(section)
	require.NotNil(t, block)
	require.Contains(t, block[1], "issuer: "+issuer.Address+"\n")
	return strings.Replace(block[1], "issuer: "+issuer.Address+"\n", "issuer: "+issuer.URL+"\n", 1)
}

// appToken is the token of the app's local API.
const appToken = "local"

// openApp starts the app's server.
func (o *operator) openApp(program string) (app *running, stop func()) {
	o.t.Helper()
	address, stop := o.serveApp(program)
	return &running{t: o.t, url: address}, stop
}

// signInThroughApp does what a user does: asks the app for the address, and opens it in a browser.
func signInThroughApp(t *testing.T, app *running) {
	t.Helper()
	address := app.must("POST", "/hosted/login", appToken, object{"browser": false})["authorization_url"].(string)
	browser := http.Client{Timeout: testTimeout, Transport: &http.Transport{DisableKeepAlives: true}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	res, err := browser.Do(req)
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Contains(t, string(body), "You are signed in.")
}
