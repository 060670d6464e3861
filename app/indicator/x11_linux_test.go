//go:build xserver

package indicator_test

import (
	"log/slog"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/app/desktoptest"
	"github.com/voicewright/voicewright/app/indicator"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func visible() bool {
	return exec.Command("xdotool", "search", "--onlyvisible", "--name", "^Voicewright: microphone open$").Run() == nil
}

func TestDotIsShownAboveAllWindows(t *testing.T) {
	desktoptest.Start(t)
	i := indicator.New(slog.New(slog.DiscardHandler))
	for range 2 {
		i.Show()
		i.Show()
		require.Eventually(t, visible, desktoptest.Timeout, 10*time.Millisecond)
		require.Eventually(t, func() bool {
			out, err := exec.Command("import", "-window", "root", "-crop", "1x1+512+22", "-depth", "8", "txt:-").Output()
			return err == nil && strings.Contains(string(out), "E5484D")
		}, desktoptest.Timeout, 10*time.Millisecond, "the dot is red")
		i.Hide()
		require.Eventually(t, func() bool { return !visible() }, desktoptest.Timeout, 10*time.Millisecond)
	}
	i.Hide()
}

func TestWithoutAScreen(t *testing.T) {
	t.Setenv("DISPLAY", "")
	i := indicator.New(slog.New(slog.DiscardHandler))
	i.Show()
	i.Hide()
}
