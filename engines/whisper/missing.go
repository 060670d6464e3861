//go:build !whisper

package whisper

import (
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

func libraryVersion() string { return "" }

func (d *Driver) open(string, engines.Options) (engines.Engine, error) {
	return nil, backend.E(backend.CodeRuntimeMissing, "This build of Voicewright cannot transcribe: it was built without whisper.cpp.",
		"Build it with `make build`, or install a build that can.")
}
