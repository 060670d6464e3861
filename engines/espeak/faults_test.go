//go:build unix

package espeak_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/espeak"
)

// fake puts a program called espeak-ng first on PATH. It lists the voice en-us and runs body for every other command; $ids is a
// file for process ids.
func fake(t *testing.T, body string) (ids string) {
	t.Helper()
	dir := t.TempDir()
	ids = filepath.Join(dir, "ids")
	script := "#!/bin/sh\nids=" + ids + `
case "$1" in
--voices)
	echo "Pty Language       Age/Gender VoiceName          File                 Other Languages"
	echo " 2  en-us           --/M      English_(America)  gmw/en-US            (en 3)"
	exit 0;;
--version) echo "eSpeak NG text-to-speech: 9.9-fake  Data at: /nowhere"; exit 0;;
esac
echo $$ >>$ids
` + body
	require.NoError(t, os.WriteFile(filepath.Join(dir, "espeak-ng"), []byte(script), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return ids
}

// maxWait is how long a check may take on a busy machine.
const maxWait = 30 * time.Second

// requireEnded checks that every process in the file has ended and was waited for, and returns how many there are. On a busy
// machine a process with a short timeout may be killed before its first line.
func requireEnded(t *testing.T, ids string) (count int) {
	t.Helper()
	list, err := os.ReadFile(ids)
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	require.NoError(t, err)
	for id := range strings.FieldsSeq(string(list)) {
		pid, err := strconv.Atoi(id)
		require.NoError(t, err)
		require.Eventually(t, func() bool { return syscall.Kill(pid, 0) != nil || zombie(pid) },
			maxWait, 10*time.Millisecond, "process %d is still running", pid)
		count++
	}
	return count
}

// waitStarted waits until the file has count process ids.
func waitStarted(ids string, count int) {
	for end := time.Now().Add(maxWait); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if list, err := os.ReadFile(ids); err == nil && strings.Count(string(list), "\n") >= count {
			return
		}
	}
}

// zombie reports whether a process has ended and another process than this one has to wait for it.
func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ") && !strings.Contains(string(stat), " "+strconv.Itoa(os.Getpid())+" ")
}

// wavHead is a WAV header as espeak-ng writes it (22,050 Hz), for printf.
const wavHead = `printf 'RIFF$\360\377\177WAVEfmt \020\0\0\0\001\0\001\0\042V\0\0D\254\0\0\002\0\020\0data\0\360\377\177'` + "\n"

const someSound = `i=0; while [ $i -lt 2000 ]; do printf 'abcdefgh'; i=$((i+1)); done` + "\n"

func TestFaultySpeech(t *testing.T) {
	processes := 0
	for name, body := range map[string]string{
		"hangs at once":             "sleep 100\n",
		"hangs and keeps children":  "sleep 100 & echo $! >>$ids\nsleep 100\n",
		"hangs after some sound":    wavHead + someSound + "sleep 100\n",
		"hangs without its output":  "exec >&-\nsleep 100\n",
		"hangs after the last byte": wavHead + someSound + "exec >&-\nsleep 100\n",
		"dies at once":              "exit 3\n",
		"prints nothing":            "cat >/dev/null\n",
		"dies after some sound":     wavHead + someSound + "kill -SEGV $$\n",
		"fails after sound":         wavHead + someSound + "echo 'no memory' >&2; exit 1\n",
		"prints garbage":            "cat /proc/version; echo garbage garbage garbage garbage\n",
		"prints only the header":    wavHead,
		"prints only silence":       wavHead + "head -c 20000 /dev/zero\n",
		"is stereo":                 `printf 'RIFF$\360\377\177WAVEfmt \020\0\0\0\001\0\002\0\042V\0\0D\254\0\0\002\0\020\0data\0\360\377\177'` + "\n" + someSound,
		"has an endless header":     `printf 'RIFF$\360\377\177WAVEjunk\377\377\377\177'; cat /dev/zero` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			ids := fake(t, body)
			e := espeak.New()
			e.SetStall(400 * time.Millisecond)
			_, err := collect(t.Context(), e, engines.Utterance{Text: strings.Repeat("Long text that fills the pipe. ", 6000)})
			require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err), "%v", err)
			require.NotEmpty(t, backend.AsError(err).Remedy)
			require.Equal(t, strings.HasPrefix(name, "prints only"), errors.Is(err, engines.ErrSilent), "%v", err)
			processes += requireEnded(t, ids)
		})
	}
	require.Positive(t, processes)
}

func TestCancelOfHangingSpeech(t *testing.T) {
	for name, c := range map[string]struct {
		body      string
		processes int
	}{
		"ignores signals and input": {"trap '' TERM INT HUP PIPE\nwhile :; do sleep 1; done\n", 1},
		"has a child":               {"sleep 100 & echo $! >>$ids\nsleep 100\n", 2},
		"leaves the group":          {"setsid sleep 3 &\nsleep 100\n", 1},
		"floods":                    {wavHead + "while :; do printf 'abcdefgh'; done\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			ids := fake(t, c.body)
			e := espeak.New()
			_, err := e.Voices(t.Context())
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(t.Context())
			stopped := make(chan time.Time, 1)
			go func() {
				waitStarted(ids, c.processes)
				stopped <- time.Now()
				cancel()
			}()
			err = e.Speak(ctx, engines.Utterance{Text: strings.Repeat("Long text that fills the pipe. ", 6000)},
				func(audio.Buffer) error { return nil })
			t.Logf("returned %v after the cancel", time.Since(<-stopped))
			require.ErrorIs(t, err, backend.ErrCancelled)
			require.GreaterOrEqual(t, requireEnded(t, ids), c.processes)
		})
	}
}

func TestFaultyPhonemes(t *testing.T) {
	processes := 0
	for name, body := range map[string]string{
		"hangs at once":            "sleep 100\n",
		"hangs later":              "read a; echo tt; read a; read b; echo t; echo tt; sleep 100\n",
		"dies at once":             "exit 3\n",
		"dies at every clause":     "read a; echo tt; read a; read b; echo t; echo tt; read a; exit 1\n",
		"prints the same for ever": "while :; do echo garbage; done\n",
		"prints an endless line":   "cat /dev/zero\n",
		"never prints the mark":    "read a; echo tt; while :; do echo garbage; done\n",
	} {
		t.Run(name, func(t *testing.T) {
			ids := fake(t, body)
			p := newPhonemizer(t)
			want := backend.CodeEngineFailed
			if name == "prints the same for ever" {
				want = backend.CodeLanguageNotSupported // it prints something, so it does not count as hung
			} else {
				p.SetStall(400 * time.Millisecond)
			}
			_, err := p.Phonemize(t.Context(), "Hello there. And more.", "en-us")
			require.Equal(t, want, backend.CodeOf(err), "%v", err)
			_, err = p.Pronounce(t.Context(), "Hello there. And more.", "en-us", true)
			require.Equal(t, want, backend.CodeOf(err), "%v", err)
			require.NoError(t, p.Close())
			processes += requireEnded(t, ids)
		})
	}
	require.Positive(t, processes)
}

func TestCancelOfHangingPhonemes(t *testing.T) {
	ids := fake(t, "trap '' TERM INT HUP PIPE\nsleep 100 & echo $! >>$ids\nwhile :; do sleep 1; done\n")
	p := newPhonemizer(t)
	holder, cancelHolder := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := p.Phonemize(holder, "Hello", "en-us")
		done <- err
	}()
	waitStarted(ids, 2)
	waiter, cancelWaiter := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancelWaiter()
	_, err := p.Phonemize(waiter, "Hello", "en-us")
	require.ErrorIs(t, err, backend.ErrCancelled, "waiting for the process must end too")
	cancelHolder()
	require.ErrorIs(t, <-done, backend.ErrCancelled)
	require.Equal(t, 2, requireEnded(t, ids))
}

func TestPhonemizeRestartsADeadProcess(t *testing.T) {
	p := newPhonemizer(t)
	want, err := p.Phonemize(t.Context(), "Hello there.", "en-us")
	require.NoError(t, err)
	for range 3 {
		ids := p.Running()
		require.Len(t, ids, 1)
		require.NoError(t, syscall.Kill(ids[0], syscall.SIGKILL))
		got, err := p.Phonemize(t.Context(), "Hello there.", "en-us")
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.NotEqual(t, ids, p.Running())
	}
}

func TestPronounceRestartsADeadProcess(t *testing.T) {
	p := newPhonemizer(t)
	want, err := p.Pronounce(t.Context(), "Hello there", "en-us", true)
	require.NoError(t, err)
	ids := p.Running()
	require.Len(t, ids, 1)
	require.NoError(t, syscall.Kill(ids[0], syscall.SIGKILL))
	got, err := p.Pronounce(t.Context(), "Hello there", "en-us", true)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.NotEqual(t, ids, p.Running())
}

func TestPhonemizerLimitsProcesses(t *testing.T) {
	p := espeak.NewPhonemizer()
	var all []int
	for _, voice := range []string{"en-us", "de", "es", "it", "en-us"} {
		_, err := p.Phonemize(t.Context(), "Radio", voice)
		require.NoError(t, err)
		all = append(all, p.Running()...)
		_, err = p.Pronounce(t.Context(), "Radio", voice, true)
		require.NoError(t, err)
		all = append(all, p.Running()...)
		require.LessOrEqual(t, len(p.Running()), 6)
	}
	require.Len(t, p.Running(), 6)
	require.NoError(t, p.Close())
	for _, pid := range all {
		require.Error(t, syscall.Kill(pid, 0), "process %d is still running", pid)
	}
}

func TestWithoutTheProgram(t *testing.T) {
	path := os.Getenv("PATH")
	t.Setenv("PATH", t.TempDir())
	e, p := espeak.New(), newPhonemizer(t)
	_, speech := collect(t.Context(), e, engines.Utterance{Text: "Hello"})
	_, phonemes := p.Phonemize(t.Context(), "Hello", "en-us")
	_, voices := e.Voices(t.Context())
	_, version := e.Version(t.Context())
	for _, err := range []error{speech, phonemes, voices, version} {
		require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err), "%v", err)
		require.Contains(t, backend.AsError(err).Remedy, "apt install espeak-ng")
	}
	require.Empty(t, e.Info().Voices)

	t.Setenv("PATH", path)
	require.NotEmpty(t, e.Info().Voices, "installing it needs no restart")
	_, err := collect(t.Context(), e, engines.Utterance{Text: "Hello"})
	require.NoError(t, err)

	t.Setenv("PATH", t.TempDir())
	_, err = collect(t.Context(), e, engines.Utterance{Text: "Hello"})
	require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err), "removing it is noticed")
}

// fakeList puts a program called espeak-ng first on PATH that runs body for every command.
func fakeList(t *testing.T, body string) (ids string) {
	t.Helper()
	dir := t.TempDir()
	ids = filepath.Join(dir, "ids")
	script := "#!/bin/sh\necho $$ >>" + ids + "\n" + body
	require.NoError(t, os.WriteFile(filepath.Join(dir, "espeak-ng"), []byte(script), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return ids
}

func TestEndlessList(t *testing.T) {
	ids := fakeList(t, "exec yes ' 2  en-us           --/M      English_(America)  gmw/en-US            (en 3)'")
	e := espeak.New()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := e.Voices(t.Context())
	runtime.ReadMemStats(&after)
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20))
	require.Equal(t, 1, requireEnded(t, ids))
}

// Many calls use the built-in voice, so only the first one may wait for an espeak-ng that hangs.
func TestOnlyTheFirstCallWaitsForAHangingList(t *testing.T) {
	ids := fakeList(t, "exec sleep 1000")
	e := espeak.New()
	e.SetTimeout(time.Second)
	require.Empty(t, e.Info().Voices, "it remembers too that the command hangs")
	for range 5 {
		_, err := e.Voices(t.Context())
		require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
		_, err = e.Version(t.Context())
		require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
		require.Equal(t, "espeak", e.Info().Engine)
	}
	require.LessOrEqual(t, requireEnded(t, ids), 1)
}

func TestCancelledListIsReadAgain(t *testing.T) {
	ids := fake(t, "exit 1")
	e := espeak.New()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := e.Voices(ctx)
	require.ErrorIs(t, err, backend.ErrCancelled)
	voices, err := e.Voices(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, voices)
	requireEnded(t, ids)
}

func TestStderrIsLimited(t *testing.T) {
	fake(t, "head -c 100000000 /dev/zero >&2; exit 1")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := espeak.New().Speak(t.Context(), engines.Utterance{Text: "Hello.", Voice: "en-us"}, func(audio.Buffer) error { return nil })
	runtime.ReadMemStats(&after)
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20))
}

// TestDataBesideTheProgram names the folder of a program that has its data beside it, also behind a link, as an unpacked one does not
// find them by itself; not without data there, and not in the place of a folder that the user names.
func TestDataBesideTheProgram(t *testing.T) {
	const list = `echo "eSpeak NG text-to-speech: [$ESPEAK_DATA_PATH]  Data at: /nowhere"`
	said := func() string {
		version, err := espeak.New().Version(t.Context())
		require.NoError(t, err)
		return version
	}
	t.Setenv("ESPEAK_DATA_PATH", "")
	folder := filepath.Dir(fakeList(t, list))
	require.Equal(t, "[]", said())

	require.NoError(t, os.Mkdir(filepath.Join(folder, "espeak-ng-data"), 0o700))
	require.Equal(t, "["+folder+"]", said())

	links := t.TempDir()
	require.NoError(t, os.Symlink(filepath.Join(folder, "espeak-ng"), filepath.Join(links, "espeak-ng")))
	t.Setenv("PATH", links)
	require.Equal(t, "["+folder+"]", said())

	t.Setenv("ESPEAK_DATA_PATH", "/chosen")
	require.Equal(t, "[/chosen]", said())
}
