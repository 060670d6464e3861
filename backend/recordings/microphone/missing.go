//go:build nomicrophone

// Package microphone stands in for the sound system in a build that cannot record.
package microphone

import (
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/recordings"
)

// System has no microphones.
type System struct {
	Cookie string // not used
}

var _ recordings.Microphones = (*System)(nil)

var errMissing = backend.E(backend.CodeRuntimeMissing, "This build of Voicewright cannot record: it was built without the sound system.",
	"Build it with `make build`, or install a build that can.")

// List implements recordings.Microphones. Error: backend.CodeRuntimeMissing.
func (s *System) List() ([]backend.AudioDevice, error) { return []backend.AudioDevice{}, errMissing }

// Open implements recordings.Microphones. Error: backend.CodeRuntimeMissing.
func (s *System) Open(string, int, recordings.Input) (recordings.Microphone, error) {
	return nil, errMissing
}
