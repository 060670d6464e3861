//go:build !whisper

package whisper

import (
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

const available = false

// Library returns the version of whisper.cpp. Error: backend.CodeRuntimeMissing.
func Library() (version string, err error) {
	return "", backend.E(backend.CodeRuntimeMissing, "This build of Voicewright cannot transcribe: it was built without whisper.cpp.",
		"Build it with `make build`, or install a build that can.")
}

// gpus returns none: there is no library.
func gpus() []string { return nil }

// UsualDevice returns the CPU.
func (d *Driver) UsualDevice() string { return engines.CPU }

func (d *Driver) open(string, engines.Options) (engines.Engine, error) {
	_, err := Library()
	return nil, err
}
