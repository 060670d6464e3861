package app_test

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBackupAndRestore(t *testing.T) {
	p := newPerson(t)
	p.does("say", "The first sentence.", "-o", "a.wav")
	p.does("profiles", "create", "Grandmother")
	p.does("words", "add", "Voicewright", "voice right")
	s := p.serve()
	p.does("say", "The second one.", "-o", "b.mp3") // the server has the directory
	_, took := s.ask("POST", "/history/favorite", `{"ids":["`+p.history()[0]["id"].(string)+`"],"favorite":true}`)
	require.Contains(t, took, "changed")
	elsewhere := filepath.Join(t.TempDir(), "gone")
	status, answer := s.ask("PUT", "/models/directory", `{"path":"`+elsewhere+`"}`)
	require.Less(t, status, 300, answer)
	before := p.history()
	said := p.json("backup", "library.zip")
	require.Equal(t, "library.zip", said["output"])
	require.Empty(t, said["missing"])

	file := filepath.Join(p.dir, "library.zip")
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm(), "it holds every text")
	requireNoSecret(t, file, s.token)
	p.fails(failed, []string{"Another copy of Voicewright is using", "restore again"}, "restore", "library.zip")
	require.Equal(t, hashes(before), hashes(p.history()), "a refused restore changes nothing")

	s.signal(syscall.SIGTERM)
	require.NoError(t, os.RemoveAll(elsewhere)) // as on another machine
	other := newPerson(t)
	other.does("say", "What was there before.", "-o", "c.wav")
	words := other.does("restore", file)
	require.Contains(t, words, "The previous library is in")
	require.Contains(t, words, filepath.Join(other.data, "before-restore"))
	after := other.history()
	require.Len(t, after, 2)
	for i, g := range after {
		require.Equal(t, before[i]["text"], g["text"])
		require.Equal(t, before[i]["favorite"], g["favorite"])
		require.True(t, strings.HasPrefix(g["audio_path"].(string), other.data), g["audio_path"])
		want, err := os.ReadFile(before[i]["audio_path"].(string))
		require.NoError(t, err)
		got, err := os.ReadFile(g["audio_path"].(string))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.Contains(t, other.does("profiles", "list"), "Grandmother")
	require.Contains(t, other.does("words", "list"), "voice right")
	require.NoDirExists(t, elsewhere, "a models directory of another machine is not made here")
	require.FileExists(t, filepath.Join(other.data, "before-restore", "voicewright.db"))
	other.does("say", "It goes on.", "-o", "d.wav")
	require.Len(t, other.history(), 3)
}

// TestBackupOfNothing makes neither the directory that was misspelt nor an empty backup.
func TestBackupOfNothing(t *testing.T) {
	p := newPerson(t)
	require.NoError(t, os.Mkdir(filepath.Join(p.dir, "empty"), 0o700))
	for _, name := range []string{"typo", "empty"} {
		dir := filepath.Join(p.dir, name)
		p.fails(notFound, []string{"There is no library in " + dir + "."}, "backup", "--data", name, "library.zip")
	}
	require.Equal(t, []string{"empty"}, p.outputs())
}

func TestRestoreIntoANewDirectory(t *testing.T) {
	p := newPerson(t)
	p.does("say", "Hello.", "-o", "a.wav")
	p.does("backup", "library.zip")
	fresh := filepath.Join(p.dir, "fresh")
	require.Equal(t, "Restored library.zip.\n", p.does("restore", "--data", fresh, "library.zip"))
	require.NoDirExists(t, filepath.Join(fresh, "before-restore"))
	require.Contains(t, p.json("restore", "--data", fresh, "library.zip")["former"], "before-restore")
}

// hashes gives the hash of each generation's audio, by its id.
func hashes(rows []object) object {
	out := object{}
	for _, g := range rows {
		out[g["id"].(string)] = g["receipt"].(object)["audio_sha256"]
	}
	return out
}

// requireNoSecret looks for the token in all files of a backup.
func requireNoSecret(t *testing.T, file, token string) {
	t.Helper()
	z, err := zip.OpenReader(file)
	require.NoError(t, err)
	defer func() { require.NoError(t, z.Close()) }()
	for _, f := range z.File {
		require.NotContains(t, f.Name, "token")
		r, err := f.Open()
		require.NoError(t, err)
		raw, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		require.NotContains(t, string(raw), token, f.Name)
	}
}

func TestRestoreOfADamagedFile(t *testing.T) {
	p := newPerson(t)
	p.does("say", "Kept.", "-o", "a.wav")
	p.does("backup", "whole.zip")
	raw, err := os.ReadFile(filepath.Join(p.dir, "whole.zip"))
	require.NoError(t, err)
	at := len(raw) / 2
	raw[at] ^= 0xFF
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "bad.zip"), raw, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "short.zip"), raw[:at], 0o600))
	before := p.history()
	p.fails(failed, []string{"not a complete backup"}, "restore", "short.zip")
	o := p.run("restore", "bad.zip")
	require.Equal(t, failed, o.code, o.err)
	require.Contains(t, o.err, "not a complete backup")
	p.fails(notFound, []string{"no file"}, "restore", "none.zip")
	p.fails(wrongUse, []string{"FILE"}, "restore")
	p.fails(wrongUse, []string{"FILE"}, "backup")
	p.fails(wrongUse, []string{"The folder none does not exist"}, "backup", "none/library.zip")
	require.Equal(t, hashes(before), hashes(p.history()))
	require.NoDirExists(t, filepath.Join(p.data, "restore-new"))
}
