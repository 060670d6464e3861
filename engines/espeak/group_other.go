//go:build !unix

package espeak

import "os/exec"

// ownGroup does nothing: a kill ends the process itself only.
func ownGroup(*exec.Cmd) {}
