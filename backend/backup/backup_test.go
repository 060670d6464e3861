package backup_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backup"
)

// library is a copy of a database for tests: a JSON file with the paths of its audio by generation.
type library map[string]string

func (l library) AudioPaths(context.Context) (map[string]string, error) { return l.paths("g"), nil }
func (l library) ScriptPaths(context.Context) ([]string, error)         { return nil, nil }

// FormerPaths returns no paths.
func (l library) FormerPaths(context.Context) ([]string, error) { return nil, nil }

// TranscriptPaths returns the paths of transcripts, whose ids begin with t.
func (l library) TranscriptPaths(context.Context) (map[string]string, error) {
	return l.paths("t"), nil
}

// SampleIDs returns the samples of profiles, whose names begin with v and are <profile>/<sample>.
func (l library) SampleIDs(context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	for name := range l.paths("v") {
		profile, id, _ := strings.Cut(name, "/")
		out[profile] = append(out[profile], id)
	}
	return out, nil
}

// BookCovers returns the covers of books, whose ids begin with b.
func (l library) BookCovers(context.Context) (map[string]string, error) { return l.paths("b"), nil }

func (l library) paths(prefix string) library {
	out := library{}
	for id, path := range l {
		if strings.HasPrefix(id, prefix) {
			out[id] = path
		}
	}
	return out
}

func (l library) Close() error { return nil }

func write(t *testing.T, path, content string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// tree returns the files below a folder with their content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(name)] = string(raw)
		return err
	})
	require.NoError(t, err)
	return out
}

// service returns the Service of a data directory; rows are the contents of the database at each copy.
func service(t *testing.T, data string, rows func(look int) library) (*backup.Service, *int) {
	looks := 0
	return &backup.Service{
		Data: data, Temp: t.TempDir(), Version: "1.2.3", Now: time.Now,
		Copy: func(_ context.Context, path string) error {
			raw, err := json.Marshal(rows(looks))
			looks++
			require.NoError(t, err)
			return os.WriteFile(path, raw, 0o600)
		},
		Open: func(_ context.Context, path string) (backup.Library, error) {
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			l := library{}
			return l, json.Unmarshal(raw, &l)
		},
	}, &looks
}

// made writes the backup of a snapshot to a file.
func made(t *testing.T, snap *backup.Snapshot) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, snap.WriteTo(t.Context(), &out))
	require.NoError(t, snap.Close())
	return write(t, filepath.Join(t.TempDir(), "backup.zip"), out.String())
}

func restore(t *testing.T, file, data string) error {
	t.Helper()
	archive, err := backup.OpenArchive(file)
	if err != nil {
		return err
	}
	defer func() { require.NoError(t, archive.Close()) }()
	return backup.Restore(t.Context(), archive, data, func(string) error { return nil }, func(int64) {})
}

func TestBackupAndRestore(t *testing.T) {
	data := t.TempDir()
	rows := library{
		"g1":    write(t, filepath.Join(data, "audio/2026-01/g1.wav"), "first"),
		"g2":    write(t, filepath.Join(data, "audio/2026-02/g2.3.mp3"), "second"),
		"g3":    filepath.Join(data, "audio/2026-02/gone.wav"),
		"t1":    write(t, filepath.Join(data, "transcripts/2026-02/t1.opus"), "heard"),
		"t2":    filepath.Join(data, "transcripts/2026-02/heard-gone.wav"),
		"v1/s1": write(t, filepath.Join(data, "voices/v1/s1.wav"), "voice"),
		"b1":    filepath.Base(write(t, filepath.Join(data, "books/b1/cover.jpg"), "cover")),
	}
	write(t, filepath.Join(data, "voices/v1/states/s1-2"), "computed from it")
	write(t, filepath.Join(data, "voices/gone/s2.wav"), "stray")
	write(t, filepath.Join(data, "books/gone/cover.jpg"), "stray")
	write(t, filepath.Join(data, "transcripts/unfinished/upload-1.mp3"), "stray")
	write(t, filepath.Join(data, "audio/takes/g1/0-1.wav"), "take")
	write(t, filepath.Join(data, "audio/takes/unknown/0-1.wav"), "stray")
	write(t, filepath.Join(data, "audio/2026-01/stray.wav"), "stray")
	write(t, filepath.Join(data, "models.json"), "[]")
	write(t, filepath.Join(data, "token"), "secret")
	before := tree(t, data)
	s, _ := service(t, data, func(int) library { return rows })
	snap, err := s.Prepare(t.Context(), backup.Choice{})
	require.NoError(t, err)
	require.Positive(t, snap.Size())
	file := made(t, snap)
	require.Equal(t, before, tree(t, data))
	require.Empty(t, tree(t, s.Temp), "nothing is left of the snapshot")

	other := t.TempDir()
	write(t, filepath.Join(other, "voicewright.db"), "old")
	write(t, filepath.Join(other, "voicewright.db-wal"), "old log")
	write(t, filepath.Join(other, "audio/2025-01/old.wav"), "old sound")
	write(t, filepath.Join(other, "transcripts/2025-01/old.opus"), "old recording")
	write(t, filepath.Join(other, "voices/old/s.wav"), "old voice")
	write(t, filepath.Join(other, "books/old/cover.png"), "old cover")
	write(t, filepath.Join(other, "token"), "its own")
	require.NoError(t, restore(t, file, other))
	database, err := json.Marshal(rows)
	require.NoError(t, err)
	require.Equal(t, map[string]string{
		"voicewright.db": string(database), "models.json": "[]", "token": "its own",
		"audio/2026-01/g1.wav": "first", "audio/2026-02/g2.3.mp3": "second", "audio/takes/g1/0-1.wav": "take",
		"transcripts/2026-02/t1.opus": "heard", "before-restore/transcripts/2025-01/old.opus": "old recording",
		"voices/v1/s1.wav": "voice", "before-restore/voices/old/s.wav": "old voice",
		"books/b1/cover.jpg": "cover", "before-restore/books/old/cover.png": "old cover",
		"before-restore/voicewright.db": "old", "before-restore/voicewright.db-wal": "old log",
		"before-restore/audio/2025-01/old.wav": "old sound",
	}, tree(t, other))
	archive, err := backup.OpenArchive(file)
	require.NoError(t, err)
	defer func() { require.NoError(t, archive.Close()) }()
	require.Equal(t, []string{"gone.wav", "heard-gone.wav"}, archive.Manifest.Missing)
	require.Equal(t, filepath.Join(other, "audio/2026-01/g1.wav"), backup.AudioPath(other, `C:\old\audio\2026-01\g1.wav`))
	require.Equal(t, filepath.Join(other, "transcripts/2026-02/t1.opus"), backup.AudioPath(other, `C:\old\transcripts\2026-02\t1.opus`))

	for _, path := range []string{"/home/user/.ssh/id_rsa", "/home/user/My letter.txt", "../../x", "notes", `C:\Users\me\my file`} {
		require.Equal(t, filepath.Join(other, "audio", "missing"), backup.AudioPath(other, path))
	}

	require.NoError(t, restore(t, file, other), "a second restore keeps the library of the first one")
	require.Equal(t, string(database), tree(t, backup.Former(other))["voicewright.db"])
}

// TestVoicePrintsByChoice: voice prints are in no backup unless chosen. A backup that has some replaces those of the machine, another one
// leaves them.
func TestVoicePrintsByChoice(t *testing.T) {
	data := t.TempDir()
	write(t, filepath.Join(data, "speakers/id-1.json"), "print of Anna")
	write(t, filepath.Join(data, "speakers/.new-ABC"), "half of a file")
	s, _ := service(t, data, func(int) library { return library{} })
	backUp := func(c backup.Choice) string {
		snap, err := s.Prepare(t.Context(), c)
		require.NoError(t, err)
		return made(t, snap)
	}
	without, with := backUp(backup.Choice{}), backUp(backup.Choice{VoicePrints: true})
	raw, err := os.ReadFile(without)
	require.NoError(t, err)
	require.NotContains(t, string(raw), "speakers/")

	other := t.TempDir()
	write(t, filepath.Join(other, "voicewright.db"), "old")
	write(t, filepath.Join(other, "speakers/id-2.json"), "print of Ben")
	require.NoError(t, restore(t, without, other))
	require.Equal(t, "print of Ben", tree(t, other)["speakers/id-2.json"], "they stay on this machine")
	require.NoError(t, restore(t, with, other))
	archive, err := backup.OpenArchive(with)
	require.NoError(t, err)
	require.Equal(t, 1, archive.Manifest.VoicePrints())
	require.NoError(t, archive.Close())
	got := tree(t, other)
	require.Equal(t, []string{"print of Anna", "", "print of Ben"},
		[]string{got["speakers/id-1.json"], got["speakers/id-2.json"], got["before-restore/speakers/id-2.json"]})
	require.NotContains(t, got, "speakers/.new-ABC")
	info, err := os.Stat(filepath.Join(other, "speakers/id-1.json"))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	require.NoError(t, backup.Undo(other))
	require.Equal(t, "print of Ben", tree(t, other)["speakers/id-2.json"])

	empty := t.TempDir()
	write(t, filepath.Join(empty, "voicewright.db"), "old")
	require.NoError(t, restore(t, with, empty))
	require.NoError(t, backup.Undo(empty))
	require.NotContains(t, tree(t, empty), "speakers/id-1.json", "none were there before")

	for _, name := range []string{"speakers/.json", "speakers/a/b.json", "speakers/../token", "speakers/a.txt", "speakers/a"} {
		forged := forge(t, []entry{{name: "voicewright.db"}, {name: name}}, nil)
		_, err := backup.OpenArchive(forged)
		require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), name)
	}
}

// A take that is chosen between the copies of database and audio replaces a file.
func TestBackupFitsTogether(t *testing.T) {
	data := t.TempDir()
	old, fresh := filepath.Join(data, "audio/2026-01/g1.wav"), filepath.Join(data, "audio/2026-01/g1.1.wav")
	write(t, fresh, "new sound")
	s, looks := service(t, data, func(look int) library {
		if look == 0 {
			return library{"g1": old}
		}
		return library{"g1": fresh}
	})
	snap, err := s.Prepare(t.Context(), backup.Choice{})
	require.NoError(t, err)
	require.NoError(t, os.Remove(fresh), "the library may remove files of the snapshot")
	other := t.TempDir()
	require.NoError(t, restore(t, made(t, snap), other))
	require.Equal(t, 2, *looks)
	require.Equal(t, "new sound", tree(t, other)["audio/2026-01/g1.1.wav"])
	require.Contains(t, tree(t, other)["voicewright.db"], "g1.1.wav")
}

// entry is a file of a forged backup.
type entry struct {
	name, content string
	mode          fs.FileMode
}

// forge writes a backup with any files; change may make its manifest wrong.
func forge(t *testing.T, entries []entry, change func(*backup.Manifest)) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	m := backup.Manifest{Format: "voicewright-backup", Version: 1}
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name}
		h.SetMode(0o600 | e.mode)
		f, err := w.CreateHeader(h)
		require.NoError(t, err)
		_, err = f.Write([]byte(e.content))
		require.NoError(t, err)
		sum := sha256.Sum256([]byte(e.content))
		m.Files = append(m.Files, backup.File{Path: e.name, Bytes: int64(len(e.content)), SHA256: hex.EncodeToString(sum[:])})
	}
	if change != nil {
		change(&m)
	}
	list, err := w.Create("backup.json")
	require.NoError(t, err)
	require.NoError(t, json.NewEncoder(list).Encode(m))
	require.NoError(t, w.Close())
	return write(t, filepath.Join(t.TempDir(), "backup.zip"), out.String())
}

func TestRestoreRefusesWhatIsNoBackup(t *testing.T) {
	database := entry{name: "voicewright.db", content: "database"}
	with := func(name string) []entry { return []entry{database, {name: name, content: "x"}} }
	good := forge(t, with("audio/2026-01/a.wav"), nil)
	raw, err := os.ReadFile(good)
	require.NoError(t, err)
	damaged := bytes.Replace(raw, []byte("database"), []byte("datafake"), 1)
	files := map[string]string{
		"no zip":       write(t, filepath.Join(t.TempDir(), "a.zip"), "no zip"),
		"cut off":      write(t, filepath.Join(t.TempDir(), "a.zip"), string(raw[:len(raw)-30])),
		"damaged":      write(t, filepath.Join(t.TempDir(), "a.zip"), string(damaged)),
		"no database":  forge(t, []entry{{name: "audio/2026-01/a.wav"}}, nil),
		"another list": forge(t, []entry{database}, func(m *backup.Manifest) { m.Format = "other" }),
		"wrong hash":   forge(t, []entry{database}, func(m *backup.Manifest) { m.Files[0].SHA256 = "00" }),
		"wrong size":   forge(t, []entry{database}, func(m *backup.Manifest) { m.Files[0].Bytes++ }),
		"not listed":   forge(t, with("audio/2026-01/a.wav"), func(m *backup.Manifest) { m.Files = m.Files[:1] }),
		"not there":    forge(t, []entry{database}, func(m *backup.Manifest) { m.Files = append(m.Files, backup.File{Path: "models.json"}) }),
		"a link":       forge(t, []entry{database, {"audio/2026-01/a.wav", "/etc/passwd", fs.ModeSymlink}}, nil),
		"sizes that overflow": forge(t, with("models.json"), func(m *backup.Manifest) {
			m.Files[0].Bytes, m.Files[1].Bytes = math.MaxInt64, math.MaxInt64
		}),
		"two of a name": forge(t, []entry{database, {name: "audio/a/b.wav"}, {name: "audio/A/B.wav"}}, nil),
	}
	for _, name := range []string{
		"../evil", "audio/../../evil", "/etc/evil", `audio\..\..\evil`, "audio/../token", "token", "licenses.json", "audio/a/../b",
		"audio/a/.hidden", "audio/takes/../../token/x", "audio/a/b/c", "audio/a", "lock", "C:/x",
	} {
		files[name] = forge(t, with(name), nil)
	}
	data := t.TempDir()
	write(t, filepath.Join(data, "voicewright.db"), "old")
	write(t, filepath.Join(data, "audio/2025-01/old.wav"), "old sound")
	before := tree(t, data)
	for name, file := range files {
		err := restore(t, file, data)
		require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), "%s: %v", name, err)
		require.Equal(t, before, tree(t, data), name)
	}
	for _, newer := range []string{
		forge(t, []entry{database}, func(m *backup.Manifest) { m.Version = 2 }), forge(t, with("clips/2026-12/a.wav"), nil),
	} {
		err := restore(t, newer, data)
		require.Equal(t, backend.CodeDatabaseNewer, backend.CodeOf(err))
		require.Contains(t, backend.AsError(err).Remedy, "Install the current version")
		require.Equal(t, before, tree(t, data))
	}
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(restore(t, filepath.Join(data, "none.zip"), data)))

	archive, err := backup.OpenArchive(good)
	require.NoError(t, err)
	defer func() { require.NoError(t, archive.Close()) }()
	unusable := backup.Damaged("its database is damaged", nil)
	err = backup.Restore(t.Context(), archive, data, func(string) error { return unusable }, func(int64) {})
	require.ErrorIs(t, err, unusable)
	require.Equal(t, before, tree(t, data))
	require.NoError(t, restore(t, good, data), "and a valid one is restored")
}

// A restore that was interrupted at any point continues at the next start.
func TestRestoreGoesOnAfterACrash(t *testing.T) {
	var data string
	in := func(name string) string { return filepath.Join(data, filepath.FromSlash(name)) }
	rename := func(from, to string) func() {
		return func() { require.NoError(t, os.Rename(in(from), in(to))) }
	}
	touch := func(name string) func() { return func() { write(t, in(name), "") } }
	steps := []func(){
		touch("restore-new/complete"),
		rename("voicewright.db-wal", "before-restore/voicewright.db-wal"),
		rename("voicewright.db", "before-restore/voicewright.db"),
		rename("audio", "before-restore/audio"),
		rename("transcripts", "before-restore/transcripts"),
		rename("voices", "before-restore/voices"),
		touch("restore-new/moved"),
		rename("restore-new/audio", "audio"),
		rename("restore-new/transcripts", "transcripts"),
		rename("restore-new/voices", "voices"),
		rename("restore-new/models.json", "models.json"),
		rename("restore-new/voicewright.db", "voicewright.db"),
	}
	old := map[string]string{
		"voicewright.db": "old", "voicewright.db-wal": "old log", "audio/2025-01/a.wav": "old sound", "transcripts/2025-01/t.wav": "old talk",
		"voices/v/s.wav": "old voice",
	}
	restored := map[string]string{
		"voicewright.db": "new", "models.json": "[]", "audio/2026-01/b.wav": "new sound", "transcripts/2026-01/t.opus": "new talk",
		"voices/v/s.wav": "new voice",
	}
	for done := range len(steps) + 1 {
		data = t.TempDir()
		for name, content := range old {
			write(t, in(name), content)
		}
		for name, content := range restored {
			write(t, in("restore-new/"+name), content)
		}
		require.NoError(t, os.Mkdir(in("before-restore"), 0o700))
		for _, step := range steps[:done] {
			step()
		}
		require.True(t, backup.HasLibrary(data), "after %d steps", done)
		require.NoError(t, backup.Finish(data))
		require.NoDirExists(t, in("restore-new"))
		former := tree(t, in("before-restore"))
		require.NoError(t, os.RemoveAll(in("before-restore")))
		if done == 0 { // the new library was not complete
			require.Equal(t, old, tree(t, data))
			continue
		}
		require.Equal(t, restored, tree(t, data), "after %d steps", done)
		require.Equal(t, old, former, "after %d steps", done)
	}
}

// TestPlace: a stored path is that of a file below the data directory, without links on the way.
func TestPlace(t *testing.T) {
	data, missing := t.TempDir(), ""
	missing = filepath.Join(data, "audio", "missing")
	inside := write(t, filepath.Join(data, "audio/2026-01/g1.wav"), "sound")
	secret := write(t, filepath.Join(t.TempDir(), "2026-01/id.wav"), "secret")
	require.NoError(t, os.Symlink(secret, filepath.Join(data, "audio/2026-01/link.wav")))
	require.NoError(t, os.Symlink(filepath.Dir(secret), filepath.Join(data, "audio/linked")))
	for path, want := range map[string]string{
		inside: inside,
		filepath.Join(data, "audio/2026-01/gone.wav"):            filepath.Join(data, "audio/2026-01/gone.wav"),
		"/another/data/audio/2026-01/g1.wav":                     inside,
		filepath.Join(data, "audio/2026-01/link.wav"):            missing,
		filepath.Join(data, "audio/linked/id.wav"):               missing,
		filepath.Join(data, "audio/2026-01/../../../etc/passwd"): filepath.Join(data, "audio/etc/passwd"),
		"/etc/passwd":                                      filepath.Join(data, "audio/etc/passwd"),
		"/home/user/.ssh/id_rsa":                           missing,
		filepath.Join(data, "voicewright.db"):              filepath.Join(data, "audio", filepath.Base(data), "voicewright.db"),
		filepath.Join(data, "transcripts/2026-01/t1.opus"): filepath.Join(data, "transcripts/2026-01/t1.opus"),
		"": missing, "..": missing, "a/..": missing, "audio/../..": missing, "x\x00/y.wav": missing,
	} {
		require.Equal(t, want, backup.Place(data, path), path)
	}
	elsewhere := t.TempDir()
	require.NoError(t, os.Rename(filepath.Join(data, "audio"), filepath.Join(elsewhere, "audio")))
	require.NoError(t, os.Symlink(filepath.Join(elsewhere, "audio"), filepath.Join(data, "audio")))
	require.Equal(t, inside, backup.Place(data, inside), "the user may have moved the folder of the audio to another disk")
}

// TestStageChangesNothing: until Commit the library is as it was, whatever happens to the program.
func TestStageChangesNothing(t *testing.T) {
	file := forge(t, []entry{{name: "voicewright.db", content: "restored"}, {name: "audio/2026-01/a.wav", content: "new sound"}}, nil)
	data := t.TempDir()
	write(t, filepath.Join(data, "voicewright.db"), "old")
	write(t, filepath.Join(data, "audio/2025-01/old.wav"), "old sound")
	before := tree(t, data)
	stage := func() {
		archive, err := backup.OpenArchive(file)
		require.NoError(t, err)
		defer func() { require.NoError(t, archive.Close()) }()
		require.NoError(t, backup.Stage(t.Context(), archive, data, func(dir string) error {
			require.Equal(t, backup.Staging(data), dir)
			return nil
		}, func(int64) {}))
	}
	stage()
	require.Equal(t, "old", tree(t, data)["voicewright.db"])
	require.NoError(t, backup.Finish(data), "the program was killed and starts again")
	require.Equal(t, before, tree(t, data))
	stage()
	require.NoError(t, backup.Discard(data))
	require.Equal(t, before, tree(t, data))
	stage()
	stage()
	require.NoError(t, backup.Commit(data))
	require.Equal(t, "old", tree(t, data)["voicewright.db"], "only Finish replaces it")
	require.NoError(t, backup.Finish(data))
	require.Equal(t, "restored", tree(t, data)["voicewright.db"])
	require.Equal(t, "old sound", tree(t, data)["before-restore/audio/2025-01/old.wav"])
}

// TestUndo puts back all of the former library, with what its database had not written into its file yet.
func TestUndo(t *testing.T) {
	file := forge(t, []entry{{name: "voicewright.db", content: "restored"}, {name: "audio/2026-01/a.wav", content: "new sound"}}, nil)
	data := t.TempDir()
	write(t, filepath.Join(data, "voicewright.db"), "old")
	write(t, filepath.Join(data, "voicewright.db-wal"), "old log")
	write(t, filepath.Join(data, "voicewright.db.backup-3"), "older")
	write(t, filepath.Join(data, "models.json"), "[]")
	write(t, filepath.Join(data, "audio/2025-01/old.wav"), "old sound")
	write(t, filepath.Join(data, "token"), "its own")
	before := tree(t, data)
	require.NoError(t, restore(t, file, data))
	require.NoError(t, backup.Undo(data))
	got := tree(t, data)
	require.Equal(t, "restored", got["before-restore/voicewright.db"])
	require.Equal(t, "new sound", got["before-restore/audio/2026-01/a.wav"])
	delete(got, "before-restore/voicewright.db")
	delete(got, "before-restore/audio/2026-01/a.wav")
	require.Equal(t, before, got)

	empty := t.TempDir()
	require.NoError(t, restore(t, file, empty))
	require.NoError(t, backup.Undo(empty), "there was no library before")
	require.Equal(t, "restored", tree(t, empty)["voicewright.db"])
}
