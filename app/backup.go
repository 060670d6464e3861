package app

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// backupService returns the service that backs up this studio.
func (s *Studio) backupService(data string) *backup.Service {
	return &backup.Service{
		Data: data, Temp: s.speech.Synthesizer.TempDir(), Copy: s.db.BackupTo, Version: Version(), Now: time.Now,
		Open: func(ctx context.Context, path string) (backup.Library, error) {
			return sqlite.Open(ctx, sqlite.Options{Path: path, Place: place(data)})
		},
	}
}

// place returns where the audio of a library in a data directory is, from a stored path.
func place(data string) func(path string) string {
	return func(path string) string { return backup.Place(data, path) }
}
