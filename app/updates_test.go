package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
)

// TestWithoutAnAddressNobodyIsAskedForNewVersions is the program as it is built by default.
func TestWithoutAnAddressNobodyIsAskedForNewVersions(t *testing.T) {
	u := newUser(t)
	u.mustFail(exitNeeded, []string{"built without an address for new versions"}, "version", "--check")
	require.NoDirExists(t, u.data, "it creates nothing")
	s := u.serve()
	code, body := s.request("GET", "/updates", "")
	require.Equal(t, http.StatusOK, code)
	require.Empty(t, parseJSON(t, body)["address"])
	code, body = s.request("POST", "/updates/check", "")
	require.Equal(t, http.StatusNotFound, code)
	require.Equal(t, "updates_not_configured", parseJSON(t, body)["code"])
}

// TestProgramChecksForANewVersion builds the program with an address, as make does with UPDATES=, and asks a server on this machine.
func TestProgramChecksForANewVersion(t *testing.T) {
	var asked atomic.Int32
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		_, _ = fmt.Fprintf(w, `{"version":"1.4.0","date":"2026-11-20","page":"http://%s/get","notes":"Faster.\nMore voices."}`, r.Host)
	}))
	defer site.Close()
	u := newUser(t)
	program := filepath.Join(t.TempDir(), "voicewright")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-trimpath", "-ldflags",
		"-X="+programtest.Module+"/app.version=v1.3.0 -X="+programtest.Module+"/app.updatesAddress="+site.URL+"/updates.json",
		"-o", program, programtest.Module)
	build.Env = append(os.Environ(), "GOFLAGS=-tags=nomicrophone")
	output, err := build.CombinedOutput()
	require.NoError(t, err, "%s", output)
	run := func(args ...string) result {
		code, out, err := u.terminal().Run(t, program, nil, args)
		return result{code, out, err}
	}

	require.Equal(t, exitDone, run("version").code)
	require.Equal(t, exitDone, run("say", "Hello.", "-o", filepath.Join(u.dir, "hello.wav")).code)
	require.Zero(t, asked.Load(), "nobody is asked unless the user wants to know")
	got := run("version", "--check")
	require.Equal(t, exitDone, got.code, got.err)
	require.Equal(t, "Version 1.4.0 was released on 2026-11-20. This is v1.3.0.\n\nFaster.\nMore voices.\n\nDownload it at "+site.URL+"/get\n", got.out)
	require.EqualValues(t, 1, asked.Load())
	got = run("version", "--check", "--json")
	require.Equal(t, "newer", parseJSON(t, got.out)["status"])

	cmd := u.terminal().Command(t.Context(), program, []string{"serve", "--addr", "127.0.0.1:0"})
	s := u.startCommand(cmd).waitForAddress()
	code, _ := s.request("PUT", "/settings", `{"network.offline":true}`)
	require.Equal(t, http.StatusOK, code)
	before := asked.Load()
	got = run("version", "--check")
	require.Equal(t, exitNeeded, got.code)
	requireErrorLine(t, got.err, []string{"offline mode is on"})
	code, body := s.request("POST", "/updates/check", "")
	require.Equal(t, http.StatusServiceUnavailable, code)
	require.Equal(t, "offline", parseJSON(t, body)["code"])
	require.Equal(t, before, asked.Load())
}
