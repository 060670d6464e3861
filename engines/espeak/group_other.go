//go:build !unix

package espeak

import "os/exec"

// ownGroup leaves the default: the kill reaches the process itself.
func ownGroup(*exec.Cmd) {}
