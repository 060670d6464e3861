//go:build whisper

package app_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/pocket/pockettest"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// shellPage is a page of docs whose commands are run in one shell, in their order.
type shellPage struct {
	name   string
	before string            // run before them
	words  []string          // those of the page, such as ID, each followed by what takes its place
	notRun map[string]string // lines that are left out, each with the reason
}

// newest prints the id of the newest generation.
const newest = `newest() { voicewright history list --limit 1 --json | grep -o '"id":"[^"]*' | head -n 1 | cut -d '"' -f 4; }` + "\n"

// runPage runs the commands of a page as a person would who copies them, and returns what they print. Each of them must succeed.
func (u *user) runPage(p shellPage) (printed string) {
	u.t.Helper()
	script := "set -euo pipefail\ntrap 'echo \"docs/" + p.name + ": $BASH_COMMAND\" >&2' ERR\n" + p.before + "\n" + u.pageScript(p)
	folder := u.t.TempDir()
	require.NoError(u.t, os.Symlink(binary, filepath.Join(folder, "voicewright")))
	shell := u.terminal()
	shell.Env = append(append([]string{}, shell.Env...), "PATH="+folder+":"+os.Getenv("PATH"))
	code, out, err := shell.Run(u.t, "bash", strings.NewReader(script), nil)
	require.Equal(u.t, exitDone, code, "%s\n%s", out, err)
	return out
}

// pageScript returns the commands of all blocks of a page, without those that are not run.
func (u *user) pageScript(p shellPage) string {
	u.t.Helper()
	page, err := os.ReadFile(filepath.Join(enginetest.Root(u.t), "docs", p.name))
	require.NoError(u.t, err)
	left := map[string]bool{}
	var script strings.Builder
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(page, -1) {
		for line := range strings.Lines(string(block[1])) {
			line, _, _ = strings.Cut(line, "  #")
			line = strings.TrimSpace(line)
			if p.notRun[line] != "" {
				left[line] = true
				continue
			}
			script.WriteString(strings.NewReplacer(p.words...).Replace(line) + "\n")
		}
	}
	for line := range p.notRun {
		require.True(u.t, left[line], "docs/%s has no line %s", p.name, line)
	}
	require.NotEmpty(u.t, script.String())
	return script.String()
}

// newUserWithModels returns a user who has a transcription model, recordings and texts, and a hub with a Piper voice.
func newUserWithModels(t *testing.T) *user {
	t.Helper()
	u, _ := newUserWithHub(t)
	u = u.withEnv(oneThread)
	u.mustRun("models", "import", whispertest.Path(t, "plain"), "--name", "plain")
	for _, name := range []string{"talk.mp3", "memo.mp3", "interviews/first.wav", "talk.wav", "me.wav"} {
		u.copyClip(name)
	}
	return u
}

func TestStudioPage(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	write(t, filepath.Join(u.dir, "lines.csv"), "text,name\nMind the gap.,gap\nDoors closing.,\n")
	u.runPage(shellPage{name: "studio.md"})
	for _, name := range []string{"gap.flac", "2-Doors closing.flac", "report.csv"} {
		require.FileExists(t, filepath.Join(u.dir, "lines", name))
	}
}

func TestVoicesPage(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	printed := u.runPage(shellPage{name: "voices.md"})
	require.Contains(t, printed, "Narrator 2")
	require.NotEmpty(t, u.read("tag.wav"))
}

func TestCloningPage(t *testing.T) {
	t.Parallel()
	u := newUserWithModels(t)
	folder := filepath.Join(t.TempDir(), "tone")
	require.NoError(t, pockettest.Write(folder, "english"))
	u.mustRun("models", "import", folder, "--name", "my-pocket")
	u.runPage(shellPage{name: "cloning.md", words: []string{
		"ID", `$(voicewright profiles samples Mine --json | grep -o '"id":"[^"]*' | head -n 1 | cut -d '"' -f 4)`,
	}})
	require.NotEmpty(t, u.read("hello.wav"))
}

func TestTranscriptionPage(t *testing.T) {
	t.Parallel()
	u := newUserWithModels(t)
	u.runPage(shellPage{name: "transcription.md"})
	require.Equal(t, jfkText+"\n", string(u.read("talk.txt")))
	require.Contains(t, string(u.read("talk.srt")), "00:00:00,000 --> ")
	require.Contains(t, string(u.read("texts/first.srt")), "00:00:00,000 --> ")
	require.Contains(t, string(u.read("words.json")), `"words"`)
}

func TestModelsPage(t *testing.T) {
	t.Parallel()
	u := newUserWithModels(t)
	folder := filepath.Join(u.dir, "en_US-somebody-medium")
	require.NoError(t, os.CopyFS(folder, os.DirFS(filepath.Join("testdata", "en_US-tone-medium"))))
	require.NoError(t, os.CopyFS(filepath.Join(u.dir, "big", "models"), os.DirFS(filepath.Join(u.data, "models"))))
	s := u.serve()
	printed := u.runPage(shellPage{name: "models.md", words: []string{"kokoro", "plain", "/mnt", u.dir}})
	require.Contains(t, printed, lessac+" is intact: 3 files")
	require.Equal(t, exitDone, s.signal(syscall.SIGINT))
}

func TestLibraryPage(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("say", "The kettle is on.", "-o", "hello.wav")
	u.runPage(shellPage{name: "library.md"})
	require.Len(t, u.history(), 1)
	require.DirExists(t, filepath.Join(u.data, "before-restore"))
}

func TestCommandsPage(t *testing.T) {
	t.Parallel()
	u := newUserWithModels(t)
	epub, err := os.ReadFile(filepath.Join("..", "backend", "extract", "testdata", "div-paras.epub"))
	require.NoError(t, err)
	write(t, filepath.Join(u.dir, "chapter.epub"), string(epub))
	s := u.serve()
	u.runPage(shellPage{
		name: "commands.md", before: newest, words: []string{"ID", "$(newest)"},
		notRun: map[string]string{
			`voicewright say "Two in one." --voice kokoro:af_heart:0.6+af_bella:0.4 -o mix.wav`: "needs Kokoro, whose small model for tests TestMixtures of the engine has",
			`voicewright say "The kettle is on." --play`:                                        "a machine for tests has no sound",
			`voicewright history play ID`:                                                       "the same",
			`voicewright history retry ID`:                                                      "none has failed here; TestInterruptSay stops one",
			`voicewright serve --addr 127.0.0.1:0 --offline`:                                    "runs until Ctrl-C; TestServe starts it",
		},
	})
	require.Equal(t, exitDone, s.signal(syscall.SIGINT))
}

// TestAPIPage runs the examples with curl against a server.
func TestAPIPage(t *testing.T) {
	t.Parallel()
	u := newUserWithModels(t)
	s := u.serve()
	u.runPage(shellPage{
		name: "api.md", before: "URL=" + s.url + " TOKEN=" + s.token,
		notRun: map[string]string{
			"VOICEWRIGHT_TOKEN=choose-one voicewright serve --addr 127.0.0.1:7411 &": "the server of the test has a port that is free",
			"URL=http://127.0.0.1:7411 TOKEN=choose-one":                             "and its own token",
		},
	})
	sound, err := audio.ReadWAV(bytes.NewReader(u.read("kettle.wav")))
	require.NoError(t, err)
	require.Greater(t, sound.Frames(), 10000)
	require.Contains(t, string(u.read("talk.srt")), "00:00:00,000 --> ")
	require.Equal(t, []byte("ID3"), u.read("kettle.mp3")[:3])
	programtest.ParseJSON(t, string(u.read("models.json")))
	require.Equal(t, exitDone, s.signal(syscall.SIGINT))
}
