package subprocess

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// withoutWindow keeps the system from opening a terminal window for a command-line program, which it does when ours has none. Programs
// with windows of their own, such as the file manager, show them all the same.
func withoutWindow(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NO_WINDOW}
}
