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
	t.Parallel()
	u := newUser(t)
	u.mustRun("say", "The first sentence.", "-o", "a.wav")
	u.mustRun("profiles", "create", "Grandmother")
	u.mustRun("words", "add", "Voicewright", "voice right")
	s := u.serve()
	u.mustRun("say", "The second one.", "-o", "b.mp3") // by the server, which holds the directory
	_, body := s.request("POST", "/history/favorite", `{"ids":["`+u.history()[0]["id"].(string)+`"],"favorite":true}`)
	require.Contains(t, body, "changed")
	models := filepath.Join(t.TempDir(), "gone")
	status, answer := s.request("PUT", "/models/directory", `{"path":"`+models+`"}`)
	require.Less(t, status, 300, answer)
	before := u.history()
	output := u.mustRunJSON("backup", "library.zip")
	require.Equal(t, "library.zip", output["output"])
	require.Empty(t, output["missing"])

	file := filepath.Join(u.dir, "library.zip")
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm(), "it contains every text")
	requireNoSecret(t, file, s.token)
	u.mustFail(exitFailed, []string{"Another copy of Voicewright is using", "restore again"}, "restore", "library.zip")
	require.Equal(t, hashes(before), hashes(u.history()), "a refused restore changes nothing")

	s.signal(syscall.SIGTERM)
	require.NoError(t, os.RemoveAll(models)) // as on another machine
	other := newUser(t)
	other.mustRun("say", "What was there before.", "-o", "c.wav")
	words := other.mustRun("restore", file)
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
	require.Contains(t, other.mustRun("profiles", "list"), "Grandmother")
	require.Contains(t, other.mustRun("words", "list"), "voice right")
	require.NoDirExists(t, models, "a models directory of another machine is not created")
	require.FileExists(t, filepath.Join(other.data, "before-restore", "voicewright.db"))
	other.mustRun("say", "It goes on.", "-o", "d.wav")
	require.Len(t, other.history(), 3)
}

// TestBackupWithoutALibrary creates neither the misspelt directory nor an empty backup.
func TestBackupWithoutALibrary(t *testing.T) {
	u := newUser(t)
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, "empty"), 0o700))
	for _, name := range []string{"typo", "empty"} {
		dir := filepath.Join(u.dir, name)
		u.mustFail(exitNotFound, []string{"There is no library in " + dir + "."}, "backup", "--data", name, "library.zip")
	}
	require.Equal(t, []string{"empty"}, u.outputFiles())
}

func TestRestoreIntoANewDirectory(t *testing.T) {
	u := newUser(t)
	u.mustRun("say", "Hello.", "-o", "a.wav")
	u.mustRun("backup", "library.zip")
	fresh := filepath.Join(u.dir, "fresh")
	require.Equal(t, "Restored library.zip.\n", u.mustRun("restore", "--data", fresh, "library.zip"))
	require.NoDirExists(t, filepath.Join(fresh, "before-restore"))
	require.Contains(t, u.mustRunJSON("restore", "--data", fresh, "library.zip")["former"], "before-restore")
}

// hashes returns the SHA-256 of each generation's audio by id.
func hashes(rows []object) object {
	out := object{}
	for _, g := range rows {
		out[g["id"].(string)] = g["receipt"].(object)["audio_sha256"]
	}
	return out
}

// requireNoSecret requires that no file of a backup contains the token.
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
	t.Parallel()
	u := newUser(t)
	u.mustRun("say", "Kept.", "-o", "a.wav")
	u.mustRun("backup", "whole.zip")
	raw, err := os.ReadFile(filepath.Join(u.dir, "whole.zip"))
	require.NoError(t, err)
	at := len(raw) / 2
	raw[at] ^= 0xFF
	require.NoError(t, os.WriteFile(filepath.Join(u.dir, "bad.zip"), raw, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(u.dir, "short.zip"), raw[:at], 0o600))
	before := u.history()
	u.mustFail(exitFailed, []string{"not a complete backup"}, "restore", "short.zip")
	o := u.run("restore", "bad.zip")
	require.Equal(t, exitFailed, o.code, o.err)
	require.Contains(t, o.err, "not a complete backup")
	u.mustFail(exitNotFound, []string{"no file"}, "restore", "none.zip")
	u.mustFail(exitUsage, []string{"FILE"}, "restore")
	u.mustFail(exitUsage, []string{"FILE"}, "backup")
	u.mustFail(exitUsage, []string{"The folder none does not exist"}, "backup", "none/library.zip")
	require.Equal(t, hashes(before), hashes(u.history()))
	require.NoDirExists(t, filepath.Join(u.data, "restore-new"))
}
