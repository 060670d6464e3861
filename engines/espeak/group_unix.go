//go:build unix

package espeak

import (
	"os/exec"
	"syscall"
)

// ownGroup starts the process in a group of its own, so that a kill also ends the processes that it started.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
