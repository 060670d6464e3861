//go:build xserver

package typing_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/app/desktoptest"
	"github.com/voicewright/voicewright/app/typing"
	"github.com/voicewright/voicewright/backend"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// texts are what people dictate, and what keyboards lack.
func texts() map[string]string {
	return map[string]string{
		"umlauts":     "Grüße aus Köln, schöne Straße!",
		"emoji":       "Done 🎉, 木曜日 and 👩‍🚀.",
		"line breaks": "First line.\nSecond line.\n\nFourth line.",
		"long":        strings.Repeat("Twenty characters ä, ", 100),
	}
}

func newTypist(t *testing.T) *typing.Typist {
	t.Helper()
	typist := typing.New(slog.New(slog.DiscardHandler))
	t.Cleanup(typist.Close)
	return typist
}

// terminal opens xterm with a program that writes what is typed to a file, line by line.
func terminal(t *testing.T) (file string) {
	t.Helper()
	t.Setenv("LC_ALL", "C.UTF-8")
	file = filepath.Join(t.TempDir(), "typed")
	desktoptest.Run(t, "xterm", "-u8", "-title", "terminal", "-e", "sh", "-c", "cat > "+file)
	desktoptest.Focus(t, "terminal")
	require.Eventually(t, func() bool { _, err := os.Stat(file); return err == nil }, desktoptest.Timeout, 20*time.Millisecond)
	return file
}

func requireTyped(t *testing.T, file, want string) {
	t.Helper()
	var got []byte
	require.Eventually(t, func() bool {
		got, _ = os.ReadFile(file)
		return string(got) == want
	}, desktoptest.Timeout, 20*time.Millisecond, "want %q", want)
	require.Equal(t, want, string(got))
}

func TestInsertIntoATerminal(t *testing.T) {
	desktoptest.Start(t)
	typist := newTypist(t)
	file := terminal(t)
	want := ""
	for name, text := range texts() {
		require.NoError(t, typist.Insert(t.Context(), text+"\n"), name)
		want += text + "\n"
		requireTyped(t, file, want)
	}
}

func TestInsertIntoATextField(t *testing.T) {
	desktoptest.Start(t)
	typist := newTypist(t)
	dir := t.TempDir()
	flags := strings.Fields(desktoptest.Tool(t, "pkg-config", "--cflags", "--libs", "gtk+-3.0"))
	out, err := exec.Command("gcc", append([]string{"testdata/entry.c", "-o", filepath.Join(dir, "entry")}, flags...)...).CombinedOutput()
	require.NoError(t, err, string(out))
	file := filepath.Join(dir, "typed")
	desktoptest.Run(t, filepath.Join(dir, "entry"), file)
	desktoptest.Focus(t, "entry")
	for name, text := range texts() {
		desktoptest.Tool(t, "xdotool", "key", "ctrl+a", "Delete")
		require.NoError(t, typist.Insert(t.Context(), text), name)
		requireTyped(t, file, text)
	}
}

func TestClipboardIsAsBefore(t *testing.T) {
	desktoptest.Start(t)
	typist := newTypist(t)
	file := terminal(t)
	picture := make([]byte, 3<<20) // sent in parts
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(picture)
	source := filepath.Join(t.TempDir(), "picture")
	require.NoError(t, os.WriteFile(source, picture, 0o600))

	for _, former := range []struct{ target, file, want string }{
		{"image/png", source, string(picture)},
		{"UTF8_STRING", write(t, "copied before, ä 🎉"), "copied before, ä 🎉"},
	} {
		owner := desktoptest.Run(t, "xclip", "-selection", "clipboard", "-t", former.target, "-i", "-quiet", former.file)
		require.Eventually(t, func() bool {
			out, err := exec.Command("xclip", "-selection", "clipboard", "-t", former.target, "-o").Output()
			return err == nil && string(out) == former.want
		}, desktoptest.Timeout, 20*time.Millisecond)

		before, _ := os.ReadFile(file)
		require.NoError(t, typist.Insert(t.Context(), "dictated\n"))
		requireTyped(t, file, string(before)+"dictated\n")
		require.Equal(t, former.want, desktoptest.Tool(t, "xclip", "-selection", "clipboard", "-t", former.target, "-o"))
		require.Error(t, exec.Command("xclip", "-selection", "primary", "-o").Run(), "the primary selection was empty")
		_ = owner.Process.Kill()
	}
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestInsertWithoutATextField(t *testing.T) {
	desktoptest.Start(t)
	err := newTypist(t).Insert(t.Context(), "nobody reads this")
	require.Equal(t, backend.CodeTypingUnavailable, backend.CodeOf(err))
	require.Equal(t, "no_field", backend.AsError(err).Params["reason"])
}

func TestInsertWaitsForTheShortcut(t *testing.T) {
	desktoptest.Start(t)
	typist := newTypist(t)
	file := terminal(t)
	desktoptest.Tool(t, "xdotool", "keydown", "ctrl", "keydown", "alt") // held for ever
	require.NoError(t, typist.Insert(t.Context(), "with keys held\n"))
	requireTyped(t, file, "with keys held\n")
}

func TestCancelledInsert(t *testing.T) {
	desktoptest.Start(t)
	typist := newTypist(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(150*time.Millisecond, cancel)
	require.ErrorIs(t, typist.Insert(ctx, "nobody reads this"), backend.ErrCancelled)
}

func TestCopy(t *testing.T) {
	desktoptest.Start(t)
	typist := newTypist(t)
	require.NoError(t, typist.Copy(t.Context(), "copied ä 🎉"))
	require.Equal(t, "copied ä 🎉", desktoptest.Tool(t, "xclip", "-selection", "clipboard", "-o"))
}

func TestServerGoesAway(t *testing.T) {
	desktoptest.Start(t)
	typist := newTypist(t)
	require.NoError(t, typist.Copy(t.Context(), "text"))
	t.Setenv("DISPLAY", ":987")
	other := newTypist(t)
	require.Equal(t, backend.CodeTypingUnavailable, backend.CodeOf(other.Copy(t.Context(), "text")))
}
