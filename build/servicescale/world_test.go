//go:build scale && postgres

package servicescale_test

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
	"github.com/voicewright/voicewright/build/servicescale"
)

// program is the path of voicewright-service.
var program string

// TestMain runs the tests, or the cycles of another process.
func TestMain(m *testing.M) {
	if address := os.Getenv(cyclesDatabase); address != "" {
		if err := makeCycles(address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	dir, err := os.MkdirTemp("", "voicewright-scale-")
	if err == nil {
		program, err = programtest.Build(dir, programtest.Module+"/app/voicewright-service")
	}
	code := 1
	if err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, "build the program:", err)
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// database is where the processes of a world store accounts.
type database struct {
	address string                           // of --database
	through string                           // the address for the processes, where theirs is another one
	open    func(t testing.TB) service.Store // beside the processes, until the test ends
}

// world is some processes of the service behind a load balancer, with a speaker that takes no time, and users with API keys.
type world struct {
	t        *testing.T
	dir      string
	files    audioStore
	db       database
	store    service.Store
	speaker  *servicescale.Speaker
	balancer *servicescale.Balancer
	issuer   *identitytest.Issuer
	shell    programtest.Shell
	args     []string // of run
	url      string   // of the balancer

	users     []user
	started   int
	processes []*process
}

// user is an account that has a key.
type user struct {
	name    string
	account service.Account
	key     string
}

// credits are what each user has at the beginning.
const credits = 1 << 40

// newWorld returns a world without processes, with audio in a folder.
func newWorld(t *testing.T, db database, users int) *world {
	t.Helper()
	return newWorldWith(t, db, inFolder(t), users)
}

func newWorldWith(t *testing.T, db database, files audioStore, users int) *world {
	t.Helper()
	w := &world{
		t: t, dir: t.TempDir(), db: db, files: files,
		speaker: servicescale.NewSpeaker(), balancer: servicescale.NewBalancer(), issuer: identitytest.New(t),
	}
	w.shell = programtest.Shell{Dir: w.dir, Env: slices.Concat(programtest.Environment(w.dir), files.env)}
	front, speech := httptest.NewServer(w.balancer), httptest.NewServer(w.speaker)
	t.Cleanup(func() {
		front.CloseClientConnections()
		front.Close()
		w.balancer.Close()
		speech.CloseClientConnections()
		speech.Close()
	})
	w.url = front.URL
	entry := "{adapter: openai, url: " + speech.URL + "/v1, api_key: none, model: tts, queue: 64, timeout: 60s}\n"
	providers := filepath.Join(w.dir, "providers.yaml")
	require.NoError(t, os.WriteFile(providers, []byte("ProviderA: "+entry+"ProviderB: "+entry+"ProviderC: "+entry), 0o600))
	w.args = []string{
		"run", "--issuer", w.issuer.URL, "--audience", identitytest.Audience, "--providers", providers,
		"--database", cmp.Or(db.through, db.address), "--files", files.address, "--public-url", w.url, "--trust-proxy", "127.0.0.0/8",
	}
	w.store = db.open(t)
	w.users = signUp(t, w.store, users)
	return w
}

// signUp makes accounts on the plan Max, each with a key.
func signUp(t testing.TB, store service.Store, n int) []user {
	t.Helper()
	list := make([]user, n)
	together(t, n, func(i int) error {
		u := user{name: fmt.Sprint("user-", i), key: newKey()}
		var err error
		u.account, err = store.SignIn(t.Context(), service.SignIn{Identity: service.Identity{Subject: u.name}, Admitted: true, Baseline: 1})
		if err == nil {
			u.account, err = store.SetPlan(t.Context(), u.account.ID, service.Max, credits, service.PlanDays, service.Change{Actor: "test"})
		}
		if err == nil {
			_, err = store.CreateKey(t.Context(), u.account.ID, service.NewKey{
				ID: uuid.NewString(), Prefix: u.key[:12], Hash: hashOf(u.key),
			}, service.MaxActiveKeys)
		}
		list[i] = u
		return err
	})
	return list
}

// newKey returns an API key as the service makes them.
func newKey() string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // it never fails
	return service.KeyPrefix + base64.RawURLEncoding.EncodeToString(secret)
}

// hashOf returns what is stored of a key.
func hashOf(key string) service.KeyHash { return sha256.Sum256([]byte(key)) }

// process is a running process of the service.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	out   io.ReadCloser
	ended chan struct{}
	url   string
}

// start starts a process with more arguments.
func (w *world) start(args ...string) *process {
	w.t.Helper()
	w.started++
	log, err := os.Create(filepath.Join(w.dir, fmt.Sprintf("process-%03d.log", w.started)))
	require.NoError(w.t, err)
	defer func() { require.NoError(w.t, log.Close()) }()
	cmd := w.shell.Command(w.t.Context(), program, slices.Concat(w.args, args))
	p := &process{t: w.t, cmd: cmd, ended: make(chan struct{})}
	p.cmd.Stderr = log
	p.out, err = p.cmd.StdoutPipe()
	require.NoError(w.t, err)
	require.NoError(w.t, p.cmd.Start())
	return p
}

// listen waits until the process listens.
func (p *process) listen() {
	p.t.Helper()
	line, err := bufio.NewReader(p.out).ReadString('\n')
	require.NoError(p.t, err, "the process ended")
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	require.True(p.t, ok, line)
	p.url = address
	go func() {
		_ = p.cmd.Wait() // it is killed
		close(p.ended)
	}()
}

// kill kills the process and waits for its end.
func (p *process) kill() {
	_ = p.cmd.Process.Signal(syscall.SIGKILL) // it may have ended
	if p.url == "" {
		_ = p.cmd.Wait() // it is killed
		return
	}
	<-p.ended
}

// run starts processes behind the balancer.
func (w *world) run(n int, args ...string) {
	w.t.Helper()
	for range n {
		w.processes = append(w.processes, w.start(args...))
	}
	for _, p := range w.processes {
		p.listen()
	}
	w.balance()
	w.t.Cleanup(func() {
		for _, p := range w.processes {
			p.kill()
		}
		if w.t.Failed() {
			w.keepLogs()
		}
	})
}

// balance makes the balancer use the processes that run.
func (w *world) balance() {
	w.t.Helper()
	var addresses []string
	for _, p := range w.processes {
		addresses = append(addresses, p.url)
	}
	require.NoError(w.t, w.balancer.Set(addresses...))
}

// keepLogs copies the logs of the processes to where they survive the test.
func (w *world) keepLogs() {
	dir, err := os.MkdirTemp("", "voicewright-scale-logs-")
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(w.dir))
	}
	w.t.Log("the files of the test are in ", dir, err)
}
