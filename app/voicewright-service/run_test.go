package main_test

import (
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

var listening = regexp.MustCompile(`^listening on http://127\.0\.0\.1:[1-9][0-9]*$`)

// TestRunServesUntilItIsStopped looks at a whole life: the first line, health, one call, the files, the log, the end.
func TestRunServesUntilItIsStopped(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.serve()
	require.Regexp(t, listening, "listening on "+r.url)
	require.Equal(t, http.StatusOK, r.call("GET", "/health", "", nil).status)
	require.Equal(t, http.StatusOK, r.call("GET", "/ready", "", nil).status)
	login := r.must("GET", "/.well-known/voicewright", "", nil)
	require.Equal(t, l.issuer.URL, login["issuer"])
	require.Equal(t, "voicewright", login["client_id"])

	ann := l.issuer.Token("ann", object{"email": "ann@example.org"})
	require.InDelta(t, 10_000, r.credits(ann), 0)
	body := r.synthesis(ann)
	body["text"] = "My secret wish is a tone."
	made := r.must("POST", "/api/v1/tts/synthesize", ann, body)
	require.InDelta(t, 9_990, made["remainingCredits"], 0)
	audio := r.call("GET", made["url"].(string), "", nil)
	require.Equal(t, http.StatusOK, audio.status)
	require.NotEmpty(t, audio.text)
	l.mustRun("account", "set-plan", "ann", "pro")
	key := r.must("POST", "/api/v1/user/api-keys", ann, object{})["key"].(string)
	require.Equal(t, http.StatusOK, r.call("GET", "/api/v1/user/credits", key, nil).status)

	require.Equal(t, exitDone, r.signal(syscall.SIGTERM), r.err.String())
	require.Equal(t, 1, strings.Count(r.out.String(), "\n"), "one line on stdout: %s", r.out.String())
	for _, line := range strings.Split(strings.TrimSpace(r.err.String()), "\n") {
		parseJSON(t, line)
	}
	for _, secret := range []string{ann, strings.Split(ann, ".")[1], key, apiKey, "secret wish", "ann@example.org", filepath.Base(made["url"].(string))} {
		require.NotContains(t, r.err.String(), secret)
	}
	l.requirePrivate()
	l.requireNoLeftovers()
}

// requirePrivate fails when other users could read what the service stores.
func (l *lab) requirePrivate() {
	l.t.Helper()
	require.NoError(l.t, filepath.WalkDir(l.data, func(path string, d fs.DirEntry, err error) error {
		require.NoError(l.t, err)
		info, err := d.Info()
		require.NoError(l.t, err)
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		require.Equal(l.t, want, info.Mode().Perm(), path)
		return nil
	}))
}

// requireNoLeftovers fails when the service left files other than those that it stores.
func (l *lab) requireNoLeftovers() {
	l.t.Helper()
	require.NoError(l.t, filepath.WalkDir(l.dir, func(path string, d fs.DirEntry, err error) error {
		require.NoError(l.t, err)
		if !d.IsDir() {
			require.Regexp(l.t, `providers\.yaml$|service\.db(\.lock)?$|files/[A-Za-z0-9_-]{43}\.mp3$`, path)
		}
		return nil
	}))
}

func TestRunningCallsEndBeforeTheProgram(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.speech.hold = make(chan struct{})
	r := l.serve()
	ann := l.issuer.Token("ann")
	call := r.background("POST", "/api/v1/tts/synthesize", ann, r.synthesis(ann))
	waitFor(t, l.speech.started)
	require.NoError(t, r.cmd.Process.Signal(syscall.SIGTERM))
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	}, testTimeout, time.Millisecond, "no new connections")
	l.speech.hold <- struct{}{}
	a := waitFor(t, call)
	require.NotNil(t, a)
	require.Equal(t, http.StatusOK, a.status, a.text)
	require.Equal(t, exitDone, r.wait(), r.err.String())
	require.InDelta(t, 9_960, l.credits("ann"), 0)
}

// credits returns the balance of an account from the database.
func (l *lab) credits(subject string) float64 {
	l.t.Helper()
	return parseJSON(l.t, l.mustRun("account", "show", subject, "--json"))["credits"].(float64)
}

func TestHangingCallsAreRefundedAtTheEnd(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.speech.hold = make(chan struct{})
	r := l.serve("--grace", "200ms")
	ann := l.issuer.Token("ann")
	call := r.background("POST", "/api/v1/tts/synthesize", ann, r.synthesis(ann))
	waitFor(t, l.speech.started)
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM), r.err.String())
	if a := waitFor(t, call); a != nil {
		require.GreaterOrEqual(t, a.status, 400)
	}
	require.InDelta(t, 10_000, l.credits("ann"), 0)
	l.requireNoLeftovers()
}

func TestASecondSignalEndsTheProgramAtOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.speech.hold = make(chan struct{})
	r := l.serve()
	ann := l.issuer.Token("ann")
	call := r.background("POST", "/api/v1/tts/synthesize", ann, r.synthesis(ann))
	waitFor(t, l.speech.started)
	require.NoError(t, r.cmd.Process.Signal(syscall.SIGTERM))
	r.waitForLog("stopping")
	require.Equal(t, -1, r.signalUntilEnd(syscall.SIGINT), "killed by the signal")
	require.Nil(t, waitFor(t, call))
}

// TestASignalThatIsSentTwice does what timeout(1) does: it signals the process, and then the group that it is in.
func TestASignalThatIsSentTwice(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.serve()
	require.NoError(t, r.cmd.Process.Signal(syscall.SIGTERM))
	_ = r.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	require.Equal(t, exitDone, r.wait(), r.err.String())
}

// TestAKilledProcessLosesNoCredits kills the service during a call. The next one refunds and unlocks within 5 seconds.
func TestAKilledProcessLosesNoCredits(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.speech.hold = make(chan struct{})
	r := l.serve()
	ann := l.issuer.Token("ann")
	call := r.background("POST", "/api/v1/tts/synthesize", ann, r.synthesis(ann))
	waitFor(t, l.speech.started)
	require.InDelta(t, 9_960, r.credits(ann), 0)
	require.Equal(t, -1, r.signal(syscall.SIGKILL))
	require.Nil(t, waitFor(t, call))

	r = l.serve()
	require.Eventually(t, func() bool { return r.credits(ann) == 10_000 }, testTimeout, 50*time.Millisecond)
	call = r.background("POST", "/api/v1/tts/synthesize", ann, r.synthesis(ann))
	waitFor(t, l.speech.started)
	l.speech.hold <- struct{}{}
	a := waitFor(t, call)
	require.NotNil(t, a)
	require.Equal(t, http.StatusOK, a.status, a.text)
	require.InDelta(t, 9_960, r.credits(ann), 0)
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
	l.requireNoLeftovers()
}

func TestManyStartsOnOneDatabase(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	services := make([]*running, 4)
	var starts sync.WaitGroup
	for i := range services {
		services[i] = l.start("run")
	}
	for _, r := range services {
		starts.Go(func() { r.url = strings.TrimPrefix(r.waitForLine(), "listening on ") })
	}
	starts.Wait()
	ann := l.issuer.Token("ann")
	for _, r := range services {
		require.InDelta(t, 10_000, r.credits(ann), 0)
		require.Equal(t, exitDone, r.signal(syscall.SIGTERM), r.err.String())
	}
}

func TestThePortIsInUse(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	l.mustFail(exitFailed, []string{taken.Addr().String(), "in use", "--addr"}, "run", "--addr", taken.Addr().String())
}

// TestPrecedence sets the address by flag, variable and file: each wins over the next.
func TestPrecedence(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	addr := func(n int) string { return "127.0.0." + strconv.Itoa(n) + ":0" }
	config := l.file("config.yaml", "addr: "+addr(4)+"\nclient_id: from-file\ntrust-proxy: [10.0.0.0/8, 127.0.0.1]\nqueue_timeout: 5s\nplan_credits: {free: 77}\n")
	for name, c := range map[string]struct {
		env    []string
		args   []string
		host   string
		client string
	}{
		"flag":     {[]string{"VOICEWRIGHT_SERVICE_ADDR=" + addr(3)}, []string{"--config", config, "--addr", addr(2)}, "127.0.0.2", "from-file"},
		"variable": {[]string{"VOICEWRIGHT_SERVICE_ADDR=" + addr(3)}, []string{"--config", config}, "127.0.0.3", "from-file"},
		"file":     {nil, []string{"--config", config}, "127.0.0.4", "from-file"},
		"file of a variable": {
			[]string{"VOICEWRIGHT_SERVICE_CONFIG=" + config, "VOICEWRIGHT_SERVICE_CLIENT_ID=from-variable"}, nil, "127.0.0.4", "from-variable",
		},
		"default": {[]string{"VOICEWRIGHT_SERVICE_ADDR="}, nil, "127.0.0.1", "voicewright"},
	} {
		t.Run(name, func(t *testing.T) {
			o := *l.withEnv(append(c.env, "VOICEWRIGHT_SERVICE_DATABASE=sqlite:"+filepath.Join(t.TempDir(), "deep", "service.db"))...)
			o.t = t
			r := o.serve(c.args...)
			require.True(t, strings.HasPrefix(r.url, "http://"+c.host+":"), r.url)
			require.Equal(t, c.client, r.must("GET", "/.well-known/voicewright", "", nil)["client_id"])
			credits := 77.0
			if name == "default" {
				credits = 10_000
			}
			require.InDelta(t, credits, r.credits(l.issuer.Token("ann")), 0)
			require.Equal(t, exitDone, r.signal(syscall.SIGINT))
		})
	}
}

func TestReadySaysThatFFmpegIsMissing(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.withEnv("PATH=" + t.TempDir()).serve()
	a := r.call("GET", "/ready", "", nil)
	require.Equal(t, http.StatusServiceUnavailable, a.status)
	require.Contains(t, a.json["error"], "ffmpeg")
	require.Equal(t, http.StatusOK, r.call("GET", "/health", "", nil).status)
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
}

// TestSecretsAreNotInTheProcessTable looks at what other users of the machine can see of the program.
func TestSecretsAreNotInTheProcessTable(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.speech.hold = make(chan struct{}, 1)
	r := l.serve()
	ann := l.issuer.Token("ann")
	call := r.background("POST", "/api/v1/tts/synthesize", ann, r.synthesis(ann))
	waitFor(t, l.speech.started)
	seen := 0
	commands, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, file := range commands {
		line, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(line), "voicewright-service") {
			continue
		}
		seen++
		require.NotContains(t, string(line), apiKey)
		require.NotContains(t, string(line), ann)
		require.NotContains(t, string(line), "A tone.")
	}
	require.Positive(t, seen)
	l.speech.hold <- struct{}{}
	require.Equal(t, http.StatusOK, waitFor(t, call).status)
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
}

func TestMetricsAreServedOnRequest(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.serve()
	require.Equal(t, http.StatusNotFound, r.call("GET", "/metrics", "", nil).status)
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
	r = l.serve("--metrics")
	require.Contains(t, r.call("GET", "/metrics", "", nil).text, "# HELP")
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
}

// TestMetricsOfTheirOwnAddress are there alone, and nowhere else, until the program ends.
func TestMetricsOfTheirOwnAddress(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for setting, r := range map[string]*running{
		"a flag":     l.start("run", "--metrics-addr", "127.0.0.1:0"),
		"a variable": (&lab{operator: l.withEnv("VOICEWRIGHT_SERVICE_METRICS_ADDR=[::1]:0")}).start("run"),
		"a key":      l.start("run", "--config", l.file("metrics.yaml", "metrics_addr: 127.0.0.1:0\n")),
		"both":       l.start("run", "--metrics", "--metrics-addr", "127.0.0.1:0"),
	} {
		require.Eventually(t, func() bool { return strings.Count(r.out.String(), "\n") == 2 }, testTimeout, 10*time.Millisecond, setting)
		lines := strings.Split(r.out.String(), "\n")
		r.url = strings.TrimPrefix(lines[0], "listening on ")
		own := &running{t: t, url: strings.TrimSuffix(strings.TrimPrefix(lines[1], "metrics on "), "/metrics")}
		require.Equal(t, http.StatusOK, r.call("GET", "/ready", "", nil).status)
		require.Contains(t, own.call("GET", "/metrics", "", nil).text, `voicewright_requests_total{route="GET /ready",status="200"} 1`)
		require.Equal(t, setting == "both", r.call("GET", "/metrics", "", nil).status == http.StatusOK, setting)
		for _, path := range []string{"/", "/health", "/ready", "/openapi.json", "/api/v1/user/credits", "/metrics/x", "/debug/pprof/"} {
			require.Equal(t, http.StatusNotFound, own.call("GET", path, "", nil).status, path)
		}
		require.Equal(t, http.StatusMethodNotAllowed, own.call("POST", "/metrics", "", nil).status)
		require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
		_, err := net.Dial("tcp", strings.TrimPrefix(own.url, "http://"))
		require.Error(t, err, "it is closed")
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = taken.Close() }()
	l.mustFail(exitFailed, []string{taken.Addr().String(), "in use", "--metrics-addr"}, "run", "--metrics-addr", taken.Addr().String())
}

// TestDevIDPSignsIn signs in at the issuer of --dev-idp as a browser does, and calls the API with its token.
func TestDevIDPSignsIn(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	r := o.serve("--dev-idp")
	require.Equal(t, r.url+"/dev-idp", r.must("GET", "/.well-known/voicewright", "", nil)["issuer"])
	token, err := exec.CommandContext(t.Context(), filepath.Join(enginetest.Root(t), "build", "service", "token.sh"), r.url, "ann@example.org").Output()
	require.NoError(t, err)
	require.InDelta(t, 10_000, r.credits(strings.TrimSpace(string(token))), 0)
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM), r.err.String())
	require.NotContains(t, r.err.String(), strings.TrimSpace(string(token)))
	require.NotContains(t, r.err.String(), "ann@example.org")
	require.Equal(t, "ann@example.org", parseJSON(t, o.mustRun("account", "show", "ann@example.org", "--json"))["email"])
	(&lab{operator: o}).requirePrivate()
}

// TestReadyLooksAtTheFiles: the folder of the audio may go away while the service runs.
func TestReadyLooksAtTheFiles(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.serve()
	files := filepath.Join(l.data, "files")
	require.Equal(t, http.StatusOK, r.call("GET", "/ready", "", nil).status)
	require.NoError(t, os.RemoveAll(files))
	a := r.call("GET", "/ready", "", nil)
	require.Equal(t, http.StatusServiceUnavailable, a.status)
	require.Contains(t, a.json["error"], "missing")
	require.NotContains(t, a.json, "code")
	require.NotContains(t, a.text, files)
	require.Equal(t, http.StatusOK, r.call("GET", "/health", "", nil).status)
	require.NoError(t, os.Mkdir(files, 0o700))
	require.Equal(t, http.StatusOK, r.call("GET", "/ready", "", nil).status)
	entries, err := os.ReadDir(files)
	require.NoError(t, err)
	require.Empty(t, entries, "it leaves nothing behind")
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
}
