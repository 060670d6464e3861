//go:build !windows

package subprocess

import "os/exec"

// withoutWindow does nothing: programs get no terminal window.
func withoutWindow(*exec.Cmd) {}
