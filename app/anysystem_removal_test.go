package app_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// installation is the program where packages and installers put it, for a user who has set nothing.
type installation struct {
	*user
	folder  string // of the program and of what belongs to it
	program string
	aside   string // a copy of the folder
}

func newInstallation(t *testing.T) *installation {
	t.Helper()
	home := t.TempDir()
	u := &user{t: t, dir: t.TempDir(), data: filepath.Join(home, ".local", "share", "voicewright")}
	u.env = append(programtest.Environment(home), "HF_ENDPOINT=http://127.0.0.1:9")
	i := &installation{user: u.withEnv(standInPath(t)...), aside: filepath.Join(t.TempDir(), "aside")}
	if programtest.IsWindows() {
		i.program, i.folder = binary, filepath.Dir(binary)
		i.data = filepath.Join(filepath.Dir(filepath.Dir(i.folder)), "voicewright")
	} else {
		i.folder = filepath.Join(home, ".local", "lib", "voicewright")
		i.program = filepath.Join(i.folder, "voicewright")
		require.NoError(t, os.CopyFS(i.folder, os.DirFS(enginetest.Library(t))))
		copyFile(t, binary, i.program)
	}
	require.NoError(t, os.CopyFS(i.aside, os.DirFS(i.folder)))
	return i
}

// use runs a command of the installed program and returns its output.
func (i *installation) use(args ...string) string {
	i.t.Helper()
	code, out, complaints := i.terminal().Run(i.t, i.program, nil, args)
	require.Equal(i.t, exitDone, code, complaints)
	return out
}

// remove uninstalls the program.
func (i *installation) remove() {
	i.t.Helper()
	if os.Getenv(programtest.Installer) == "" {
		require.NoError(i.t, os.RemoveAll(i.folder))
		return
	}
	removers, err := filepath.Glob(filepath.Join(i.folder, "*ninst*.exe"))
	require.NoError(i.t, err)
	require.Len(i.t, removers, 1)
	require.NotEmpty(i.t, i.menu())
	code, _, complaints := i.terminal().Run(i.t, removers[0], nil, []string{"/S"})
	require.Equal(i.t, exitDone, code, complaints)
	require.Eventually(i.t, func() bool { // it goes on in a copy of itself
		_, err := os.Stat(i.folder)
		return os.IsNotExist(err)
	}, testTimeout, 50*time.Millisecond)
	require.Empty(i.t, i.menu())
}

// menu returns the program's entries in the Start menu.
func (i *installation) menu() []string {
	i.t.Helper()
	roaming := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(i.folder))), "Roaming")
	programs := filepath.Join(roaming, "Microsoft", "Windows", "Start Menu", "Programs")
	var all []string
	for _, pattern := range []string{"Voicewright*", filepath.Join("*", "Voicewright*")} {
		found, err := filepath.Glob(filepath.Join(programs, pattern))
		require.NoError(i.t, err)
		all = append(all, found...)
	}
	return all
}

// install installs the program again.
func (i *installation) install() {
	i.t.Helper()
	if installer := os.Getenv(programtest.Installer); installer != "" {
		code, _, complaints := i.terminal().Run(i.t, installer, nil, []string{"/S"})
		require.Equal(i.t, exitDone, code, complaints)
		return
	}
	require.NoError(i.t, os.CopyFS(i.folder, os.DirFS(i.aside)))
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	raw, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, raw, 0o700)) //nolint:gosec // a program
}

// TestAnySystemRemoval uses the program in the folders of a person who set nothing, removes it and installs it again: what the person
// made is there.
func TestAnySystemRemoval(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	i.use("models", "import", programtest.Path(filepath.Join(enginetest.Root(t), "app", "testdata", toneFolder)), "--name", toneModel)
	i.use("say", "Kept for good.", "--voice", toneVoice, "-o", "a.wav")
	i.requireSpoken("Kept for good.", "a.wav")
	i.remove()
	require.NoFileExists(t, i.program)
	require.FileExists(t, filepath.Join(i.data, "voicewright.db"))
	require.Len(t, i.audioFiles(), 1)

	i.install()
	require.Contains(t, i.use("history", "list"), "Kept for good.")
	i.use("say", "Kept for good.", "--voice", toneVoice, "-o", "b.wav")
	require.Equal(t, i.readWAV("a.wav"), i.readWAV("b.wav"))
}
