//go:build soak

package app_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSoakSayBatch speaks a list of 10,000 rows, is killed after 4,000 of them, and continues. It prints the times and the memory.
func TestSoakSayBatch(t *testing.T) {
	const rows, killAfter = 10_000, 4_000
	u := newUser(t)
	var list strings.Builder
	list.WriteString("text,voice,speed\n")
	failures := map[string]bool{}
	for i := 1; i <= rows; i++ {
		voice, speed := "", ""
		switch i % 1000 {
		case 500:
			voice = "nobody"
		case 700:
			speed = "99"
		}
		if voice+speed != "" {
			failures[strconv.Itoa(i)] = true
		}
		fmt.Fprintf(&list, "The quiet mill number %d.,%s,%s\n", i, voice, speed)
	}
	write(t, filepath.Join(u.dir, "list.csv"), list.String())
	out := filepath.Join(u.dir, "spoken")
	spoken := func() int {
		names, err := filepath.Glob(filepath.Join(out, "*.wav"))
		require.NoError(t, err)
		return len(names)
	}
	run := func(until func() bool) {
		begun, before := time.Now(), spoken()
		say := u.start("say", "--batch", "list.csv", "--out", out)
		require.Eventually(t, func() bool {
			select {
			case <-say.ended:
				return true
			default:
				return until()
			}
		}, time.Hour, time.Second)
		_ = say.cmd.Process.Kill() // it may have ended
		<-say.ended
		memory := say.cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss / 1024
		t.Logf("%d rows in %s, at most %d MB of memory", spoken()-before, time.Since(begun).Round(time.Second), memory)
	}
	run(func() bool { return spoken() >= killAfter })
	run(func() bool { return false })

	require.Equal(t, rows-len(failures), spoken())
	require.Len(t, u.audioFiles(), rows-len(failures), "no row was spoken twice")
	file, err := os.Open(filepath.Join(out, "report.csv"))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	report, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.Len(t, report, rows+1)
	for _, line := range report[1:] {
		require.Equal(t, failures[line[0]], line[1] == "failed", line)
		require.Equal(t, failures[line[0]], line[3] != "", line)
	}
}
