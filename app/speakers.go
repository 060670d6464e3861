package app

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/voiceprints"
)

// voicePrintsDir returns the folder of the voice prints in a data directory.
func voicePrintsDir(data string) string { return filepath.Join(data, "speakers") }

// openKnown reads the voice prints of known speakers.
func openKnown(c Config) *voiceprints.Store {
	return voiceprints.Open(voicePrintsDir(c.Data), voicePrintsDir(backup.Former(c.Data)), c.Log)
}

// voicePrints creates the service that remembers the voices of speakers.
func (s *Studio) voicePrints(codecs *audio.Codecs, events *events.Streams) *voiceprints.Service {
	return voiceprints.New(voiceprints.Options{
		Diarizers: s.models, Codecs: codecs, Store: s.voices, Transcripts: s.db, Consent: s.profiles.NewConsent,
		Changed: func(id string) { events.Publish("speaker", map[string]string{"id": id}) }, Now: time.Now, NewID: newID,
	})
}

// checkVoicePrints reports whether all voice prints can be read.
func checkVoicePrints(data string) (string, error) {
	people, damaged, err := voiceprints.Examine(voicePrintsDir(data))
	switch {
	case err != nil:
		return "", err
	case len(damaged) == 1:
		return "", backend.E(backend.CodeUnsupportedMedia, "A voice print cannot be read: "+damaged[0]+".",
			"Delete the file, then remember the voice again.")
	case len(damaged) > 0:
		return "", backend.E(backend.CodeUnsupportedMedia, "Some voice prints cannot be read: "+strings.Join(damaged, ", ")+".",
			"Delete the files, then remember the voices again.")
	case people == 0:
		return "none", nil
	}
	return fmt.Sprintf("%d can be read", people), nil
}
