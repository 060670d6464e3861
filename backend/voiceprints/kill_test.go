package voiceprints

import (
	"bufio"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// writesPrints is the variable with the folder in which a process of this test writes prints until it is killed.
const writesPrints = "VOICEWRIGHT_TEST_WRITES_PRINTS"

// anna is a person whose file has the nth version.
func anna(n int) person {
	voice := make([]float32, maxLength)
	voice[0] = 1
	return person{
		Version: fileVersion, ID: "id-1", Name: "Anna", Consent: backend.Consent{Kind: backend.ConsentOwnVoice},
		UpdatedAt: time.Unix(int64(n), 0).UTC(), Model: "m", Recordings: []recorded{{Transcript: fmt.Sprint(n), Seconds: 3, Print: voice}},
	}
}

func TestMain(m *testing.M) {
	if dir := os.Getenv(writesPrints); dir != "" {
		s := Open(dir, "", slog.New(slog.DiscardHandler))
		for n := 1; ; n++ {
			if _, _, err := s.add(anna(n)); err != nil {
				os.Exit(1)
			}
			_, _ = fmt.Println(n) // the test kills this process after one of them
		}
	}
	os.Exit(m.Run())
}

// TestKilledWhileAPrintIsWritten: a process that is killed while it replaces a print leaves the one before or the new one, and the next
// start leaves nothing else.
func TestKilledWhileAPrintIsWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "speakers")
	for round := range 5 {
		cmd := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // this test itself
		cmd.Env = append(os.Environ(), writesPrints+"="+dir)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		written := 0
		for range 3 + 4*round {
			require.True(t, lines.Scan())
			_, err := fmt.Sscan(lines.Text(), &written)
			require.NoError(t, err)
		}
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())

		var log strings.Builder
		s := Open(dir, "", slog.New(slog.NewTextHandler(&log, nil)))
		require.Empty(t, log.String())
		require.Len(t, s.list("m"), 1)
		require.GreaterOrEqual(t, s.list("m")[0].UpdatedAt.Unix(), int64(written), "what was reported as stored is stored")
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, 1, "no temporary file is left")
		require.NoError(t, s.forget("id-1"))
	}
}
