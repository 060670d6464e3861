package httpapi_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/httpapi"
)

func TestToken(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	const none = "-Authorization"
	for _, c := range []struct {
		method, path string
		header       string
		want         int
	}{
		{"GET", "/health", none, 200},
		{"HEAD", "/health", none, 200},
		{"GET", "/docs", none, 200},
		{"GET", "/", none, 200},
		{"GET", "/index.html", none, 200},
		{"GET", "/assets/app.js", none, 200},
		{"GET", "/assets/none.js", none, 401},
		{"GET", "/openapi.json", none, 401},
		{"GET", "/openapi.json", "Authorization: Bearer " + token, 200},
		{"GET", "/openapi.json", "Authorization: bearer " + token, 200},
		{"GET", "/openapi.json", "Authorization: Bearer " + token + "x", 401},
		{"GET", "/openapi.json", "Authorization: Bearer", 401},
		{"GET", "/openapi.json", "Authorization: Basic " + token, 401},
		{"GET", "/openapi.json?token=" + token, none, 401},
		{"POST", "/health", none, 401},
		{"POST", "/", none, 401},
		{"POST", "/echo", none, 401},
		{"GET", "/events", none, 401},
		{"GET", "/docs/../items/" + itemID, none, 401},
		{"GET", "//openapi.json", none, 401},
		{"GET", "/no/such/route", none, 401},
	} {
		a := r.do(c.method, c.path, "", c.header)
		require.Equal(t, c.want, a.StatusCode, "%s %s %s", c.method, c.path, c.header)
		if c.want == http.StatusUnauthorized {
			require.Equal(t, "Bearer", a.Header.Get("WWW-Authenticate"))
			require.Contains(t, a.body, `"code":"unauthorized"`)
		}
		require.NotContains(t, a.body, token)
	}
}

func TestNoToken(t *testing.T) {
	t.Parallel()
	r := start(t, func(o *httpapi.Options) { o.Token = "" })
	require.Equal(t, 200, r.do("GET", "/openapi.json", "", "-Authorization").StatusCode)
}

func TestHostAndOrigin(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	p := r.port()
	for _, c := range []struct {
		host, origin string
		want         int
	}{
		{"127.0.0.1:" + p, "", 200},
		{"localhost:" + p, "", 200},
		{"LOCALHOST:" + p, "", 200},
		{"studio.lan:" + p, "", 200},
		{"other.lan:99", "", 200},
		{"other.lan:" + p, "", 421},
		{"studio.lan:1", "", 421},
		{"127.0.0.1", "", 421},
		{"localhost", "", 421},
		{"127.0.0.1:1", "", 421},
		{"127.0.0.2:" + p, "", 421},
		{"0x7f000001:" + p, "", 421},
		{"[::1]:" + p, "", 421},
		{"[::ffff:127.0.0.1]:" + p, "", 200},
		{"evil.example:" + p, "", 421},
		{"localhost.evil.example:" + p, "", 421},
		{"192.168.1.5:" + p, "", 421},

		{"127.0.0.1:" + p, "http://127.0.0.1:" + p, 200},
		{"127.0.0.1:" + p, "http://localhost:" + p, 200},
		{"127.0.0.1:" + p, "wails://wails", 200},
		{"127.0.0.1:" + p, "http://wails.localhost", 200},
		{"127.0.0.1:" + p, "http://localhost:34115", 200},
		{"studio.lan:" + p, "http://studio.lan:" + p, 200},
		{"127.0.0.1:" + p, "http://studio.lan:" + p, 403},
		{"127.0.0.1:" + p, "https://127.0.0.1:" + p, 403},
		{"127.0.0.1:" + p, "http://127.0.0.1:1", 403},
		{"127.0.0.1:" + p, "http://127.0.0.1", 403},
		{"127.0.0.1:" + p, "http://evil.example", 403},
		{"127.0.0.1:" + p, "http://127.0.0.1:" + p + ".evil.example", 403},
		{"127.0.0.1:" + p, "null", 403},
	} {
		headers := []string{"-Authorization", "Host: " + c.host}
		if c.origin != "" {
			headers = append(headers, "Origin: "+c.origin)
		}
		a := r.do("GET", "/health", "", headers...)
		name := fmt.Sprintf("host %s origin %s", c.host, c.origin)
		require.Equal(t, c.want, a.StatusCode, name)
		require.Equal(t, []string{"Origin"}, a.Header.Values("Vary"), name)
		allowed := ""
		if c.want == 200 {
			allowed = c.origin
		}
		require.Equal(t, allowed, a.Header.Get("Access-Control-Allow-Origin"), name)
	}
}

// TestAllowedBySettings allows hosts and origins while the server runs.
func TestAllowedBySettings(t *testing.T) {
	t.Parallel()
	var origins, hosts []string
	r := start(t, func(o *httpapi.Options) {
		o.Allowed = func() (o, h []string) { return origins, hosts }
	})
	page, name := []string{"-Authorization", "Origin: https://page.example"}, []string{"-Authorization", "Host: mine.example:" + r.port()}
	require.Equal(t, 403, r.do("GET", "/health", "", page...).StatusCode)
	require.Equal(t, 421, r.do("GET", "/health", "", name...).StatusCode)
	origins, hosts = []string{"HTTPS://Page.example/", "odd"}, []string{"a/b", "Mine.example", "front.example:443"}
	a := r.do("GET", "/health", "", page...)
	require.Equal(t, 200, a.StatusCode)
	require.Equal(t, "https://page.example", a.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, 200, r.do("GET", "/health", "", name...).StatusCode)
	require.Equal(t, 200, r.do("GET", "/health", "", "-Authorization", "Host: front.example:443").StatusCode)
	require.Equal(t, 421, r.do("GET", "/health", "", "-Authorization", "Host: front.example:"+r.port()).StatusCode)
	require.Equal(t, 401, r.do("GET", "/openapi.json", "", page...).StatusCode, "it still needs the token")
	origins, hosts = nil, nil
	require.Equal(t, 403, r.do("GET", "/health", "", page...).StatusCode)
}

// TestBoundAddresses returns the API other bound addresses than the one that the test reaches it by.
func TestBoundAddresses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bound, host string
		want        int
	}{
		{"[::1]:7411", "[::1]:7411", 200},
		{"[::1]:7411", "localhost:7411", 200},
		{"[::1]:7411", "127.0.0.1:7411", 421},
		{"0.0.0.0:7411", "192.168.1.5:7411", 200},
		{"0.0.0.0:7411", "[fe80::1]:7411", 200},
		{"0.0.0.0:7411", "localhost:7411", 200},
		{"0.0.0.0:7411", "nas.lan:7411", 421},
		{"0.0.0.0:7411", "192.168.1.5:7412", 421},
		{"[::]:7411", "10.0.0.1:7411", 200},
		{"127.0.0.1:80", "127.0.0.1", 200},
	} {
		r := start(t, func(o *httpapi.Options) {
			o.Addr = func() net.Addr {
				a, err := net.ResolveTCPAddr("tcp", c.bound)
				require.NoError(t, err)
				return a
			}
		})
		require.Equal(t, c.want, r.do("GET", "/health", "", "Host: "+c.host).StatusCode, "%s as %s", c.bound, c.host)
	}
}

func TestPreflight(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	a := r.do("OPTIONS", "/generate", "", "-Authorization", "Origin: wails://wails",
		"Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization")
	require.Equal(t, 204, a.StatusCode)
	require.Equal(t, "wails://wails", a.Header.Get("Access-Control-Allow-Origin"))
	for _, name := range []string{"Authorization", "Content-Type", "Prefer", "Range", "Idempotency-Key"} {
		require.Contains(t, a.Header.Get("Access-Control-Allow-Headers"), name)
	}
	a = r.do("OPTIONS", "/generate", "", "-Authorization", "Origin: http://evil.example", "Access-Control-Request-Method: POST")
	require.Equal(t, 403, a.StatusCode)
	require.Equal(t, 401, r.do("OPTIONS", "/generate", "", "-Authorization").StatusCode)
	// The page must be able to read why it was refused.
	a = r.do("GET", "/openapi.json", "", "-Authorization", "Origin: wails://wails")
	require.Equal(t, 401, a.StatusCode)
	require.Equal(t, "wails://wails", a.Header.Get("Access-Control-Allow-Origin"))
}

func TestMalformedAllowances(t *testing.T) {
	t.Parallel()
	_, err := httpapi.New(httpapi.Options{AllowHosts: []string{"http://x"}})
	require.Error(t, err)
	_, err = httpapi.New(httpapi.Options{AllowOrigins: []string{"x"}})
	require.Error(t, err)
}

func TestSignedAudio(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Now()
	clock := func() time.Time { return now }
	r := start(t, func(o *httpapi.Options) { o.Audio, o.Now = files{dir}, clock })
	require.NoError(t, os.WriteFile(filepath.Join(dir, itemID+".wav"), []byte("0123456789"), 0o600))
	url := r.api.AudioURL(itemID)

	a := r.do("GET", url, "", "-Authorization")
	require.Equal(t, 200, a.StatusCode)
	require.Equal(t, "0123456789", a.body)
	require.Equal(t, "audio/wav", a.Header.Get("Content-Type"))
	require.Equal(t, "private", a.Header.Get("Cache-Control"))
	a = r.do("GET", url, "", "-Authorization", "Range: bytes=2-4")
	require.Equal(t, 206, a.StatusCode)
	require.Equal(t, "234", a.body)
	a = r.do("HEAD", url, "", "-Authorization")
	require.Equal(t, int64(10), a.ContentLength)
	require.Equal(t, 200, r.do("GET", "/audio/"+itemID, "").StatusCode, "the token does without a signature")

	other := "0190b7a6-7c4f-7e0a-9c3a-2f4b6d8e0a1d"
	require.Equal(t, 401, r.do("GET", strings.Replace(url, itemID, other, 1), "", "-Authorization").StatusCode)
	require.Equal(t, 401, r.do("GET", url+"x", "", "-Authorization").StatusCode)
	require.Equal(t, 401, r.do("GET", strings.Replace(url, "exp=", "exp=1", 1), "", "-Authorization").StatusCode)
	require.Equal(t, 401, r.do("GET", "/audio/"+itemID, "", "-Authorization").StatusCode)

	a = r.do("GET", r.api.AudioURL(other), "", "-Authorization")
	require.Equal(t, 410, a.StatusCode)
	require.Contains(t, a.body, `"code":"audio_missing"`)
	require.NotContains(t, a.body, dir)
	require.Equal(t, 404, r.do("GET", r.api.AudioURL("00000000-7c4f-7e0a-9c3a-2f4b6d8e0a1c"), "").StatusCode)
	require.Equal(t, 422, r.do("GET", "/audio/..%2fx", "").StatusCode)

	now = now.Add(time.Hour + time.Second)
	require.Equal(t, 401, r.do("GET", url, "", "-Authorization").StatusCode)
}
