//go:build whisper && linux

package app_test

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

func sha256Of(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// referenced returns the files that the rows of the database name, and the ids of all rows that have folders or files of their own.
func (k *mixed) referenced() (files, ids map[string]bool) {
	k.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(k.data, "voicewright.db")+"?mode=ro")
	require.NoError(k.t, err)
	defer func() { require.NoError(k.t, db.Close()) }()
	column := func(query string) map[string]bool {
		out := map[string]bool{}
		rows, err := db.QueryContext(k.t.Context(), query)
		require.NoError(k.t, err)
		defer func() { _ = rows.Close() }() // it is read to its end
		for rows.Next() {
			var value string
			require.NoError(k.t, rows.Scan(&value))
			out[value] = true
		}
		require.NoError(k.t, rows.Err())
		return out
	}
	files = column(`SELECT audio_path FROM generations UNION SELECT audio_path FROM generation_versions
		UNION SELECT audio_path FROM scripts UNION SELECT audio_path FROM transcripts`)
	for previous := range column(`SELECT previous FROM scripts WHERE previous IS NOT NULL`) {
		var version struct{ File string }
		require.NoError(k.t, json.Unmarshal([]byte(previous), &version))
		files[filepath.Join(k.data, "audio", "scripts", version.File)] = true
	}
	return files, column(`SELECT id FROM generations UNION SELECT id FROM profiles UNION SELECT id FROM books UNION SELECT id FROM samples`)
}

// aside are the files of the library that no row names. In the folder of models, which other programs may use, what a killed import or
// download left goes a day later.
var aside = regexp.MustCompile(`^(lock|server\.json|token|(models|licenses|speeds|hosted/voices)\.json|voicewright\.db(-wal|-shm)?|` +
	`secrets.*|models/.*|before-restore/.*)$`)

var uuid = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// leftover returns the files of the library that nothing needs, temporary ones elsewhere, and processes besides the program.
func (k *mixed) leftover() (names []string) {
	k.t.Helper()
	files, ids := k.referenced()
	for _, dir := range []string{k.data, k.temp} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, _ := filepath.Rel(dir, path) // it is below
			if known := files[path] || dir == k.data && (aside.MatchString(name) || ownedBy(name, ids)); !known {
				names = append(names, path)
			}
			return nil
		})
		if err != nil {
			names = append(names, err.Error()) // it was removed meanwhile
		}
	}
	return append(names, k.orphans()...)
}

// ownedBy reports whether a file belongs to a row by the id in its path.
func ownedBy(name string, ids map[string]bool) bool {
	for _, folder := range []string{"audio/takes/", "audio/partial/", "audio/hosted/", "voices/", "books/"} {
		if strings.HasPrefix(name, folder) {
			return ids[uuid.FindString(name)]
		}
	}
	return false
}
