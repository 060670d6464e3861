//go:build xserver

package shortcuts_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/app/desktoptest"
	"github.com/voicewright/voicewright/app/shortcuts"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/shortcut"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// keys are the events of an action.
type keys chan string

func (k keys) action(t *testing.T, combination string) shortcuts.Action {
	t.Helper()
	s, err := shortcut.Parse(combination)
	require.NoError(t, err)
	return shortcuts.Action{
		Name: "dictation", Description: "Dictate", Shortcut: s, Pressed: func() { k <- "pressed" }, Released: func() { k <- "released" },
	}
}

func (k keys) require(t *testing.T, want ...string) {
	t.Helper()
	for _, w := range want {
		select {
		case got := <-k:
			require.Equal(t, w, got)
		case <-time.After(desktoptest.Timeout):
			t.Fatalf("not %s", w)
		}
	}
	require.Empty(t, k)
}

func listen(t *testing.T, k keys, combination string) *shortcuts.Listener {
	t.Helper()
	l, err := shortcuts.Listen(t.Context(), slog.New(slog.DiscardHandler), k.action(t, combination))
	require.NoError(t, err)
	t.Cleanup(l.Close)
	return l
}

func TestShortcutOnX11(t *testing.T) {
	desktoptest.Start(t)
	for combination, typed := range map[string]string{
		"Ctrl+Alt+Space": "ctrl+alt+space", "Super+7": "super+7", "F9": "F9", "Ctrl+Shift+D": "ctrl+shift+d", "Ctrl+PageDown": "ctrl+Next",
	} {
		k := make(keys, 16)
		l := listen(t, k, combination)
		require.Equal(t, combination, l.Trigger())
		desktoptest.Tool(t, "xdotool", "key", typed)
		k.require(t, "pressed", "released")
		desktoptest.Tool(t, "xdotool", "key", "ctrl+alt+x") // another key
		l.Close()
		desktoptest.Tool(t, "xdotool", "key", typed)
		require.Empty(t, k, combination)
	}
}

func TestHeldShortcutIsPressedOnce(t *testing.T) {
	desktoptest.Start(t)
	k := make(keys, 64)
	listen(t, k, "Ctrl+Alt+Space")
	desktoptest.Tool(t, "xdotool", "keydown", "ctrl", "keydown", "alt", "keydown", "space", "sleep", "1.5") // repeats after 0.66 s
	k.require(t, "pressed")
	desktoptest.Tool(t, "xdotool", "keyup", "space", "keyup", "alt", "keyup", "ctrl")
	k.require(t, "released")
}

func TestShortcutWithNumLock(t *testing.T) {
	desktoptest.Start(t)
	desktoptest.Tool(t, "xdotool", "key", "Num_Lock", "key", "Caps_Lock")
	k := make(keys, 16)
	listen(t, k, "Ctrl+Alt+D")
	desktoptest.Tool(t, "xdotool", "key", "ctrl+alt+d")
	k.require(t, "pressed", "released")
}

func TestTakenShortcut(t *testing.T) {
	desktoptest.Start(t)
	k := make(keys, 16)
	listen(t, k, "Ctrl+Alt+Space")
	_, err := shortcuts.Listen(t.Context(), slog.New(slog.DiscardHandler), k.action(t, "Ctrl+Alt+Space"))
	require.Equal(t, backend.CodeShortcutUnavailable, backend.CodeOf(err))
	require.Equal(t, "taken", backend.AsError(err).Params["reason"])
}

func TestNoDesktop(t *testing.T) {
	t.Setenv("WAYLAND_DISPLAY", "")
	for _, display := range []string{"", ":987"} {
		t.Setenv("DISPLAY", display)
		_, err := shortcuts.Listen(t.Context(), slog.New(slog.DiscardHandler), keys(nil).action(t, "F9"))
		require.Equal(t, "no_desktop", backend.AsError(err).Params["reason"])
	}
}
