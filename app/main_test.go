package app_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/engines/enginetest"
)

// binary is the program as a user has it.
var binary string

// TestMain builds the program once, with the flags of the tests so that little is compiled twice.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "voicewright-app-*")
	if err == nil {
		binary = filepath.Join(dir, "voicewright")
		err = build(binary)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build the program:", err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}

func build(out string) error {
	args := []string{"build", "-o", out}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-race" || s.Key == "-trimpath" {
				args = append(args, s.Key+"="+s.Value)
			}
		}
	}
	args = append(args, "github.com/voicewright/voicewright")
	said, err := exec.CommandContext(context.Background(), "go", args...).CombinedOutput()
	return errors.Join(err, errIf(string(said)))
}

func errIf(said string) error {
	if said == "" {
		return nil
	}
	return errors.New(said)
}

// The exit codes of decisions.md section 1.
const (
	done        = 0
	failed      = 1
	wrongUse    = 2
	notFound    = 3
	needed      = 4
	interrupted = 130
)

// patience is how long anything may take on a busy machine.
const patience = time.Minute

// person uses the program in an own, empty home.
type person struct {
	t    *testing.T
	dir  string // where the commands run
	data string // the data directory
	env  []string
}

func newPerson(t *testing.T) *person {
	t.Helper()
	p := &person{t: t, dir: t.TempDir(), data: filepath.Join(t.TempDir(), "data")}
	p.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LANG=C.UTF-8", "VOICEWRIGHT_DATA_DIR=" + p.data,
		"VOICEWRIGHT_ORT=" + enginetest.Library(t),
		"HF_ENDPOINT=http://127.0.0.1:9", // nobody listens there: no test asks the outside
		"GORACE=atexit_sleep_ms=0",       // else a program built to look for races ends a second late
	}
	return p
}

// with gives the same person other variables of the environment.
func (p *person) with(env ...string) *person {
	other := *p
	other.env = append(append([]string{}, p.env...), env...)
	return &other
}

// outcome is what a command left behind.
type outcome struct {
	code     int
	out, err string
}

// run runs a command to its end.
func (p *person) run(args ...string) outcome { return p.runWith(nil, args...) }

func (p *person) runWith(stdin io.Reader, args ...string) outcome {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	cmd := p.command(ctx, args)
	cmd.Stdin = stdin
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		require.NoError(p.t, err)
	}
	return outcome{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

func (p *person) command(ctx context.Context, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	return cmd
}

// does runs a command that must succeed, and gives its output.
func (p *person) does(args ...string) string {
	p.t.Helper()
	o := p.run(args...)
	require.Equal(p.t, done, o.code, "%v: %s", args, o.err)
	return o.out
}

// object is a JSON object.
type object = map[string]any

// json runs a command with --json, whose output must be one JSON value.
func (p *person) json(args ...string) object {
	p.t.Helper()
	return parse(p.t, p.does(append(args, "--json")...))
}

func parse(t *testing.T, text string) object {
	t.Helper()
	var o object
	require.NoError(t, json.Unmarshal([]byte(text), &o), text)
	return o
}

// fails runs a command that must end with this code, nothing on standard output and one line on standard error
// that has these words.
func (p *person) fails(code int, words []string, args ...string) {
	p.t.Helper()
	o := p.run(args...)
	require.Equal(p.t, code, o.code, "%v: %s%s", args, o.out, o.err)
	require.Empty(p.t, o.out, "%v", args)
	requireSentence(p.t, o.err, words)
}

// requireSentence wants one line that a person can read, after the lines of progress.
func requireSentence(t *testing.T, said string, words []string) {
	t.Helper()
	lines := strings.Split(strings.TrimRight(said, "\n"), "\n")
	last := lines[len(lines)-1]
	for _, line := range lines[:len(lines)-1] {
		require.Regexp(t, "^(Generating|Downloading [^ ]+): ", line, said)
	}
	require.NotEmpty(t, last)
	require.True(t, strings.HasSuffix(last, "."), last)
	require.NotContains(t, last, "goroutine")
	for _, word := range words {
		require.Contains(t, last, word)
	}
}

// history gives the rows, newest first.
func (p *person) history() []object {
	p.t.Helper()
	var rows []object
	for _, item := range p.json("history", "list")["items"].([]any) {
		rows = append(rows, item.(object))
	}
	return rows
}

// audio lists the files below the audio directory.
func (p *person) audio() []string {
	p.t.Helper()
	var files []string
	err := filepath.WalkDir(filepath.Join(p.data, "audio"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(p.t, err)
	}
	return files
}

// outputs lists what lies in the folder where the commands run.
func (p *person) outputs() []string {
	p.t.Helper()
	entries, err := os.ReadDir(p.dir)
	require.NoError(p.t, err)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

// running is a command that goes on.
type running struct {
	t        *testing.T
	cmd      *exec.Cmd
	out, err *lines
	ended    chan struct{}
}

func (p *person) start(args ...string) *running {
	p.t.Helper()
	return p.begin(p.command(context.Background(), args))
}

// begin starts a prepared command in the folder and the environment of the person.
func (p *person) begin(cmd *exec.Cmd) *running {
	p.t.Helper()
	cmd.Dir, cmd.Env = p.dir, p.env
	r := &running{t: p.t, cmd: cmd, out: newLines(), err: newLines(), ended: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = r.out, r.err
	require.NoError(p.t, cmd.Start())
	go func() {
		_ = cmd.Wait() // its exit code is looked at
		close(r.ended)
	}()
	p.t.Cleanup(func() {
		_ = cmd.Process.Kill() // most have ended
		<-r.ended
	})
	return r
}

// signal sends a signal and waits for the end; it gives the exit code, -1 for a killed process.
func (r *running) signal(s syscall.Signal) int {
	r.t.Helper()
	require.NoError(r.t, r.cmd.Process.Signal(s))
	return r.wait()
}

func (r *running) wait() int {
	r.t.Helper()
	select {
	case <-r.ended:
	case <-time.After(patience):
		require.Fail(r.t, "the command goes on", r.err.String())
	}
	return r.cmd.ProcessState.ExitCode()
}

// lines keeps what a process writes and hands it over line by line.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func newLines() *lines { return &lines{more: make(chan struct{}, 1)} }

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.more <- struct{}{}:
	default:
	}
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// first waits for n lines of output.
func (r *running) first(n int) []string {
	r.t.Helper()
	for deadline := time.After(patience); ; {
		var got []string
		for scan := bufio.NewScanner(strings.NewReader(r.out.String())); scan.Scan(); {
			got = append(got, scan.Text())
		}
		if len(got) >= n && strings.Count(r.out.String(), "\n") >= n {
			return got
		}
		select {
		case <-r.out.more:
		case <-r.ended:
			require.Fail(r.t, "the command has ended", r.err.String())
		case <-deadline:
			require.Fail(r.t, "no more output", r.err.String())
		}
	}
}

// server is a running `serve`.
type server struct {
	*running
	url, token string
}

// serve starts a server on any port; the first lines say where it is.
func (p *person) serve(args ...string) *server {
	p.t.Helper()
	r := p.start(append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	return r.listening()
}

func (r *running) listening() *server {
	r.t.Helper()
	said := r.first(2)
	url, ok := strings.CutPrefix(said[0], "listening on ")
	require.True(r.t, ok, said[0])
	page, ok := strings.CutPrefix(said[1], "open "+url+"/")
	require.True(r.t, ok, said[1])
	token, _ := strings.CutPrefix(page, "#token=")
	return &server{r, url, token}
}

// ask sends a request and gives status and body.
func (s *server) ask(method, path, body string, headers ...string) (int, string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	require.NoError(s.t, err)
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Close = true
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(s.t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(s.t, err)
	return resp.StatusCode, string(raw)
}

// events opens a stream of events, which has begun when it returns.
func (s *server) events(path string) *bufio.Scanner {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, http.NoBody)
	require.NoError(s.t, err)
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = resp.Body.Close() })
	require.Equal(s.t, http.StatusOK, resp.StatusCode)
	lines := bufio.NewScanner(resp.Body)
	require.True(s.t, lines.Scan())
	return lines
}

// profile gives the id of the first profile.
func (s *server) profile() string {
	s.t.Helper()
	_, body := s.ask("GET", "/profiles", "")
	return parse(s.t, body)["items"].([]any)[0].(object)["id"].(string)
}

// speaking submits a text and waits until it is being spoken; it gives the id.
func (s *server) speaking(text string) string {
	s.t.Helper()
	status, body := s.ask("POST", "/generate", fmt.Sprintf(`{"profile_id":%q,"text":%q}`, s.profile(), text), "Prefer: respond-async")
	require.Equal(s.t, http.StatusAccepted, status, body)
	id := parse(s.t, body)["id"].(string)
	require.Eventually(s.t, func() bool {
		_, body := s.ask("GET", "/generate/"+id, "")
		return parse(s.t, body)["status"] == "generating"
	}, patience, 5*time.Millisecond)
	return id
}

// long is a text that takes espeak-ng about a tenth of a second for each of n.
func long(n int) string {
	return strings.Repeat("The quick brown fox jumps over the lazy dog, and nobody minds it at all. ", 13*n)
}
