//go:build !linux && !nomicrophone

package microphone

import (
	"runtime"

	"github.com/gen2brain/malgo"
)

// soundSystem returns the sound system of the operating system.
func soundSystem(string) (b malgo.Backend, ok bool) {
	if runtime.GOOS == "windows" {
		return malgo.BackendWasapi, true
	}
	return malgo.BackendCoreaudio, true
}
