package app_test

import (
	"archive/zip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNoEspeak(t *testing.T) {
	u := newUser(t)
	bare := u.withEnv("PATH=" + t.TempDir())
	bare.mustFail(exitNeeded, []string{"espeak-ng was not found", "apt install espeak-ng"}, "say", "Hello.", "-o", "a.wav")
	require.Empty(t, u.outputFiles())
	for _, row := range u.history() {
		require.Equal(t, "failed", row["status"])
	}
	report := bare.run("doctor")
	require.Equal(t, exitFailed, report.code)
	require.Contains(t, report.out, "broken   espeak-ng")
	require.Contains(t, report.out, "apt install espeak-ng")
	require.Contains(t, report.out, "warning  ffmpeg")
	requireErrorLine(t, report.err, []string{"checks failed"})
	u.mustRun("say", "Hello.", "-o", "a.wav")
}

func TestNoFFmpeg(t *testing.T) {
	u := newUser(t)
	espeak, err := exec.LookPath("espeak-ng")
	require.NoError(t, err)
	only := t.TempDir()
	require.NoError(t, os.Symlink(espeak, filepath.Join(only, "espeak-ng")))
	bare := u.withEnv("PATH=" + only)
	bare.mustFail(exitNeeded, []string{"ffmpeg"}, "say", "Hello.", "-o", "a.mp3")
	require.Empty(t, u.outputFiles())
	bare.mustRun("say", "Hello.", "-o", "a.wav")
}

func TestCorruptDatabase(t *testing.T) {
	for name, content := range map[string]string{
		"foreign": strings.Repeat("this is no database ", 1000), "cut": "SQLite format 3\x00" + strings.Repeat("\x01", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			require.NoError(t, os.Mkdir(u.data, 0o700))
			file := filepath.Join(u.data, "voicewright.db")
			write(t, file, content)
			for _, args := range [][]string{{"history", "list"}, {"say", "Hello."}, {"serve", "--addr", "127.0.0.1:0"}} {
				u.mustFail(exitFailed, []string{file, "damaged"}, args...)
			}
			after, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, content, string(after), "it is not changed")
			report := u.run("doctor")
			require.Equal(t, exitFailed, report.code)
			require.Contains(t, report.out, "broken   database")
		})
	}
}

func TestDamagedRegistry(t *testing.T) {
	u := newUser(t)
	require.NoError(t, os.Mkdir(u.data, 0o700))
	write(t, filepath.Join(u.data, "models.json"), "{")
	folder, err := filepath.Abs(filepath.Join("testdata", "en_US-tone-medium"))
	require.NoError(t, err)
	o := u.run("models", "import", folder)
	require.Equal(t, exitFailed, o.code, o.err)
	require.Contains(t, o.err, "models.json, is not readable. Repair the file")
	raw, err := os.ReadFile(filepath.Join(u.data, "models.json"))
	require.NoError(t, err)
	require.Equal(t, "{", string(raw), "it is not changed")
	require.Contains(t, u.mustRun("models", "list"), "kokoro", "the models of the registry are listed")
	u.mustRun("say", "Hello.", "-o", "a.wav")
}

func TestDataBelowAFile(t *testing.T) {
	u := newUser(t)
	write(t, filepath.Join(u.dir, "file"), "x")
	below := filepath.Join(u.dir, "file", "data")
	for _, args := range [][]string{{"profiles", "list"}, {"say", "Hello."}, {"serve", "--addr", "127.0.0.1:0"}} {
		u.mustFail(exitFailed, []string{below, "Check the permissions"}, append(args, "--data", below)...)
	}
	require.Equal(t, exitFailed, u.run("doctor", "--data", below).code)
	models := filepath.Join(u.dir, "file", "models")
	u.mustRun("say", "Hello.", "--models", models)
	folder, err := filepath.Abs(filepath.Join("testdata", "en_US-tone-medium"))
	require.NoError(t, err)
	o := u.run("models", "import", folder, "--models", models)
	require.Equal(t, exitFailed, o.code, o.err)
	require.Contains(t, o.err, "have permission to read or write the models directory. Check the permissions")
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("say", "A secret text.", "-o", "a.wav")
	for _, part := range []string{"ok       espeak-ng", "ok       database", "ok       ONNX Runtime", "ok       disk space"} {
		require.Contains(t, u.mustRun("doctor"), part)
	}
	report := u.mustRunJSON("doctor")
	require.Equal(t, true, report["ok"])
	for _, f := range report["findings"].([]any) {
		require.NotEmpty(t, f.(object)["name"])
		require.NotEmpty(t, f.(object)["level"])
	}
	require.Regexp(t, "(?m)^warning  keychain +No keychain was found .*secrets.allow_file", u.mustRun("doctor"))
	u.mustRun("doctor", "--bundle", "report.zip")
	z, err := zip.OpenReader(filepath.Join(u.dir, "report.zip"))
	require.NoError(t, err)
	defer func() { require.NoError(t, z.Close()) }()
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		raw, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		require.NotContains(t, string(raw), "secret text")
		require.Contains(t, string(raw), "espeak-ng")
	}
	u.mustFail(exitFailed, nil, "doctor", "--bundle", "none/report.zip")
	broken := u.withEnv("VOICEWRIGHT_ORT=/nonexistent").run("doctor")
	require.Equal(t, exitDone, broken.code, "speech works without it")
	require.Contains(t, broken.out, "warning  ONNX Runtime")
}
