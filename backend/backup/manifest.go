// Package backup writes a library to one file while the program runs, and restores it. A library is the database with the
// settings, the list of the user's own models, and the audio. The voice prints of known speakers are part of it
// only where the user chooses so; models, secrets and the token of the local API are not.
package backup

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// The names in a backup, which are those of the data directory.
const (
	manifestName = "backup.json"
	databaseName = "voicewright.db"
	modelsName   = "models.json"
	audioName    = "audio"
	takesName    = "takes"

	transcriptsName = "transcripts"
	voicesName      = "voices"
	booksName       = "books"
	printsName      = "speakers"
)

const (
	format  = "voicewright-backup"
	version = 1
)

// Manifest is the list of the files in a backup.
type Manifest struct {
	Format     string    `json:"format"`
	Version    int       `json:"version"`
	AppVersion string    `json:"app_version"`
	CreatedAt  time.Time `json:"created_at"`
	Files      []File    `json:"files"`
	Missing    []string  `json:"missing"` // audio of the library whose file was missing
}

// File is one file of a backup.
type File struct {
	Path   string `json:"path"` // with slashes
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// audioPath matches the names of audio files: audio/2026-01/ID.wav, audio/scripts/ID.wav, audio/takes/ID/3-1.wav,
// transcripts/2026-01/ID.opus, voices/PROFILE/ID.wav, and of covers: books/ID/cover.jpg.
var audioPath = regexp.MustCompile(`^(audio/(takes/)?|transcripts/|voices/|books/)[0-9A-Za-z][0-9A-Za-z_-]*/[0-9A-Za-z][0-9A-Za-z._-]*$`)

// printPath matches the names of voice prints: speakers/ID.json.
var printPath = regexp.MustCompile(`^speakers/[0-9A-Za-z][0-9A-Za-z_-]*\.json$`)

// allowed reports whether a file in a backup may have this name.
func allowed(name string) bool {
	return name == databaseName || name == modelsName || printPath.MatchString(name) ||
		audioPath.MatchString(name) && !strings.HasSuffix(name, ".")
}

// folderPath matches the names of files below any folder that a library could have.
var folderPath = regexp.MustCompile(`^([a-z][a-z0-9_-]*)(/[0-9A-Za-z][0-9A-Za-z._-]*)+$`)

// unknownFolder reports whether a name is that of a file below a folder that libraries of this program do not have.
func unknownFolder(name string) bool {
	parts := folderPath.FindStringSubmatch(name)
	return parts != nil && !slices.Contains([]string{audioName, transcriptsName, voicesName, booksName, printsName}, parts[1])
}

// VoicePrints returns how many voice prints are in the backup.
func (m Manifest) VoicePrints() (n int) {
	for _, f := range m.Files {
		if printPath.MatchString(f.Path) {
			n++
		}
	}
	return n
}

// audioEntry returns the name of an audio file or a cover in a backup: the last two parts of its path below the folder of the audio, the
// transcripts, the samples or the books, in whatever data directory it was. ok is false for a path that is not one of a library.
func audioEntry(file string) (name string, ok bool) {
	parts := strings.Split(strings.ReplaceAll(file, `\`, "/"), "/")
	if len(parts) < 2 {
		return "", false
	}
	folder := audioName
	if len(parts) > 2 && slices.Contains([]string{transcriptsName, voicesName, booksName}, parts[len(parts)-3]) {
		folder = parts[len(parts)-3]
	}
	name = path.Join(append([]string{folder}, parts[len(parts)-2:]...)...)
	return name, allowed(name)
}

// AudioPath returns the path of an audio file in a data directory from its path in another one. A path that is not one of a
// library becomes that of a missing file, so that a forged backup cannot make the program read or delete other files.
func AudioPath(data, file string) string {
	name, ok := audioEntry(file)
	if !ok {
		return missing(data)
	}
	return filepath.Join(data, filepath.FromSlash(name))
}

// Place is AudioPath for a file that is about to be used: one that is reached by a link below the folder of the audio or of the
// transcripts is missing too. These folders themselves may be links, as the user may have moved them to another disk.
func Place(data, file string) string {
	path := AudioPath(data, file)
	for _, part := range []string{filepath.Dir(path), path} {
		if info, err := os.Lstat(part); err == nil && info.Mode()&os.ModeSymlink != 0 && filepath.Dir(part) != data {
			return missing(data)
		}
	}
	return path
}

// missing returns the path of a file that no library has.
func missing(data string) string { return filepath.Join(data, audioName, "missing") }

// check rejects a manifest with unknown, repeated or missing names. Errors: unsupported_media, database_newer.
func (m Manifest) check() error {
	switch {
	case m.Format != format:
		return Damaged("it is not a backup of Voicewright", nil)
	case m.Version > version:
		return m.newer()
	}
	seen := map[string]bool{}
	var sum int64
	for _, f := range m.Files {
		key := strings.ToLower(f.Path)
		sum += f.Bytes
		if unknownFolder(f.Path) {
			return m.newer()
		}
		if !allowed(f.Path) || seen[key] || f.Bytes < 0 || sum < 0 { // an overflow would pass the check of the free space
			return Damaged("it holds a file that is not part of a library", nil)
		}
		seen[key] = true
	}
	if !slices.ContainsFunc(m.Files, func(f File) bool { return f.Path == databaseName }) {
		return Damaged("it has no database", nil)
	}
	return nil
}

// newer returns the error of a backup that this program cannot know.
func (m Manifest) newer() error {
	return backend.E(backend.CodeDatabaseNewer, "This backup was made by a newer version of Voicewright.",
		"Install the current version, then restore it.").With("reason", "backup").With("version", m.AppVersion)
}

// Damaged returns the error of a file that is not a complete backup.
func Damaged(what string, cause error) error {
	return backend.E(backend.CodeUnsupportedMedia, "This file is not a complete backup: "+what+".",
		"Choose a complete backup, as written by `voicewright backup FILE`.").With("reason", "backup").WithCause(cause)
}
