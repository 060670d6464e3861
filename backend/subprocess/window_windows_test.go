package subprocess_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"

	"github.com/voicewright/voicewright/backend/subprocess"
)

func TestChildrenOpenNoTerminal(t *testing.T) {
	for _, cmd := range []*exec.Cmd{
		subprocess.Tool(t.Context(), nil, "ffmpeg"), subprocess.Desktop(t.Context(), "explorer"),
	} {
		require.NotNil(t, cmd.SysProcAttr)
		require.EqualValues(t, windows.CREATE_NO_WINDOW, cmd.SysProcAttr.CreationFlags&windows.CREATE_NO_WINDOW)
	}
}
