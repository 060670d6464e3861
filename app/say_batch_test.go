package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSayBatch(t *testing.T) {
	u := newUser(t)
	write(t, filepath.Join(u.dir, "list.csv"), "Text;Name;Voice;Format\r\nHello.;greeting;espeak:en-us;mp3\r\nHallo.;;Nobody;\r\nBonjour.;;espeak:none;\r\n...;;;\r\nHola.;;;\r\n")
	o := u.run("say", "--batch", "list.csv", "--out", "spoken")
	require.Equal(t, exitFailed, o.code, o.err)
	for _, part := range []string{
		`Row 2, line 3: There is no profile "Nobody".`, "Row 3, line 4: Voice: ", "Row 4, line 5: The text has no letter or digit", "3 of 5 rows failed",
	} {
		require.Contains(t, o.err, part)
	}
	u.dir = filepath.Join(u.dir, "spoken")
	require.Equal(t, []string{".voicewright-batch.jsonl", "5-Hola.wav", "greeting.mp3", "report.csv"}, u.outputFiles())
	require.Positive(t, u.readWAV("5-Hola.wav").Rate)
	rows := u.history()
	require.Len(t, rows, 2)
	require.Equal(t, "greeting", rows[1]["title"])
}

// TestKillSayBatch kills a run: what it has made is complete, and the next run makes only the rest.
func TestKillSayBatch(t *testing.T) {
	u := newUser(t)
	write(t, filepath.Join(u.dir, "list.txt"), strings.Repeat("Hello there.\n", 12))
	say := u.start("say", "--batch", "list.txt", "--out", "spoken")
	report := filepath.Join(u.dir, "spoken", "report.csv")
	require.Eventually(t, func() bool {
		raw, _ := os.ReadFile(report)
		return strings.Count(string(raw), "complete") >= 2
	}, testTimeout, 2*time.Millisecond)
	say.signal(syscall.SIGKILL)
	reported, err := os.ReadFile(report)
	require.NoError(t, err)
	done := strings.Count(string(reported), "complete")
	names, err := filepath.Glob(filepath.Join(u.dir, "spoken", "*.wav"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(names), done)
	want := u.readWAV(filepath.Join("spoken", "01-Hello there.wav"))
	for _, name := range names {
		require.Equal(t, want, u.readWAV(filepath.Join("spoken", filepath.Base(name))), "a file is complete or absent")
	}
	before := len(u.history())
	u.mustRun("say", "--batch", "list.txt", "--out", "spoken")
	require.LessOrEqual(t, len(u.history()), before+12-done, "nothing that was reported is spoken again")
	names, err = filepath.Glob(filepath.Join(u.dir, "spoken", "*.wav"))
	require.NoError(t, err)
	require.Len(t, names, 12)
}
