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
	p := newPerson(t)
	s := p.serve()
	require.Regexp(t, `^listening on http://127\.0\.0\.1:[0-9]+\nopen http://127\.0\.0\.1:[0-9]+/#token=[A-Za-z0-9_-]{43}\n$`, s.out.String())
	status, body := s.ask("GET", "/health", "", "Authorization: none")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "ok", parse(t, body)["status"])
	status, body = s.ask("GET", "/", "", "Authorization: none")
	require.Equal(t, http.StatusOK, status)
	require.NotContains(t, body, s.token)
	status, _ = s.ask("GET", "/profiles", "", "Authorization: none")
	require.Equal(t, http.StatusUnauthorized, status)
	status, _ = s.ask("GET", "/profiles", "")
	require.Equal(t, http.StatusOK, status)

	for _, name := range []string{"token", "server.json", "voicewright.db"} {
		info, err := os.Stat(filepath.Join(p.data, name))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
	}
	require.Equal(t, done, s.signal(syscall.SIGTERM), s.err.String())
	require.Empty(t, s.err.String())
	require.NotContains(t, s.out.String(), "Stopped")
	require.NoFileExists(t, filepath.Join(p.data, "server.json"))

	again := p.serve()
	require.Equal(t, s.token, again.token, "the token is kept")
	require.Equal(t, done, again.signal(syscall.SIGINT))
}

// TestServeTheWindow lets our own window onto a server that was there before it, and no other page.
func TestServeTheWindow(t *testing.T) {
	s := newPerson(t).serve()
	for origin, want := range map[string]int{
		"wails://wails": http.StatusOK, "http://wails.localhost": http.StatusOK,
		"wails://other": http.StatusForbidden, "http://wails.localhost.example.org": http.StatusForbidden,
	} {
		status, body := s.ask("GET", "/profiles", "", "Origin: "+origin)
		require.Equal(t, want, status, "%s: %s", origin, body)
	}
}

func TestServeJSON(t *testing.T) {
	p := newPerson(t)
	r := p.start("serve", "--addr", "127.0.0.1:0", "--json", "--token", "my own")
	line := r.first(1)[0]
	require.Regexp(t, `^\{"token":"my own","url":"http://127\.0\.0\.1:[0-9]+"\}$`, line)
	s := &server{r, parse(t, line)["url"].(string), "my own"}
	status, _ := s.ask("GET", "/profiles", "")
	require.Equal(t, http.StatusOK, status)
	require.NoFileExists(t, filepath.Join(p.data, "token"), "a token of one's own is not kept")
	require.Equal(t, done, r.signal(syscall.SIGTERM))
	require.Equal(t, line+"\n", r.out.String())
}

func TestServeTokens(t *testing.T) {
	p := newPerson(t)
	given := p.with("VOICEWRIGHT_TOKEN=from-outside").serve()
	require.Equal(t, "from-outside", given.token)
	require.Equal(t, done, given.signal(syscall.SIGTERM))
	open := p.serve("--no-token")
	require.Equal(t, "listening on "+open.url+"\nopen "+open.url+"/\n", open.out.String())
	status, _ := open.ask("GET", "/profiles", "", "Authorization: none")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, done, open.signal(syscall.SIGTERM))
	p.fails(wrongUse, []string{"--no-token", "loopback"}, "serve", "--addr", "0.0.0.0:0", "--no-token")
	require.NoFileExists(t, filepath.Join(p.data, "server.json"))
}

func TestServeAddresses(t *testing.T) {
	p := newPerson(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, taken.Close()) }()
	p.fails(failed, []string{taken.Addr().String() + " is already in use", "--addr"}, "serve", "--addr", taken.Addr().String())
	for _, addr := range []string{"7411", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:x", ""} {
		p.fails(wrongUse, []string{"--addr"}, "serve", "--addr", addr)
	}
	p.fails(failed, []string{"cannot listen on 192.0.2.1:7411"}, "serve", "--addr", "192.0.2.1:7411")
	p.fails(wrongUse, []string{"llowed host"}, "serve", "--allow-host", "http://x")
	p.fails(wrongUse, []string{"llowed origin"}, "serve", "--allow-origin", "x")
	p.fails(wrongUse, []string{"--tls-cert"}, "serve", "--tls-cert", "none.pem", "--tls-key", "none.pem")
	require.NoFileExists(t, filepath.Join(p.data, "server.json"))

	// The default address gives way to the next free port; which ports are free is for other programs to say.
	first, second := p.start("serve").listening(), newPerson(t).start("serve").listening()
	require.NotEqual(t, port(t, first), port(t, second))
	for _, s := range []*server{first, second} {
		require.GreaterOrEqual(t, port(t, s), 7411)
	}
	status, body := first.ask("PUT", "/settings", `{"api.address":"`+taken.Addr().String()+`"}`)
	require.Equal(t, http.StatusOK, status, body)
	require.Equal(t, done, first.signal(syscall.SIGTERM))
	first = p.start("serve").listening()
	require.Greater(t, port(t, first), taken.Addr().(*net.TCPAddr).Port)
	status, _ = first.ask("PUT", "/settings", `{"api.address":"127.0.0.1:7411"}`)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, done, first.signal(syscall.SIGTERM))

	// Others can reach this one, which is said.
	public := p.serve("--addr", "0.0.0.0:0")
	require.Eventually(t, func() bool { return strings.HasSuffix(public.err.String(), "\n") }, patience, time.Millisecond)
	require.Contains(t, public.err.String(), "Warning: ")
	require.Contains(t, public.err.String(), "plain HTTP")
	require.Contains(t, p.does("doctor"), "running at "+public.url)
	require.Equal(t, done, public.signal(syscall.SIGTERM))
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
	p := newPerson(t)
	s := p.serve()
	p.fails(failed, []string{"Another copy of Voicewright is using " + p.data, "--data"}, "serve", "--addr", "127.0.0.1:0")
	p.does("say", "Hello.", "-o", "a.wav")
	require.Positive(t, p.sound("a.wav").Frames())
	_, body := s.ask("GET", "/history", "")
	require.EqualValues(t, 1, parse(t, body)["total"])
	require.Len(t, p.history(), 1)
	p.does("profiles", "create", "Narrator")
	_, body = s.ask("GET", "/profiles", "")
	require.EqualValues(t, 2, parse(t, body)["total"])
	require.Contains(t, p.does("doctor"), "in use by the running server")

	// A command that is stopped cancels its work at the server.
	write(t, filepath.Join(p.dir, "long.txt"), long(100))
	say := p.start("say", "--file", "long.txt", "-o", "b.wav")
	require.Eventually(t, func() bool { return strings.Contains(say.err.String(), "generating") }, patience, 5*time.Millisecond)
	require.Equal(t, interrupted, say.signal(syscall.SIGINT))
	require.Equal(t, "cancelled", p.history()[0]["status"])
	require.Equal(t, done, s.signal(syscall.SIGTERM))
	require.Len(t, p.history(), 2)
}

// TestStopFinishesWork stops a server that speaks: what runs is finished, what waits says what to do.
func TestStopFinishesWork(t *testing.T) {
	p, letGo := newPerson(t).held(t)
	s := p.serve()
	running := s.speaking("One. Two. Three.")
	status, body := s.ask("POST", "/generate", `{"profile_id":"`+s.profile()+`","text":"Hello."}`, "Prefer: respond-async")
	require.Equal(t, http.StatusAccepted, status, body)
	events := s.events("/generate/" + parse(t, body)["id"].(string) + "/events")
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	for events.Scan() { // until it is told that it will not be spoken
	}
	letGo()
	require.Equal(t, done, s.wait(), s.err.String())
	rows := p.history()
	require.Equal(t, running, rows[1]["id"])
	require.Equal(t, "complete", rows[1]["status"])
	require.FileExists(t, rows[1]["audio_path"].(string))
	require.Equal(t, "failed", rows[0]["status"])
	require.Equal(t, "interrupted", rows[0]["error"].(object)["code"])
	require.NotEmpty(t, rows[0]["error"].(object)["remedy"])
}

// held gives the person an espeak-ng that does not speak before it is let go.
func (p *person) held(t *testing.T) (other *person, letGo func()) {
	t.Helper()
	real, err := exec.LookPath("espeak-ng")
	require.NoError(t, err)
	dir := t.TempDir()
	script := "#!/bin/sh\ncase \"$*\" in *--v*) ;; *) while [ -d " + dir + " ] && [ ! -e " + dir + "/go ]; do sleep 0.02; done ;; esac\n" +
		"exec " + real + " \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "espeak-ng"), []byte(script), 0o700))
	letGo = func() { write(t, filepath.Join(dir, "go"), "") }
	return p.with("PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")), letGo
}

// TestKilledServer starts again after the worst end.
func TestKilledServer(t *testing.T) {
	p := newPerson(t)
	s := p.serve()
	id := s.speaking(long(100))
	require.Eventually(t, func() bool { return len(p.audio()) > 0 }, patience, 5*time.Millisecond, "an unfinished file is there")
	require.Equal(t, -1, s.signal(syscall.SIGKILL))
	require.FileExists(t, filepath.Join(p.data, "server.json"))
	require.NotEmpty(t, p.audio(), "it stays")

	rows := p.history() // a command opens the directory by itself
	require.Len(t, rows, 1)
	require.Equal(t, id, rows[0]["id"])
	require.Equal(t, "failed", rows[0]["status"])
	require.Empty(t, rows[0]["audio_path"])
	failure := rows[0]["error"].(object)
	require.Equal(t, "interrupted", failure["code"])
	require.Contains(t, failure["remedy"], "etry")
	require.Empty(t, p.audio())
	require.NoFileExists(t, filepath.Join(p.data, "server.json"))

	next := p.serve()
	status, body := next.ask("POST", "/generate/"+id+"/retry", "")
	require.Equal(t, http.StatusAccepted, status, body)
	status, body = next.ask("POST", "/generate/"+id+"/cancel", "")
	require.Equal(t, http.StatusOK, status, body)
	require.Equal(t, done, next.signal(syscall.SIGTERM))
}

// TestServeTLS serves with a certificate that nobody signed; commands trust that very one.
func TestServeTLS(t *testing.T) {
	p := newPerson(t)
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
	write(t, filepath.Join(p.dir, "cert.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})))
	write(t, filepath.Join(p.dir, "key.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	s := p.serve("--addr", "0.0.0.0:0", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
	require.True(t, strings.HasPrefix(s.url, "https://"), s.url)
	require.Empty(t, s.err.String(), "no warning")
	p.does("say", "Hello.", "-o", "a.wav")
	require.Len(t, p.history(), 1)
	require.Equal(t, done, s.signal(syscall.SIGTERM))
}

// TestStrangersCannotHoldEveryConnection: of many clients that wait with their next request, the first ones are let go.
func TestStrangersCannotHoldEveryConnection(t *testing.T) {
	s := newPerson(t).serve()
	address := strings.TrimPrefix(s.url, "http://")
	var all []net.Conn
	for range 100 {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		require.NoError(t, conn.SetDeadline(time.Now().Add(patience)))
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
	status, _ := s.ask("GET", "/models/status", "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, done, s.signal(syscall.SIGTERM))
}
