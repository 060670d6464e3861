package app_test

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
)

// inDeepFolder returns a user whose library is in a folder of more than 320 characters, and that folder.
func (u *user) inDeepFolder() (deeper *user, folder string) {
	folder = filepath.Join(u.dir, strings.Repeat("Ein tiefer Ordner ü"+string(filepath.Separator), 16))
	require.NoError(u.t, os.MkdirAll(folder, 0o700))
	require.Greater(u.t, len(folder), 320)
	u.data = filepath.Join(folder, "data")
	return u.withEnv("VOICEWRIGHT_DATA_DIR=" + programtest.Path(u.data)), folder
}

// TestAnySystemLongPaths keeps the library and results in folders deeper than the 260 characters that paths of Windows once
// could have.
func TestAnySystemLongPaths(t *testing.T) {
	t.Parallel()
	u := newInstalled(t)
	u, deep := u.inDeepFolder()
	const text = "Deep down."
	out := filepath.Join(deep, "a.wav")
	u.mustRun("say", text, "-o", programtest.Path(out))
	require.FileExists(t, out)
	write(t, filepath.Join(deep, "text.txt"), text)
	u.mustRun("say", "--file", programtest.Path(filepath.Join(deep, "text.txt")), "-o", "b.wav")
	require.Len(t, u.history(), 2)
	s := u.serve()
	require.NotNil(t, u.model(lessac))
	s.interrupt()
	zip := programtest.Path(filepath.Join(deep, "library.zip"))
	u.mustRun("backup", zip)
	u.mustRun("restore", zip)
	require.Len(t, u.history(), 2)

	u.importTone()
	u.mustRun("say", text, "--voice", toneVoice, "-o", "c.wav")
	u.requireSpoken(text, "c.wav")

	if programtest.IsWindows() { // no working directory is as deep there
		return
	}
	u.dir = deep
	u.mustRun("history", "export", u.history()[0]["id"].(string), "-o", "d.wav")
	require.FileExists(t, filepath.Join(deep, "d.wav"))
}

// TestAnySystemNames writes to names with letters of all languages, and makes names that every system accepts of those of a list.
func TestAnySystemNames(t *testing.T) {
	t.Parallel()
	u := newInstalled(t)
	for _, name := range []string{"Grüße 🎙.wav", "日本語.wav", "Привет.wav", "e\u0301te\u0301.wav", "a & b 100% (1).wav", "'quoted'.wav", " -x.wav"} {
		u.mustRun("say", "Hello.", "-o", name)
		require.FileExists(t, filepath.Join(u.dir, name))
	}
	folder := "Ordner für 🎙"
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, folder), 0o700))
	u.data = filepath.Join(u.dir, folder, "Daten")
	u = u.withEnv("VOICEWRIGHT_DATA_DIR=" + programtest.Path(u.data))
	u.mustRun("say", "Hello.", "-o", filepath.ToSlash(filepath.Join(folder, "a.wav")))
	require.FileExists(t, filepath.Join(u.dir, folder, "a.wav"))
	require.DirExists(t, u.data)

	write(t, filepath.Join(u.dir, "list.csv"), "text,name\nOne,CON\nTwo,aux.txt\nThree,ends with dots...\nFour,nul\nFive,a:b?c*\nSix,Äpfel 🍎\nSeven,COM1\n")
	u.mustRun("say", "--batch", "list.csv", "--out", "out")
	for _, name := range []string{"_CON", "_aux.txt", "ends with dots", "_nul", "a-b-c", "Äpfel 🍎", "_COM1"} {
		require.FileExists(t, filepath.Join(u.dir, "out", name+".wav"))
	}
	for _, name := range []string{"CON", "aux.txt", "trailing."} {
		u.mustRun("profiles", "create", name)
		require.Equal(t, name, u.mustRunJSON("profiles", "show", name)["name"])
	}
	u.mustRun("profiles", "export", "CON", "-o", "con-profile.zip")
}

// TestAnySystemReservedNames names outputs as Windows names devices: there they are refused, and elsewhere they are files.
func TestAnySystemReservedNames(t *testing.T) {
	t.Parallel()
	u := newInstalled(t)
	id := u.mustRunJSON("say", "Hello.", "-o", "a.wav")["id"].(string)
	for _, name := range []string{"CON.wav", "aux.wav", "nul.mp3", "Com1.wav", "lpt9.tar.wav", "prn .wav"} {
		for _, args := range [][]string{{"say", "Hello.", "-o", name}, {"history", "export", id, "-o", name}} {
			o := u.run(args...)
			if !programtest.IsWindows() {
				require.Equal(t, exitDone, o.code, "%v: %s", args, o.err)
				require.FileExists(t, filepath.Join(u.dir, name))
				continue
			}
			require.Equal(t, exitUsage, o.code, "%v: %s", args, o.err)
			require.Contains(t, o.err, "Windows keeps the name "+name+" for a device")
		}
	}
	for _, args := range [][]string{{"backup", "nul.zip"}, {"profiles", "export", "Built-in voice", "-o", "aux.zip"}} {
		if programtest.IsWindows() {
			o := u.run(args...)
			require.Equal(t, exitUsage, o.code, "%v: %s", args, o.err)
			require.Contains(t, o.err, "Windows keeps")
		}
	}
	// Windows removes dots and blanks at the end of a name.
	for _, name := range []string{"b.wav.", "b.wav ", "b.wav. ."} {
		if o := u.run("say", "Hello.", "-o", name); o.code == exitDone {
			require.FileExists(t, filepath.Join(u.dir, name), o.out)
		} else {
			require.Equal(t, exitUsage, o.code, o.err)
		}
	}
}

// hold lets another program have a file open until the returned function is called. On Windows nobody else can use it then.
func (u *user) hold(path string) (release func()) {
	u.t.Helper()
	program, err := standIn()
	require.NoError(u.t, err)
	cmd := u.terminal().Command(u.t.Context(), program, []string{"hold", programtest.Path(path)})
	in, err := cmd.StdinPipe()
	require.NoError(u.t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(u.t, err)
	require.NoError(u.t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(u.t, err)
	require.Equal(u.t, "held", strings.TrimSpace(line))
	return func() {
		require.NoError(u.t, in.Close())
		_, _ = io.Copy(io.Discard, out)
		require.NoError(u.t, cmd.Wait())
	}
}

// held runs a command while another program has a file open: on Windows it must fail with the reason and a remedy and change
// nothing; elsewhere, where files are shared, it may succeed. Later it must succeed.
func (u *user) held(file string, args ...string) {
	u.t.Helper()
	before, err := os.ReadFile(file)
	require.NoError(u.t, err)
	release := u.hold(file)
	o := u.run(args...)
	if programtest.IsWindows() {
		require.NotEqual(u.t, exitDone, o.code, "%v: %s", args, o.out)
	}
	if o.code != exitDone {
		require.Equal(u.t, exitFailed, o.code, "%v: %s", args, o.err)
		require.Contains(u.t, o.err, "Another program is using ")
		require.Contains(u.t, o.err, "Close ")
	}
	release()
	if o.code != exitDone {
		after, err := os.ReadFile(file)
		require.NoError(u.t, err, "%v", args)
		require.True(u.t, bytes.Equal(before, after), "%v", args)
		u.mustRun(args...)
	}
}

// TestAnySystemHeldFiles uses files that another program has open: a player, an editor, a virus scanner.
func TestAnySystemHeldFiles(t *testing.T) {
	t.Parallel()
	u := newInstalled(t)
	g := u.mustRunJSON("say", "Hello.", "-o", "a.wav")
	id, audio := g["id"].(string), programtest.LocalPath(g["audio_path"].(string))
	write(t, filepath.Join(u.dir, "text.txt"), "From a file.")
	u.mustRun("backup", "library.zip")
	inDir := func(name string) string { return filepath.Join(u.dir, name) }

	u.held(inDir("a.wav"), "say", "Once more.", "-o", "a.wav")
	u.held(inDir("text.txt"), "say", "--file", "text.txt", "-o", "b.wav")
	u.held(inDir("a.wav"), "history", "export", id, "-o", "a.wav")
	u.held(audio, "history", "export", id, "-o", "c.wav")
	u.held(inDir("library.zip"), "backup", "library.zip")
	u.held(inDir("library.zip"), "restore", "library.zip")
	u.held(filepath.Join(u.data, "voicewright.db"), "say", "The library.", "-o", "d.wav")
	u.mustRun("history", "show", id)
	require.NotEmpty(t, u.history())
}

// TestAnySystemHeldAudio deletes a generation whose audio a player has open: the history and the file agree afterwards.
func TestAnySystemHeldAudio(t *testing.T) {
	t.Parallel()
	u := newInstalled(t)
	g := u.mustRunJSON("say", "Hello.", "-o", "a.wav")
	release := u.hold(programtest.LocalPath(g["audio_path"].(string)))
	o := u.run("history", "rm", g["id"].(string))
	release()
	if o.code != exitDone {
		require.Contains(t, o.err, "Another program is using ")
		require.Len(t, u.history(), 1)
		u.mustRun("history", "rm", g["id"].(string))
	}
	require.Empty(t, u.history())
	u.mustRun("say", "The next start sweeps.", "-o", "b.wav")
	require.Len(t, u.audioFiles(), 1)
}
