// Package backup writes a whole library to one file while the program works, and puts such a file in the place of a library.
// A library is the database with the settings, the list of the user's own models, and the audio. Models, secrets and the
// token of the local API are not part of it.
package backup

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// The names in a backup, which are those in a data directory.
const (
	manifestName = "backup.json"
	databaseName = "voicewright.db"
	modelsName   = "models.json"
	audioName    = "audio"
	takesName    = "takes"
)

const (
	format  = "voicewright-backup"
	version = 1
)

// Manifest says what a backup holds.
type Manifest struct {
	Format     string    `json:"format"`
	Version    int       `json:"version"`
	AppVersion string    `json:"app_version"`
	CreatedAt  time.Time `json:"created_at"`
	Files      []File    `json:"files"`
	Missing    []string  `json:"missing"` // audio that the library names and that was not there
}

// File is one file of a backup.
type File struct {
	Path   string `json:"path"` // with slashes
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// audioPath matches the names of audio files: audio/2026-01/ID.wav, audio/scripts/ID.wav, audio/takes/ID/3-1.wav.
var audioPath = regexp.MustCompile(`^audio/(takes/)?[0-9A-Za-z][0-9A-Za-z_-]*/[0-9A-Za-z][0-9A-Za-z._-]*$`)

// allowed reports whether a file of a backup may have this name.
func allowed(name string) bool {
	return name == databaseName || name == modelsName || audioPath.MatchString(name) && !strings.HasSuffix(name, ".")
}

// audioEntry returns the name that an audio file has in a backup, by the last two parts of its path, wherever the data
// directory was when it was made; ok is false for a path that is not one of ours.
func audioEntry(file string) (name string, ok bool) {
	parts := strings.Split(strings.ReplaceAll(file, `\`, "/"), "/")
	if len(parts) < 2 {
		return "", false
	}
	name = path.Join(append([]string{audioName}, parts[len(parts)-2:]...)...)
	return name, allowed(name)
}

// AudioPath returns where an audio file of a library belongs in a data directory, by the path that it had in another one. A
// path that is not one of ours leads to no file: a backup that somebody else made must not have the program read or delete
// files outside the library.
func AudioPath(data, file string) string {
	name, ok := audioEntry(file)
	if !ok {
		name = path.Join(audioName, "missing")
	}
	return filepath.Join(data, filepath.FromSlash(name))
}

// check refuses a list with strange, repeated or missing names.
func (m Manifest) check() error {
	switch {
	case m.Format != format:
		return Damaged("it names no files of a library", nil)
	case m.Version > version:
		return backend.E(backend.CodeDatabaseNewer, "This backup was made by a newer version of Voicewright.",
			"Install the current version, then restore it.").With("version", m.AppVersion)
	}
	seen := map[string]bool{}
	var sum int64
	for _, f := range m.Files {
		key := strings.ToLower(f.Path)
		sum += f.Bytes
		if !allowed(f.Path) || seen[key] || f.Bytes < 0 || sum < 0 { // a sum that overflows would pass the check for space
			return Damaged("it holds a file that is not part of a library", nil)
		}
		seen[key] = true
	}
	if !slices.ContainsFunc(m.Files, func(f File) bool { return f.Path == databaseName }) {
		return Damaged("it has no database", nil)
	}
	return nil
}

// Damaged is the error of a file that is no backup, or is damaged.
func Damaged(what string, cause error) error {
	return backend.E(backend.CodeUnsupportedMedia, "This file is not a complete backup: "+what+".",
		"Choose a file that `voicewright backup FILE` wrote to its end.").WithCause(cause)
}
