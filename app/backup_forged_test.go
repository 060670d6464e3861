package app_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/backup"
)

// forge changes the database of a backup file with statements, as somebody could who gives it away.
func (u *user) forge(from, to string, statements ...string) {
	u.t.Helper()
	in, err := zip.OpenReader(filepath.Join(u.dir, from))
	require.NoError(u.t, err)
	defer func() { require.NoError(u.t, in.Close()) }()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	manifest := backup.Manifest{Format: "voicewright-backup", Version: 1}
	for _, f := range in.File {
		r, err := f.Open()
		require.NoError(u.t, err)
		content, err := io.ReadAll(r)
		require.NoError(u.t, err)
		require.NoError(u.t, r.Close())
		switch f.Name {
		case "backup.json":
			continue
		case "voicewright.db":
			content = u.changed(content, statements)
		}
		entry, err := w.Create(f.Name)
		require.NoError(u.t, err)
		_, err = entry.Write(content)
		require.NoError(u.t, err)
		sum := sha256.Sum256(content)
		manifest.Files = append(manifest.Files, backup.File{Path: f.Name, Bytes: int64(len(content)), SHA256: hex.EncodeToString(sum[:])})
	}
	list, err := w.Create("backup.json")
	require.NoError(u.t, err)
	require.NoError(u.t, json.NewEncoder(list).Encode(manifest))
	require.NoError(u.t, w.Close())
	require.NoError(u.t, os.WriteFile(filepath.Join(u.dir, to), out.Bytes(), 0o600))
}

// changed returns a database after statements.
func (u *user) changed(content []byte, statements []string) []byte {
	u.t.Helper()
	path := filepath.Join(u.t.TempDir(), "forged.db")
	require.NoError(u.t, os.WriteFile(path, content, 0o600))
	db, err := sql.Open("sqlite", path)
	require.NoError(u.t, err)
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		_, err := db.ExecContext(u.t.Context(), s)
		require.NoError(u.t, err, s)
	}
	require.NoError(u.t, db.Close())
	content, err = os.ReadFile(path)
	require.NoError(u.t, err)
	return content
}

// TestForgedBackup restores a backup that somebody changed, and uses what it holds: no other file of the user is served, exported,
// backed up or removed.
func TestForgedBackup(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("say", "The first sentence.", "-o", "a.wav")
	u.mustRun("say", "The second sentence.", "-o", "b.wav")
	u.mustRun("backup", "library.zip")
	const secretText = "the private key of the user"
	secret := filepath.Join(t.TempDir(), "keys", "id.wav")
	require.NoError(t, os.MkdirAll(filepath.Dir(secret), 0o700))

	set := func(table, column string) string {
		return `UPDATE ` + table + ` SET ` + column + ` = '` + secret + `' WHERE ` + column + ` <> '` + secret + `'`
	}
	for name, statements := range map[string][]string{
		"rows": {set("generations", "audio_path")},
		"triggers": {
			`CREATE TRIGGER a AFTER UPDATE ON generations BEGIN ` + set("generations", "audio_path") + `; END`,
			`CREATE TRIGGER b AFTER INSERT ON settings BEGIN ` + set("generations", "audio_path") + `; END`,
			`CREATE TRIGGER c AFTER INSERT ON marks BEGIN ` + set("generations", "audio_path") + `; END`,
			`CREATE TRIGGER d AFTER UPDATE ON profiles BEGIN ` + set("generations", "audio_path") + `; END`,
			`CREATE TRIGGER e AFTER INSERT ON goose_db_version BEGIN ` + set("generations", "audio_path") + `; END`,
			`DELETE FROM marks WHERE key = 'fold_version'`,
		},
		"a table of old versions": {
			`INSERT INTO generation_versions SELECT id, '` + secret + `', '{}' FROM generations`,
		},
		"formats": {
			`UPDATE generations SET status = 'generating', audio_path = '', format = 'x/../../../../../../../../../..` + secret + `'`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(secret, []byte(secretText), 0o600))
			u.forge("library.zip", "forged.zip", statements...)
			other := newUser(t)
			o := other.run("restore", filepath.Join(u.dir, "forged.zip"))
			if o.code != exitDone {
				require.Contains(t, o.err, "not a complete backup")
				require.NoFileExists(t, filepath.Join(other.data, "voicewright.db"))
				return
			}
			s := other.serve()
			rows := other.history()
			require.Len(t, rows, 2)
			for _, g := range rows {
				id := g["id"].(string)
				for _, path := range []string{"/audio/" + id, "/history/" + id + "/export?format=wav", "/history/" + id} {
					_, body := s.request(http.MethodGet, path, "")
					require.NotContains(t, body, secretText, path)
					require.NotContains(t, body, secret, path)
				}
				_, _ = s.request(http.MethodPatch, "/history/"+id, `{"title":"new"}`)
			}
			other.mustRun("backup", "again.zip")
			raw, err := os.ReadFile(filepath.Join(other.dir, "again.zip"))
			require.NoError(t, err)
			require.NotContains(t, string(raw), secretText)
			status, body := s.request(http.MethodPost, "/history/"+rows[0]["id"].(string)+"/undo", "")
			require.NotContains(t, body, secret, status)
			for _, g := range rows {
				status, body := s.request(http.MethodDelete, "/history/"+g["id"].(string), "")
				require.Equal(t, http.StatusNoContent, status, body)
			}
			s.signal(syscall.SIGTERM)
			kept, err := os.ReadFile(secret)
			require.NoError(t, err, "the file is not removed")
			require.Equal(t, secretText, string(kept))
		})
	}
}

// TestLibraryOfAnotherFolder: the audio of a library whose folder was copied is that of the copy, and removing it leaves the original.
func TestLibraryOfAnotherFolder(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("say", "The first sentence.", "-o", "a.wav")
	original := u.history()[0]["audio_path"].(string)
	copied := filepath.Join(u.dir, "copied")
	require.NoError(t, os.CopyFS(copied, os.DirFS(u.data)))
	u.mustRun("history", "rm", "--data", copied, u.history()[0]["id"].(string))
	require.FileExists(t, original)
	require.Len(t, u.history(), 1)
}

// TestLinkInsteadOfAudio: a link in the folder of the audio is not followed.
func TestLinkInsteadOfAudio(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("say", "The first sentence.", "-o", "a.wav")
	g := u.history()[0]
	secret := filepath.Join(t.TempDir(), "id.wav")
	require.NoError(t, os.WriteFile(secret, []byte("the private key of the user"), 0o600))
	path := g["audio_path"].(string)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Symlink(secret, path))
	s := u.serve()
	status, body := s.request(http.MethodGet, "/audio/"+g["id"].(string), "")
	require.Equal(t, http.StatusGone, status)
	require.NotContains(t, body, "private key")
	status, _ = s.request(http.MethodDelete, "/history/"+g["id"].(string), "")
	require.Equal(t, http.StatusNoContent, status)
	require.FileExists(t, secret)
}
