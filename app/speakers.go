package app

import (
	"path/filepath"
	"time"

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
