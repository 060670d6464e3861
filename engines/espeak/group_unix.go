//go:build unix

package espeak

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the process at the head of its own group, so that a kill also reaches what it started.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
