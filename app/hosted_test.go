package app_test

import (
	"encoding/json"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// TestHostedAccount sets the address of a service, which sees nothing before a key is stored and used, stores a key, and changes
// settings while the server runs.
func TestHostedAccount(t *testing.T) {
	t.Parallel()
	service, other := hostedtest.Start(t, hostedtest.Options{}), hostedtest.Start(t, hostedtest.Options{})
	u := newUser(t)
	s := u.serve()
	call := func(want int, method, path, body string) map[string]any {
		t.Helper()
		status, answer := s.request(method, path, body)
		require.Equal(t, want, status, answer)
		var out map[string]any
		if answer != "" {
			require.NoError(t, json.Unmarshal([]byte(answer), &out), answer)
		}
		return out
	}
	events := s.followEvents("/events")
	call(200, "PUT", "/settings", `{"hosted.base_url":"`+service.URL+`","secrets.allow_file":true}`)
	for events.Scan() && events.Text() != "event: hosted" { // the page reads the account again
	}
	require.Equal(t, "hosted_not_signed_in", call(401, "GET", "/hosted/voices", "")["code"])
	require.Equal(t, "", call(200, "GET", "/hosted/status", "")["plan"])
	require.NotContains(t, u.mustRun("doctor"), "hosted service")
	require.Zero(t, s.signal(syscall.SIGTERM))

	s = u.serve() // a start with an address and without a key
	call(200, "GET", "/hosted/status", "")
	require.Empty(t, service.Requests("/"), "nothing was contacted")
	call(200, "PUT", "/hosted/key", `{"key":"`+hostedtest.Key+`"}`)
	require.Equal(t, "pro", call(200, "GET", "/hosted/status", "")["plan"])
	require.Contains(t, u.mustRun("doctor"), "ok       hosted service")

	call(200, "PUT", "/settings", `{"hosted.base_url":"`+other.URL+`"}`)
	st := call(200, "GET", "/hosted/status", "")
	require.Equal(t, "hosted_not_signed_in", st["error"].(map[string]any)["code"])
	require.Empty(t, st["key_prefix"])
	require.Empty(t, other.Requests("/"), "the key of one service is not sent to another")
	require.Equal(t, "hosted_not_signed_in", call(401, "GET", "/api/v1/user/credits", "")["code"])
	require.Empty(t, other.Requests("/"))
	call(200, "PUT", "/settings", `{"hosted.base_url":"`+service.URL+`","hosted.enabled":false}`)
	require.Equal(t, "hosted_not_configured", call(409, "GET", "/hosted/voices", "")["code"])
	call(200, "PUT", "/settings", `{"hosted.enabled":true}`)
	require.NotEmpty(t, call(200, "GET", "/hosted/voices", "")["items"])
}
