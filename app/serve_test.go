package app_test

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestServe(t *testing.T) {
	u := newUser(t)
	s := u.serve()
	require.Regexp(t, `^listening on http://127\.0\.0\.1:[0-9]+\nopen http://127\.0\.0\.1:[0-9]+/#token=[A-Za-z0-9_-]{43}\n$`, s.out.String())
	status, body := s.request("GET", "/health", "", "Authorization: none")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "ok", parseJSON(t, body)["status"])
	status, body = s.request("GET", "/", "", "Authorization: none")
	require.Equal(t, http.StatusOK, status)
	require.NotContains(t, body, s.token)
	status, _ = s.request("GET", "/profiles", "", "Authorization: none")
	require.Equal(t, http.StatusUnauthorized, status)
	status, _ = s.request("GET", "/profiles", "")
	require.Equal(t, http.StatusOK, status)

	for _, name := range []string{"token", "server.json", "voicewright.db"} {
		info, err := os.Stat(filepath.Join(u.data, name))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
	}
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM), s.err.String())
	require.Empty(t, s.err.String())
	require.NotContains(t, s.out.String(), "Stopped")
	require.NoFileExists(t, filepath.Join(u.data, "server.json"))

	again := u.serve()
	require.Equal(t, s.token, again.token, "the token is saved")
	require.Equal(t, exitDone, again.signal(syscall.SIGINT))
}

// TestServeAcceptsTheWindow accepts the page of our own window, and no other page.
func TestServeAcceptsTheWindow(t *testing.T) {
	s := newUser(t).serve()
	for origin, want := range map[string]int{
		"wails://wails": http.StatusOK, "http://wails.localhost": http.StatusOK,
		"wails://other": http.StatusForbidden, "http://wails.localhost.example.org": http.StatusForbidden,
	} {
		status, body := s.request("GET", "/profiles", "", "Origin: "+origin)
		require.Equal(t, want, status, "%s: %s", origin, body)
	}
}

func TestServeJSON(t *testing.T) {
	u := newUser(t)
	r := u.start("serve", "--addr", "127.0.0.1:0", "--json", "--token", "my own")
	line := r.waitForLines(1)[0]
	require.Regexp(t, `^\{"token":"my own","url":"http://127\.0\.0\.1:[0-9]+"\}$`, line)
	s := &server{r, parseJSON(t, line)["url"].(string), "my own"}
	status, _ := s.request("GET", "/profiles", "")
	require.Equal(t, http.StatusOK, status)
	require.NoFileExists(t, filepath.Join(u.data, "token"), "a token of the user is not saved")
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
	require.Equal(t, line+"\n", r.out.String())
}

func TestServeTokens(t *testing.T) {
	u := newUser(t)
	given := u.withEnv("VOICEWRIGHT_TOKEN=from-outside").serve()
	require.Equal(t, "from-outside", given.token)
	require.Equal(t, exitDone, given.signal(syscall.SIGTERM))
	open := u.serve("--no-token")
	require.Equal(t, "listening on "+open.url+"\nopen "+open.url+"/\n", open.out.String())
	status, _ := open.request("GET", "/profiles", "", "Authorization: none")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, exitDone, open.signal(syscall.SIGTERM))
	u.mustFail(exitUsage, []string{"--no-token", "loopback"}, "serve", "--addr", "0.0.0.0:0", "--no-token")
	require.NoFileExists(t, filepath.Join(u.data, "server.json"))
}

func TestServeAddresses(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, taken.Close()) }()
	u.mustFail(exitFailed, []string{taken.Addr().String() + " is already in use", "--addr"}, "serve", "--addr", taken.Addr().String())
	for _, addr := range []string{"7411", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:x", ""} {
		u.mustFail(exitUsage, []string{"--addr"}, "serve", "--addr", addr)
	}
	u.mustFail(exitFailed, []string{"cannot listen on 192.0.2.1:7411"}, "serve", "--addr", "192.0.2.1:7411")
	u.mustFail(exitUsage, []string{"llowed host"}, "serve", "--allow-host", "http://x")
	u.mustFail(exitUsage, []string{"llowed origin"}, "serve", "--allow-origin", "x")
	u.mustFail(exitUsage, []string{"--tls-cert"}, "serve", "--tls-cert", "none.pem", "--tls-key", "none.pem")
	require.NoFileExists(t, filepath.Join(u.data, "server.json"))

	// When the default port is in use, the next free one is used. Other programs decide which ports are free.
	first, second := u.start("serve").waitForAddress(), newUser(t).start("serve").waitForAddress()
	require.NotEqual(t, port(t, first), port(t, second))
	for _, s := range []*server{first, second} {
		require.GreaterOrEqual(t, port(t, s), 7411)
	}
	status, body := first.request("PUT", "/settings", `{"api.address":"`+taken.Addr().String()+`"}`)
	require.Equal(t, http.StatusOK, status, body)
	require.Equal(t, exitDone, first.signal(syscall.SIGTERM))
	first = u.start("serve").waitForAddress()
	require.Greater(t, port(t, first), taken.Addr().(*net.TCPAddr).Port)
	status, _ = first.request("PUT", "/settings", `{"api.address":"127.0.0.1:7411"}`)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, exitDone, first.signal(syscall.SIGTERM))

	// Other machines can reach this one: there is a warning.
	public := u.serve("--addr", "0.0.0.0:0")
	require.Eventually(t, func() bool { return strings.HasSuffix(public.err.String(), "\n") }, testTimeout, time.Millisecond)
	require.Contains(t, public.err.String(), "Warning: ")
	require.Contains(t, public.err.String(), "plain HTTP")
	require.Contains(t, u.mustRun("doctor"), "running at "+public.url)
	require.Equal(t, exitDone, public.signal(syscall.SIGTERM))
}

func port(t *testing.T, s *server) int {
	t.Helper()
	u, err := url.Parse(s.url)
	require.NoError(t, err)
	n, err := strconv.Atoi(u.Port())
	require.NoError(t, err)
	return n
}

// TestCommandsUseTheServer runs commands while a server holds the data directory.
func TestCommandsUseTheServer(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	s := u.serve()
	u.mustFail(exitFailed, []string{"Another copy of Voicewright is using " + u.data, "--data"}, "serve", "--addr", "127.0.0.1:0")
	u.mustRun("say", "Hello.", "-o", "a.wav")
	require.Positive(t, u.readWAV("a.wav").Frames())
	_, body := s.request("GET", "/history", "")
	require.EqualValues(t, 1, parseJSON(t, body)["total"])
	require.Len(t, u.history(), 1)
	u.mustRun("profiles", "create", "Narrator")
	_, body = s.request("GET", "/profiles", "")
	require.EqualValues(t, 2, parseJSON(t, body)["total"])
	require.Contains(t, u.mustRun("doctor"), "in use by the running server")

	// An interrupted command cancels its work on the server.
	write(t, filepath.Join(u.dir, "long.txt"), longText(100))
	say := u.start("say", "--file", "long.txt", "-o", "b.wav")
	require.Eventually(t, func() bool { return strings.Contains(say.err.String(), "generating") }, testTimeout, 5*time.Millisecond)
	require.Equal(t, exitInterrupted, say.signal(syscall.SIGINT))
	require.Equal(t, "cancelled", u.history()[0]["status"])
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
	require.Len(t, u.history(), 2)
}

// TestStopFinishesWork stops a server that generates speech: the running job is finished, a queued one fails with a remedy.
func TestStopFinishesWork(t *testing.T) {
	u, release := newUser(t).holdSpeech(t)
	s := u.serve()
	running := s.startGeneration("One. Two. Three.")
	status, body := s.request("POST", "/generate", `{"profile_id":"`+s.firstProfile()+`","text":"Hello."}`, "Prefer: respond-async")
	require.Equal(t, http.StatusAccepted, status, body)
	events := s.followEvents("/generate/" + parseJSON(t, body)["id"].(string) + "/events")
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	for events.Scan() { // until the message that it will not be generated
	}
	release()
	require.Equal(t, exitDone, s.wait(), s.err.String())
	rows := u.history()
	require.Equal(t, running, rows[1]["id"])
	require.Equal(t, "complete", rows[1]["status"])
	require.FileExists(t, rows[1]["audio_path"].(string))
	require.Equal(t, "failed", rows[0]["status"])
	require.Equal(t, "interrupted", rows[0]["error"].(object)["code"])
	require.NotEmpty(t, rows[0]["error"].(object)["remedy"])
}

// holdSpeech returns a user whose espeak-ng waits for release before it speaks.
func (u *user) holdSpeech(t *testing.T) (other *user, release func()) {
	t.Helper()
	real, err := exec.LookPath("espeak-ng")
	require.NoError(t, err)
	dir := t.TempDir()
	script := "#!/bin/sh\ncase \"$*\" in *--v*) ;; *) while [ -d " + dir + " ] && [ ! -e " + dir + "/go ]; do sleep 0.02; done ;; esac\n" +
		"exec " + real + " \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "espeak-ng"), []byte(script), 0o700))
	release = func() { write(t, filepath.Join(dir, "go"), "") }
	return u.withEnv("PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")), release
}

// TestKilledServer starts again after SIGKILL.
func TestKilledServer(t *testing.T) {
	u := newUser(t)
	s := u.serve()
	id := s.startGeneration(longText(100))
	require.Eventually(t, func() bool { return len(u.audioFiles()) > 0 }, testTimeout, 5*time.Millisecond, "there is an unfinished file")
	require.Equal(t, -1, s.signal(syscall.SIGKILL))
	require.FileExists(t, filepath.Join(u.data, "server.json"))
	require.NotEmpty(t, u.audioFiles(), "it stays")

	rows := u.history() // without a server, the command opens the directory itself
	require.Len(t, rows, 1)
	require.Equal(t, id, rows[0]["id"])
	require.Equal(t, "failed", rows[0]["status"])
	require.Empty(t, rows[0]["audio_path"])
	failure := rows[0]["error"].(object)
	require.Equal(t, "interrupted", failure["code"])
	require.Contains(t, failure["remedy"], "etry")
	require.Empty(t, u.audioFiles())
	require.NoFileExists(t, filepath.Join(u.data, "server.json"))

	next := u.serve()
	status, body := next.request("POST", "/generate/"+id+"/retry", "")
	require.Equal(t, http.StatusAccepted, status, body)
	status, body = next.request("POST", "/generate/"+id+"/cancel", "")
	require.Equal(t, http.StatusOK, status, body)
	require.Equal(t, exitDone, next.signal(syscall.SIGTERM))
}

// TestServeTLS serves with a self-signed certificate, which the commands trust.
func TestServeTLS(t *testing.T) {
	u := newUser(t)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "studio.lan"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	write(t, filepath.Join(u.dir, "cert.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})))
	write(t, filepath.Join(u.dir, "key.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	s := u.serve("--addr", "0.0.0.0:0", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
	require.True(t, strings.HasPrefix(s.url, "https://"), s.url)
	require.Empty(t, s.err.String(), "no warning")
	u.mustRun("say", "Hello.", "-o", "a.wav")
	require.Len(t, u.history(), 1)
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
}

// TestIdleConnectionsAreLimited: of many idle connections, the oldest are closed.
func TestIdleConnectionsAreLimited(t *testing.T) {
	s := newUser(t).serve()
	address := strings.TrimPrefix(s.url, "http://")
	var all []net.Conn
	for range 100 {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		require.NoError(t, conn.SetDeadline(time.Now().Add(testTimeout)))
		_, err = io.WriteString(conn, "GET /health HTTP/1.1\r\nHost: "+address+"\r\n\r\n")
		require.NoError(t, err)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, resp.StatusCode)
		require.False(t, resp.Close)
		require.NoError(t, resp.Body.Close())
		all = append(all, conn)
	}
	for _, conn := range all[:20] {
		_, err := io.Copy(io.Discard, conn) // ends before the deadline only when the server closes the connection
		require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
	}
	status, _ := s.request("GET", "/models/status", "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
}
