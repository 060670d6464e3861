//go:build linux

package programtest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Fault is what happens at system calls of a program: the When-th of each thread fails with an error of the system, or ends the program
// with a signal.
type Fault struct {
	Calls string // names, with commas between them
	Does  string // as strace writes it: error=EIO, signal=KILL
	When  int    // from 1
}

// Traced runs a command under strace, which must be installed, and reports whether the fault happened.
func (s Shell) Traced(t *testing.T, fault Fault, program string, args []string) (code int, out, err string, happened bool) {
	t.Helper()
	calls := filepath.Join(t.TempDir(), "calls")
	code, out, err = s.Run(t, "strace", nil, append([]string{
		"-f", "-qq", "-o", calls, "-e", "trace=" + fault.Calls, "-e", "signal=none",
		"-e", "inject=" + fault.Calls + ":" + fault.Does + ":when=" + strconv.Itoa(fault.When), "--", program,
	}, args...))
	list, failed := os.ReadFile(calls)
	require.NoError(t, failed, "strace is needed: build/setup --trace: %s", err)
	return code, out, err, strings.Contains(string(list), "(INJECTED)")
}
