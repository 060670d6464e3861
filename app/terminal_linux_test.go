package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// runOnTerminal runs a command on a terminal, types keys at its question, and returns its exit code and the whole output.
func (u *user) runOnTerminal(keys string, args ...string) (int, string) {
	u.t.Helper()
	return u.converse(nil, []reply{{question: "[y/N] ", keys: keys}}, args...)
}

// reply is what is typed after a question; hidden keys when the terminal no longer shows what is typed.
type reply struct {
	question, keys string
	hidden         bool
}

// converse runs a command on a terminal, types the replies, and returns its exit code and the whole output. Standard input is the
// terminal too where stdin is nil.
func (u *user) converse(stdin io.Reader, replies []reply, args ...string) (int, string) {
	u.t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(u.t, err)
	require.NoError(u.t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(u.t, err)
	require.NoError(u.t, unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 140}))
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(u.t, err)
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	defer cancel()
	cmd := u.command(ctx, args)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	if stdin != nil {
		cmd.Stdin = stdin
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
	require.NoError(u.t, cmd.Start())
	require.NoError(u.t, slave.Close())
	shown, seen, part := "", 0, make([]byte, 4096)
	for {
		n, err := master.Read(part)
		shown += string(part[:n])
		if len(replies) > 0 && replies[0].keys != "" && strings.Contains(shown[seen:], replies[0].question) {
			for replies[0].hidden && u.echoes(master) {
				require.NoError(u.t, ctx.Err())
			}
			_, err = io.WriteString(master, replies[0].keys)
			require.NoError(u.t, err)
			replies, seen = replies[1:], len(shown)
		}
		if err != nil { // also when the other side is closed
			break
		}
	}
	require.NoError(u.t, master.Close())
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil {
		require.ErrorAs(u.t, err, &exit)
	}
	return cmd.ProcessState.ExitCode(), shown
}

// echoes reports whether a terminal shows what is typed.
func (u *user) echoes(terminal *os.File) bool {
	u.t.Helper()
	state, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	require.NoError(u.t, err)
	return state.Lflag&unix.ECHO != 0
}

// TestPassphraseQuestion stores an API key in the encrypted file, by a passphrase that is typed while the key comes by a pipe.
func TestPassphraseQuestion(t *testing.T) {
	t.Parallel()
	service := hostedtest.Start(t, hostedtest.Options{})
	u := newUser(t)
	s := u.serve()
	status, body := s.request("PUT", "/settings", `{"hosted.base_url":"`+service.URL+`","secrets.allow_file":true}`)
	require.Equal(t, 200, status, body)
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
	login := func(replies ...reply) (int, string) {
		return u.converse(strings.NewReader(hostedtest.Key+"\n"), replies, "hosted", "login", "--key-stdin")
	}
	secretFile := filepath.Join(u.data, "secrets.enc")

	code, shown := login(reply{question: "New passphrase", keys: "\x03", hidden: true})
	require.Equal(t, exitInterrupted, code, shown)
	require.NoFileExists(t, secretFile)

	first, again := reply{"New passphrase", "of mine\n", true}, reply{"again: ", "of mine\n", true}
	code, shown = login(first, reply{"again: ", "another\n", true}, first, again)
	require.Equal(t, exitDone, code, shown)
	require.Contains(t, shown, "The passphrases differ.")
	require.NotContains(t, shown, "of mine")
	require.FileExists(t, secretFile)
	require.NoFileExists(t, filepath.Join(u.data, "secrets.key"))

	code, shown = u.converse(nil, []reply{{"Passphrase of", "of mine\n", true}}, "hosted", "voices")
	require.Equal(t, exitDone, code, shown)
	u.withEnv("VOICEWRIGHT_PASSPHRASE=of mine").mustRun("hosted", "voices")
	require.Contains(t, u.run("hosted", "status").err, "needs its passphrase", "nobody can be asked")
}

func TestLicenceQuestion(t *testing.T) {
	u, server := newUserWithHub(t)
	for _, keys := range []string{"n\n", "\n", "perhaps\n", "\x04"} {
		code, shown := u.runOnTerminal(keys, "models", "download", "toy")
		require.Equal(t, exitNeeded, code, shown)
		require.Contains(t, shown, "Toy Licence:")
		require.Contains(t, shown, "https://example.com/toy-licence")
		require.Contains(t, shown, "Do you accept the licence? [y/N]")
	}
	code, shown := u.runOnTerminal("\x03", "models", "download", "toy")
	require.Equal(t, exitInterrupted, code, shown)
	require.Empty(t, server.Requests("toy.onnx"))

	slowDownload(server)
	code, shown = u.runOnTerminal("Yes\n", "models", "download", "toy")
	require.Equal(t, exitDone, code, shown)
	require.Contains(t, shown, "toy is installed")
	require.Regexp(t, `[0-9.]+ MB of 40\.0 MB, [0-9.]+ MB/s`, shown, "the bar shows speed and size")
	require.Contains(t, shown, " left")
	require.Contains(t, u.mustRun("models", "list"), "Toy Licence (accepted)")
}

// TestKeyOnATerminal is read without being shown.
func TestKeyOnATerminal(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	s := u.serve()
	status, body := s.request("PUT", "/settings", `{"secrets.allow_file":true}`)
	require.Equal(t, 200, status, body)
	code, shown := u.converse(nil, []reply{{question: "API key: ", keys: hostedtest.Key + "\n", hidden: true}}, "hosted", "login", "--key-stdin")
	require.Equal(t, exitDone, code, shown)
	require.Contains(t, shown, "Stored the API key svc_sk_")
	require.NotContains(t, shown, hostedtest.Key)
	code, shown = u.converse(nil, []reply{{question: "API key: ", keys: "\x03", hidden: true}}, "hosted", "login", "--key-stdin")
	require.Equal(t, exitInterrupted, code, shown)
}

// TestTerminalShowsControlCharacters prints names and texts with characters that would control a terminal. A pipe gets them as they
// are.
func TestTerminalShowsControlCharacters(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	s := u.serve()
	const name, shownName = "Eve\x1b[2J\u009b31m\u202ee\x7f", "Eve␛[2J\ufffd31m\ufffde␡"
	encoded, err := json.Marshal(name)
	require.NoError(t, err)
	status, body := s.request("POST", "/profiles", `{"name":`+string(encoded)+`}`)
	require.Equal(t, 200, status, body)
	profile := parseJSON(t, body)["id"].(string)
	status, body = s.request("POST", "/generate", `{"profile_id":"`+profile+`","text":"One \u001b]0;x\u0007 two.\u0085","title":`+string(encoded)+`}`)
	require.Equal(t, 200, status, body)
	generation := parseJSON(t, body)["id"].(string)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"profiles", "list"}, shownName},
		{[]string{"profiles", "show", profile}, shownName},
		{[]string{"profiles", "rename", profile, name}, shownName},
		{[]string{"history", "list"}, "One ␛]0;x␇ two."},
		{[]string{"history", "show", generation}, "␛"},
		{[]string{"history", "search", "two"}, "One ␛]0;x␇ two."},
		{[]string{"history", "list", "--json"}, "\ufffd31m"},
		{[]string{"say", "--file", "no\x1bne.txt"}, "no␛ne.txt"},
		{[]string{"say", "Hello", "--profile", "\x1b[2J"}, `\x1b[2J`},
		{[]string{"say", "One two \x1b.", "-o", "a\x1b.wav"}, "a␛.wav"},
		{[]string{"transcribe", "no\x1bne.wav"}, "no␛ne.wav"},
		{[]string{"models", "download", "\x1b[2J"}, `\x1b[2J`},
		{[]string{"\x1b[2J"}, `\x1b[2J`},
		{[]string{"restore", "no\x1bne.zip"}, "no␛ne.zip"},
		{[]string{"restore", "no\nRestored x.zip."}, "no␊Restored x.zip."},
		{[]string{"say", "--file", "no\nWrote x.wav.txt"}, "no␊Wrote x.wav.txt"},
		{[]string{"backup", "no\nWrote x/a.zip"}, "no␊Wrote x does not exist"},
		{[]string{"transcribe", "no\nWrote x.wav"}, "no␊Wrote x.wav"},
	} {
		_, shown := u.converse(nil, nil, c.args...)
		require.Contains(t, shown, c.want, "%q", c.args)
		bars := regexp.MustCompile("\x1b\\[[0-9]*[AKJ]").ReplaceAllString(shown, "") // those of a bar, which moves up and clears lines
		require.NotContains(t, strings.ReplaceAll(bars, "\x1b[?25h", ""), "\x1b", "%q", c.args)
		require.NotContains(t, shown, "\u009b", "%q", c.args)
		require.NotContains(t, shown, "\u202e", "%q", c.args)
	}
	require.Contains(t, u.mustRun("profiles", "list"), name, "a pipe gets the data")
}

// TestNetworkSettingsQuestion is asked before anything is replaced.
func TestNetworkSettingsQuestion(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("say", "Hello.", "-o", "a.wav")
	u.mustRun("backup", "library.zip")
	u.forge("library.zip", "forged.zip", `INSERT INTO settings (key, value) VALUES ('hosted.base_url', '"https://other.example"')`)
	for keys, want := range map[string]struct {
		code int
		url  string
	}{"y\n": {exitDone, "https://other.example"}, "n\n": {exitDone, ""}, "\x03": {exitInterrupted, ""}} {
		other := newUser(t)
		other.mustRun("say", "Mine.", "-o", "a.wav")
		code, shown := other.runOnTerminal(keys, "restore", filepath.Join(u.dir, "forged.zip"))
		require.Equal(t, want.code, code, shown)
		require.Contains(t, shown, "hosted.base_url: (none) -> https://other.example")
		s := other.serve()
		_, body := s.request("GET", "/settings", "")
		require.Equal(t, want.url, parseJSON(t, body)["hosted.base_url"])
		require.Equal(t, want.code == exitInterrupted, other.history()[0]["text"] == "Mine.")
		s.signal(syscall.SIGTERM)
	}
}
