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
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/backup"
)

// forge changes the database of a backup file with statements, as somebody could who gives it away.
func (u *user) forge(from, to string, statements ...string) {
	u.t.Helper()
	u.forgeFile(from, to, "voicewright.db", func(content []byte) []byte { return u.changed(content, statements) })
}

// forgeFile changes a file of a backup.
func (u *user) forgeFile(from, to, name string, change func([]byte) []byte) {
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
		case name:
			content = change(content)
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

// TestUnusableBackup restores backups that are complete as files but hold no library that the program can read: nothing is replaced.
func TestUnusableBackup(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("say", "Kept.", "-o", "a.wav")
	u.mustRun("backup", "library.zip")
	before := u.history()
	refuse := func(name, says string) {
		t.Helper()
		o := u.run("restore", name)
		require.Equal(t, exitFailed, o.code, o.err)
		require.Contains(t, o.err, says)
		require.Equal(t, hashes(before), hashes(u.history()))
		require.NoDirExists(t, filepath.Join(u.data, "before-restore"))
		require.NoDirExists(t, filepath.Join(u.data, "restore-new"))
	}
	for name, statements := range map[string][]string{
		"no rows": {
			`DELETE FROM generations`, `DELETE FROM profiles`, `DELETE FROM settings`,
		},
		"no settings table": {`DROP TABLE settings`},
		"no tables":         {`DROP TABLE generations`},
		"no versions":       {`DELETE FROM goose_db_version`},
		"chunks":            {`UPDATE generations SET chunks = 'garbage'`},
		"receipt":           {`UPDATE generations SET receipt = '{'`},
		"status":            {`UPDATE generations SET status = 'bogus'`},
		"a draft":           {`INSERT INTO drafts (id, name, created_at, updated_at, content) VALUES ('a', 'b', 1, 1, 'garbage')`},
		"a former version":  {`INSERT INTO generation_versions SELECT id, audio_path, 'garbage' FROM generations`},
		"turns of a script": {`INSERT INTO scripts (id, title, gap_ms, audio_path, duration, sample_rate, created_at, updated_at, turns) VALUES ('a', '', 0, '', 0, 0, 1, 1, '{')`},
	} {
		u.forge("library.zip", "forged.zip", statements...)
		t.Log(name)
		refuse("forged.zip", "not a complete backup")
	}
	u.forge("library.zip", "forged.zip", `DELETE FROM generations`, `DELETE FROM profiles`, `DELETE FROM settings`)
	refuse("forged.zip", "its library is empty")
	u.forge("library.zip", "newer.zip", `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)`)
	refuse("newer.zip", "made by a newer version of Voicewright")
	for _, content := range [][]byte{{}, []byte("SQLite format 3\x00"), make([]byte, 4096)} {
		u.forgeFile("library.zip", "forged.zip", "voicewright.db", func([]byte) []byte { return content })
		refuse("forged.zip", "its database is damaged")
	}
	u.forgeFile("library.zip", "forged.zip", "voicewright.db", func(whole []byte) []byte { return whole[:len(whole)/2] })
	refuse("forged.zip", "its database is damaged")
}

// TestNetworkSettingsOfABackup are shown, and taken only when that is asked for.
func TestNetworkSettingsOfABackup(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("say", "Hello.", "-o", "a.wav")
	u.mustRun("backup", "library.zip")
	u.forge("library.zip", "forged.zip", `INSERT INTO settings (key, value) VALUES ('hosted.base_url', '"https://other.example"'),
		('api.allow_origins', '"https://page.example"'), ('speech.verify_limit', '"0.2"')`)
	set := func(other *user) object {
		s := other.serve()
		_, body := s.request(http.MethodGet, "/settings", "")
		s.signal(syscall.SIGTERM)
		return parseJSON(t, body)
	}
	const changed = "hosted.base_url: https://mine.example -> https://other.example"
	for _, c := range []struct {
		flags []string
		says  string
		taken bool
	}{
		{nil, "The settings of this machine are kept.", false},
		{[]string{"--yes"}, "The settings of this machine are kept.", false},
		{[]string{"--with-network-settings"}, "Settings of the network from the backup: api.allow_origins, network.offline, hosted.base_url", true},
	} {
		other := newUser(t)
		s := other.serve()
		status, body := s.request(http.MethodPut, "/settings", `{"hosted.base_url":"https://mine.example","network.offline":true}`)
		require.Equal(t, 200, status, body)
		s.signal(syscall.SIGTERM)
		o := other.run(append([]string{"restore", filepath.Join(u.dir, "forged.zip")}, c.flags...)...)
		require.Equal(t, exitDone, o.code, o.err)
		require.Contains(t, o.err, c.says)
		require.Equal(t, !c.taken, strings.Contains(o.err, changed), o.err)
		values := set(other)
		require.InDelta(t, 0.2, values["speech.verify_limit"], 0, "other settings are those of the backup")
		want := object{"hosted.base_url": "https://mine.example", "network.offline": true, "api.allow_origins": ""}
		if c.taken {
			want = object{"hosted.base_url": "https://other.example", "network.offline": false, "api.allow_origins": "https://page.example"}
		}
		for key, value := range want {
			require.Equal(t, value, values[key], key)
		}
	}
	other := newUser(t)
	result := other.mustRunJSON("restore", filepath.Join(u.dir, "forged.zip"))["network_settings"].(object)
	require.Equal(t, false, result["taken"])
	require.Contains(t, result["changes"], object{"key": "hosted.base_url", "here": "", "backup": "https://other.example"})
	require.NotContains(t, u.mustRunJSON("restore", "library.zip"), "network_settings", "they are the same")
	u.mustFail(exitUsage, []string{"not both"}, "restore", "library.zip", "--yes", "--with-network-settings")
}

// TestRestoredModelsDirectory: a models directory that the settings would refuse does not come in with a backup.
func TestRestoredModelsDirectory(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("profiles", "create", "Grandmother")
	u.mustRun("backup", "plain.zip")
	place := t.TempDir()
	file := filepath.Join(place, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	other := newUser(t)
	other.mustRun("say", "What was there before.", "-o", "a.wav")
	refused := []string{
		file, filepath.Join(place, "missing"), filepath.Join(other.data, "audio"), other.data, "models", strings.Repeat("/a", 5_000),
	}
	refused = append(refused, unusablePlaces...)
	restored := func(models string) string {
		u.forge("plain.zip", "forged.zip", `INSERT INTO settings (key, value) VALUES ('models.directory', '"`+models+`"')`)
		other.mustRun("restore", filepath.Join(u.dir, "forged.zip"))
		s := other.serve()
		_, body := s.request("GET", "/settings", "")
		s.signal(syscall.SIGTERM)
		directory, _ := parseJSON(t, body)["models.directory"].(string)
		return directory
	}
	for _, models := range refused {
		require.Empty(t, restored(models), "%.100q", models)
	}
	require.Equal(t, place, restored(place))
}
