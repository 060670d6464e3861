package main_test

import (
	"archive/zip"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
	"github.com/voicewright/voicewright/backend/service/identity/issuertest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// appProgram returns the path of the app, which is built once.
var appProgram = sync.OnceValues(func() (string, error) {
	return programtest.BuildWatched(buildDir, programtest.Module)
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
		for n, settings := range recipes(t, string(page), kind) {
			t.Run(fmt.Sprint(kind.Name, " ", n+1), func(t *testing.T) {
				t.Parallel()
				tryRecipe(t, program, issuertest.Start(t, kind), settings)
			})
		}
	}
}

func tryRecipe(t *testing.T, program string, issuer *issuertest.Issuer, settings string) {
	t.Helper()
	o := newAppOperator(t)
	service := o.serve("--config", o.file("config.yaml", strings.Replace(settings, issuer.Address, issuer.URL, 1)))
	app, stop := o.openApp(program)
	app.must("PUT", "/settings", appToken, object{"hosted.base_url": service.url, "secrets.allow_file": true})

	issuer.ShortTokens(1) // the first token has to be renewed before it can be used
	require.Contains(t, signInThroughApp(t, app), "You are signed in.")
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
	if issuer.Secret != "" {
		require.NotContains(t, service.out.String()+service.err.String(), issuer.Secret)
	}
}

// newAppOperator returns an operator whose programs connect to this machine only.
func newAppOperator(t *testing.T) *operator {
	t.Helper()
	o := newOperator(t)
	o.env = append(o.env, "VOICEWRIGHT_ORT="+o.file("no-runtime", ""), "HF_ENDPOINT=http://127.0.0.1:9")
	return o
}

// TestSettingsOfTheAppSignIn signs in with the settings of the app, to a service that says less. The secret of the service's own
// client is not used for another one, and that of the settings is in no report.
func TestSettingsOfTheAppSignIn(t *testing.T) {
	t.Parallel()
	program, err := appProgram()
	require.NoError(t, err)
	issuer := issuertest.Start(t, issuertest.Kinds()[0])
	o := newAppOperator(t)
	service := o.serve("--issuer", issuer.URL, "--client-id", "another", "--client-secret", issuer.Secret, "--audience", issuer.ClientID)
	app, stop := o.openApp(program)
	app.must("PUT", "/settings", appToken, object{
		"hosted.base_url": service.url, "secrets.allow_file": true, "hosted.client_id": issuer.ClientID, "hosted.scopes": "openid email",
		"hosted.use_id_token": true, "hosted.resource": "none", "hosted.auth_params": "access_type=offline&prompt=consent",
	})
	require.Contains(t, signInThroughApp(t, app), "refused the sign-in")
	require.Equal(t, []string{"invalid_request: client_secret is missing."}, issuer.Refusals())

	app.must("PUT", "/settings", appToken, object{"hosted.client_secret": issuer.Secret})
	require.Contains(t, signInThroughApp(t, app), "You are signed in.")
	require.InDelta(t, 10_000, app.credits(appToken), 0)

	report := filepath.Join(o.dir, "report.zip")
	cmd := exec.CommandContext(t.Context(), program, "doctor", "--bundle", report)
	cmd.Dir, cmd.Env = o.dir, o.env
	said, _ := cmd.CombinedOutput() // it finds fault with this machine, which has no voices
	require.NotContains(t, string(said), issuer.Secret)
	archive, err := zip.OpenReader(report)
	require.NoError(t, err, "%s", said)
	for _, file := range archive.File {
		text, err := fs.ReadFile(archive, file.Name)
		require.NoError(t, err)
		require.NotContains(t, string(text), issuer.Secret, file.Name)
	}
	require.NoError(t, archive.Close())
	stop()
	require.Equal(t, exitDone, service.signal(syscall.SIGTERM))
}

// TestTheAppIsToldHowToSignIn compares the settings with what the service hands out: nothing but the scopes where nobody set more,
// and the secret of a client nowhere else.
func TestTheAppIsToldHowToSignIn(t *testing.T) {
	t.Parallel()
	const secret = "GOCSPX-of-the-app"
	l := newLab(t)
	given := object{
		"issuer": l.issuer.URL, "client_id": identitytest.Audience, "audience": identitytest.Audience, "scopes": "openid email", "client_secret": secret,
		"use_id_token": true, "resource": "none", "auth_params": "access_type=offline&prompt=consent",
	}
	config := l.file("config.yaml", "client_id: "+identitytest.Audience+"\nscopes: openid email\nclient_secret: "+secret+"\nuse_id_token: true\nresource: none\n"+
		"auth-params: access_type=offline&prompt=consent\n")
	flags := []string{
		"--client-id", identitytest.Audience, "--scopes", "openid email", "--client-secret", secret, "--use-id-token", "--resource", "none",
		"--auth-params", "access_type=offline&prompt=consent",
	}
	variables := []string{
		"VOICEWRIGHT_SERVICE_CLIENT_ID=" + identitytest.Audience, "VOICEWRIGHT_SERVICE_SCOPES=openid email", "VOICEWRIGHT_SERVICE_CLIENT_SECRET=" + secret,
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

// recipes returns the settings on the page for a kind of issuer: one or more.
func recipes(t *testing.T, page string, kind issuertest.Kind) []string {
	t.Helper()
	_, section, found := strings.Cut(page, "\n### "+kind.Name+"\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n### ")
	require.Contains(t, section, "Tried against a stub, not against")
	var all []string
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(section, -1) {
		require.Contains(t, block[1], "issuer: "+kind.Address+"\n")
		all = append(all, block[1])
	}
	require.NotEmpty(t, all)
	return all
}

// appToken is the token of the app's local API.
const appToken = "local"

// openApp starts the app's server.
func (o *operator) openApp(program string) (app *running, stop func()) {
	o.t.Helper()
	address, stop := o.serveApp(program)
	return &running{t: o.t, url: address}, stop
}

// signInThroughApp does what a user does: asks the app for the address, and opens it in a browser. It returns the last page.
func signInThroughApp(t *testing.T, app *running) string {
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
	return string(body)
}
