package app_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/sqlite/sqlitetest"
)

// storeFolder has the migrations, and rows of each version of the schema.
const storeFolder = "../backend/sqlite"

// The kinds of rows: their table, the list of the API, and the fields of an item by column.
var upgradedKinds = []struct {
	table, list string
	fields      map[string]string
}{
	{"generations", "/history?limit=100", map[string]string{
		"text": "text", "title": "title", "profile_name": "profile_name", "language": "language", "seed": "seed", "favorite": "favorite",
		"credits": "credits", "parent_id": "parent_id", "format": "format", "duration": "duration", "created_at": "created_at", "source": "source",
	}},
	{"profiles", "/profiles?usable=all&limit=100", map[string]string{
		"name": "name", "description": "description", "voice_type": "voice_type", "speed": "speed", "favorite": "favorite",
		"preset_voice_id": "preset_voice_id", "created_at": "created_at",
	}},
	{"drafts", "/drafts", map[string]string{"name": "name", "updated_at": "updated_at"}},
	{"pronunciations", "/pronunciations", map[string]string{"word": "word", "respelling": "respelling", "language": "language"}},
	{"scripts", "/scripts", map[string]string{"title": "title", "gap_ms": "gap_ms", "updated_at": "updated_at"}},
	{"transcripts", "/transcriptions", map[string]string{
		"text": "text", "title": "title", "language": "language", "duration": "duration", "file_name": "file_name", "source": "source",
	}},
	{"books", "/books", map[string]string{"title": "title"}},
}

// oldLibrary makes the data directory one of a version of the schema, with the files of its rows.
func (u *user) oldLibrary(version int64) {
	u.t.Helper()
	require.NoError(u.t, os.MkdirAll(u.data, 0o700))
	path := filepath.Join(u.data, "voicewright.db")
	sqlitetest.Old(u.t, storeFolder, path, version)
	sound := string(audio.PCM16(audio.WAVHeader(22050, 1, 2*11025), make([]float32, 11025)))
	for _, stored := range u.storedPaths(path) {
		at := backup.AudioPath(u.data, stored)
		if filepath.Base(at) == "lost.wav" {
			continue
		}
		require.NoError(u.t, os.MkdirAll(filepath.Dir(at), 0o700))
		write(u.t, at, sound)
	}
}

// storedPaths returns the paths of files in a library, as it has them.
func (u *user) storedPaths(path string) (paths []string) {
	u.t.Helper()
	db := sqlitetest.Raw(u.t, path)
	defer func() { require.NoError(u.t, db.Close()) }()
	for _, query := range []string{
		`SELECT audio_path FROM generations WHERE audio_path <> ''`, `SELECT audio_path FROM scripts WHERE audio_path <> ''`,
		`SELECT audio_path FROM transcripts WHERE audio_path <> ''`, `SELECT audio_path FROM generation_versions`,
		`SELECT '/x/voices/' || profile_id || '/' || id || '.wav' FROM samples`, `SELECT '/x/books/' || id || '/cover.png' FROM books`,
	} {
		paths = append(paths, u.storedTexts(db, query)...)
	}
	return paths
}

// storedTexts returns the results of a query, none where its table is not there yet.
func (u *user) storedTexts(db *sql.DB, query string) (texts []string) {
	u.t.Helper()
	rows, err := db.QueryContext(u.t.Context(), query)
	if err != nil {
		require.ErrorContains(u.t, err, "no such table")
		return nil
	}
	defer func() { require.NoError(u.t, rows.Close()) }()
	for rows.Next() {
		var one string
		require.NoError(u.t, rows.Scan(&one))
		texts = append(texts, one)
	}
	require.NoError(u.t, rows.Err())
	return texts
}

// storedRows returns the rows of a table by id, none where there is no such table.
func (u *user) storedRows(path, table string) map[string]object {
	u.t.Helper()
	db := sqlitetest.Raw(u.t, path)
	defer func() { require.NoError(u.t, db.Close()) }()
	rows, err := db.QueryContext(u.t.Context(), `SELECT * FROM `+table)
	if err != nil {
		require.ErrorContains(u.t, err, "no such table")
		return nil
	}
	defer func() { require.NoError(u.t, rows.Close()) }()
	columns, err := rows.Columns()
	require.NoError(u.t, err)
	found := map[string]object{}
	for rows.Next() {
		values, row := make([]any, len(columns)), object{}
		for i := range values {
			values[i] = new(any)
		}
		require.NoError(u.t, rows.Scan(values...))
		for i, c := range columns {
			row[c] = *values[i].(*any)
		}
		found[row["id"].(string)] = row
	}
	require.NoError(u.t, rows.Err())
	return found
}

// requireUpgraded requires that the API has everything that there was in a library of a version of the schema, whose file is at path.
func (s *server) requireUpgraded(u *user, path string, version int64) {
	s.t.Helper()
	for _, kind := range upgradedKinds {
		want, got := u.storedRows(path, kind.table), map[string]object{}
		for _, item := range s.items(kind.list) {
			got[item["id"].(string)] = item
		}
		for id, row := range want {
			item, ok := got[id]
			require.True(s.t, ok, "%s %s", kind.table, id)
			if kind.table == "generations" {
				item = s.must("GET", "/generate/"+id, "", "")
			}
			for column, field := range kind.fields {
				requireSame(s.t, row[column], item[field], kind.table+" "+id+" "+column)
			}
			require.NotContains(s.t, []any{"queued", "generating", "transcribing", "loading_model", "downloading_model"}, item["status"])
		}
	}
	for search, ids := range map[string][]string{"calisma": {"019a0101-0000-7000-8000-000000000001"}, "東京": {"019a0101-0000-7000-8000-000000000003"}} {
		found := s.items("/history?search=" + search)
		require.Len(s.t, found, len(ids), search)
		require.Equal(s.t, ids[0], found[0]["id"])
	}
	s.requireSounds(version)
	s.requireParts(version)
	s.requireUndone(version)
}

// items returns the items of a list.
func (s *server) items(list string) (items []object) {
	s.t.Helper()
	for _, item := range s.must("GET", list, "", "")["items"].([]any) {
		items = append(items, item.(object))
	}
	return items
}

// requireSame compares a value of a column with a field of the API.
func requireSame(t *testing.T, column, field any, what string) {
	t.Helper()
	switch field := field.(type) {
	case nil:
		require.Contains(t, []any{nil, ""}, column, what)
		return
	case bool:
		column = column != int64(0)
	case float64:
		require.InDelta(t, field, column, 1e-9, what)
		return
	case string:
		if at, err := time.Parse(time.RFC3339Nano, field); err == nil {
			require.EqualValues(t, column, at.UnixMilli(), what)
			return
		}
	}
	require.Equal(t, column, field, what)
}

// requireSounds requires the sound of what was complete, and a word on what is gone.
func (s *server) requireSounds(version int64) {
	s.t.Helper()
	for path, since := range map[string]int64{
		"/audio/019a0101-0000-7000-8000-000000000001": 1, "/audio/019a0101-0000-7000-8000-000000000003": 1,
		"/audio/019a1200-0000-7000-8000-000000000001": 12, "/audio/019a1700-0000-7000-8000-000000000001": 17,
		"/scripts/019a0502-0000-7000-8000-000000000001/export?format=wav": 5, "/books/019a2000-0000-7000-8000-000000000001/cover": 20,
		"/profiles/019a1400-0000-7000-8000-000000000001/samples/019a1401-0000-7000-8000-000000000001/audio": 14,
		"/transcriptions/019a1100-0000-7000-8000-000000000001/peaks":                                        11,
	} {
		want := http.StatusOK
		if version < since {
			want = http.StatusNotFound
		}
		status, body := s.request("GET", path, "")
		require.Equal(s.t, want, status, "%s: %.300s", path, body)
	}
	status, lost := s.refused("GET", "/audio/019a0101-0000-7000-8000-000000000009")
	require.Equal(s.t, []any{http.StatusGone, "audio_missing"}, []any{status, lost["code"]})
}

// requireParts requires what a row has beside its fields.
func (s *server) requireParts(version int64) {
	s.t.Helper()
	first := s.must("GET", "/generate/019a0101-0000-7000-8000-000000000001", "", "")
	require.Len(s.t, first["chunks"], 1)
	require.Equal(s.t, "1.51", first["receipt"].(object)["runtimes"].(object)["espeak-ng"])
	settings := s.must("GET", "/settings", "", "")
	require.Equal(s.t, []any{"http://127.0.0.1:9000", "10m"}, []any{settings["hosted.base_url"], settings["models.idle_unload"]})
	if version >= 5 {
		draft := s.must("GET", "/drafts/019a0500-0000-7000-8000-000000000002", "", "")["content"].(object)
		require.Equal(s.t, object{
			"kind": "text", "text": "He said: \"go\".\n\nثم ذهب.", "speed": 1.5, "nothing": nil, "odd": []any{1.0, object{"a": []any{}}},
		}, draft)
		require.Len(s.t, s.must("GET", "/scripts/019a0502-0000-7000-8000-000000000001", "", "")["turns"], 2)
	}
	if version >= 11 {
		segments := s.must("GET", "/transcriptions/019a1100-0000-7000-8000-000000000001", "", "")["segments"].([]any)
		require.Equal(s.t, []any{"Zoë", " مرحبا"}, []any{segments[0].(object)["speaker"], segments[1].(object)["text"]})
	}
	if version >= 14 {
		samples := s.must("GET", "/profiles/019a1400-0000-7000-8000-000000000001/samples", "", "")["items"].([]any)
		require.Len(s.t, samples, 2)
	}
	if version >= 20 {
		book := s.must("GET", "/books/019a2000-0000-7000-8000-000000000001", "", "")
		require.Equal(s.t, []any{"Ein Buch 📚", "Ömer"}, []any{book["title"], book["author"]})
		chapters := bookChapters(book)
		require.Len(s.t, chapters, 2)
		text := s.must("GET", "/books/019a2000-0000-7000-8000-000000000001/chapters/019a2002-0000-7000-8000-000000000001", "", "")
		require.Contains(s.t, fmt.Sprint(text["blocks"]), "Kapitel Nashorn.")
	}
}

// requireUndone undoes what could be undone.
func (s *server) requireUndone(version int64) {
	s.t.Helper()
	if version >= 11 {
		undone := s.must("POST", "/transcriptions/019a1100-0000-7000-8000-000000000001/undo", "", "")["segments"].([]any)
		require.Equal(s.t, " Schöne Grüsse.", undone[0].(object)["text"])
	}
	if version >= 15 {
		undone := s.must("POST", "/scripts/019a1500-0000-7000-8000-000000000001/revise/undo", "", "")
		require.Equal(s.t, "Before", undone["title"])
	}
	if version >= 17 {
		const id = "019a1700-0000-7000-8000-000000000001"
		require.Equal(s.t, "Old quokka.", s.must("POST", "/generate/"+id+"/revise/undo", "", "")["text"])
		status, _ := s.request("GET", "/audio/"+id, "")
		require.Equal(s.t, http.StatusOK, status)
	}
	if version >= 20 {
		undone := s.must("POST", "/books/019a2000-0000-7000-8000-000000000001/undo", "", "")
		require.Equal(s.t, "Uno", bookChapters(undone)[0]["title"])
	}
}

// TestUpgradeOfOldLibraries starts the program on libraries of all earlier versions of the schema: the API has everything that there was,
// and doctor finds nothing.
func TestUpgradeOfOldLibraries(t *testing.T) {
	t.Parallel()
	for version := range sqlitetest.Versions(t, storeFolder) {
		if version == 0 {
			continue
		}
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			u.oldLibrary(version)
			before := filepath.Join(t.TempDir(), "before.db")
			sqlitetest.Old(t, storeFolder, before, version)
			s := u.serve()
			s.requireUpgraded(u, before, version)
			s.signal(syscall.SIGTERM)
			require.Contains(t, u.run("doctor").out, "ok       database")
		})
	}
}

// oldBackup writes a backup of the library in the data directory as the first program that made any did, which knew no transcripts,
// samples, covers or voice prints.
func (u *user) oldBackup(name string) {
	u.t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	var files []object
	add := func(path string) {
		content, err := os.ReadFile(filepath.Join(u.data, filepath.FromSlash(path)))
		require.NoError(u.t, err)
		f, err := w.Create(path)
		require.NoError(u.t, err)
		_, err = f.Write(content)
		require.NoError(u.t, err)
		sum := sha256.Sum256(content)
		files = append(files, object{"path": path, "bytes": len(content), "sha256": hex.EncodeToString(sum[:])})
	}
	add("voicewright.db")
	placed := map[string]bool{}
	for _, stored := range u.storedPaths(filepath.Join(u.data, "voicewright.db")) {
		relative, err := filepath.Rel(u.data, backup.AudioPath(u.data, stored))
		require.NoError(u.t, err)
		placed[filepath.ToSlash(relative)] = !strings.HasSuffix(relative, "lost.wav")
	}
	for _, path := range slices.Sorted(maps.Keys(placed)) {
		if placed[path] {
			add(path)
		}
	}
	list, err := w.Create("backup.json")
	require.NoError(u.t, err)
	require.NoError(u.t, json.NewEncoder(list).Encode(object{
		"format": "voicewright-backup", "version": 1, "app_version": "0.1.0", "created_at": "2026-11-22T10:00:00Z",
		"files": files, "missing": []string{"lost.wav"},
	}))
	require.NoError(u.t, w.Close())
	write(u.t, filepath.Join(u.dir, name), out.String())
}

// TestRestoreOfOldBackups restores backups with libraries of all earlier versions of the schema into a library that has content: it is
// replaced, and kept as it was.
func TestRestoreOfOldBackups(t *testing.T) {
	t.Parallel()
	for _, version := range []int64{1, 4, 7, 10, 13, 15, 19, 22, 24} { // TestRebuildOfEveryVersion has all
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			t.Parallel()
			old, u := newUser(t), newUser(t)
			old.oldLibrary(version)
			old.oldBackup("old.zip")
			u.mustRun("say", "What was there before.", "-o", "a.wav")
			u.mustRun("restore", "--with-network-settings", filepath.Join(old.dir, "old.zip"))
			s := u.serve()
			s.requireUpgraded(u, filepath.Join(old.data, "voicewright.db"), version)
			require.Empty(t, s.items("/history?search=before"))
			s.signal(syscall.SIGTERM)
			former := u.storedRows(filepath.Join(u.data, "before-restore", "voicewright.db"), "generations")
			require.Len(t, former, 1)
		})
	}
}
