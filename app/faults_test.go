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
	p := newPerson(t)
	bare := p.with("PATH=" + t.TempDir())
	bare.fails(needed, []string{"espeak-ng was not found", "apt install espeak-ng"}, "say", "Hello.", "-o", "a.wav")
	require.Empty(t, p.outputs())
	for _, row := range p.history() {
		require.Equal(t, "failed", row["status"])
	}
	sick := bare.run("doctor")
	require.Equal(t, failed, sick.code)
	require.Contains(t, sick.out, "broken   espeak-ng")
	require.Contains(t, sick.out, "apt install espeak-ng")
	require.Contains(t, sick.out, "warning  ffmpeg")
	requireSentence(t, sick.err, []string{"checks failed"})
	p.does("say", "Hello.", "-o", "a.wav")
}

func TestNoFFmpeg(t *testing.T) {
	p := newPerson(t)
	espeak, err := exec.LookPath("espeak-ng")
	require.NoError(t, err)
	only := t.TempDir()
	require.NoError(t, os.Symlink(espeak, filepath.Join(only, "espeak-ng")))
	bare := p.with("PATH=" + only)
	bare.fails(needed, []string{"ffmpeg"}, "say", "Hello.", "-o", "a.mp3")
	require.Empty(t, p.outputs())
	bare.does("say", "Hello.", "-o", "a.wav")
}

func TestCorruptDatabase(t *testing.T) {
	for name, content := range map[string]string{
		"foreign": strings.Repeat("this is no database ", 1000), "cut": "SQLite format 3\x00" + strings.Repeat("\x01", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			p := newPerson(t)
			require.NoError(t, os.Mkdir(p.data, 0o700))
			file := filepath.Join(p.data, "voicewright.db")
			write(t, file, content)
			for _, args := range [][]string{{"history", "list"}, {"say", "Hello."}, {"serve", "--addr", "127.0.0.1:0"}} {
				p.fails(failed, []string{file, "damaged"}, args...)
			}
			after, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, content, string(after), "it is left as it was")
			sick := p.run("doctor")
			require.Equal(t, failed, sick.code)
			require.Contains(t, sick.out, "broken   database")
		})
	}
}

func TestDamagedRegistry(t *testing.T) {
	p := newPerson(t)
	require.NoError(t, os.Mkdir(p.data, 0o700))
	write(t, filepath.Join(p.data, "models.json"), "{")
	folder, err := filepath.Abs(filepath.Join("testdata", "en_US-tone-medium"))
	require.NoError(t, err)
	o := p.run("models", "import", folder)
	require.Equal(t, failed, o.code, o.err)
	require.Contains(t, o.err, "models.json, is not readable. Repair the file")
	raw, err := os.ReadFile(filepath.Join(p.data, "models.json"))
	require.NoError(t, err)
	require.Equal(t, "{", string(raw), "it is left as it was")
	require.Contains(t, p.does("models", "list"), "kokoro", "the models of the program are there")
	p.does("say", "Hello.", "-o", "a.wav")
}

func TestDataBelowAFile(t *testing.T) {
	p := newPerson(t)
	write(t, filepath.Join(p.dir, "file"), "x")
	below := filepath.Join(p.dir, "file", "data")
	for _, args := range [][]string{{"profiles", "list"}, {"say", "Hello."}, {"serve", "--addr", "127.0.0.1:0"}} {
		p.fails(failed, []string{below, "Check the permissions"}, append(args, "--data", below)...)
	}
	require.Equal(t, failed, p.run("doctor", "--data", below).code)
	models := filepath.Join(p.dir, "file", "models")
	p.does("say", "Hello.", "--models", models)
	folder, err := filepath.Abs(filepath.Join("testdata", "en_US-tone-medium"))
	require.NoError(t, err)
	o := p.run("models", "import", folder, "--models", models)
	require.Equal(t, failed, o.code, o.err)
	require.Contains(t, o.err, "may not read or write the models directory. Check the permissions")
}

func TestDoctor(t *testing.T) {
	p := newPerson(t)
	p.does("say", "A secret text.", "-o", "a.wav")
	for _, part := range []string{"ok       espeak-ng", "ok       database", "ok       ONNX Runtime", "ok       disk space"} {
		require.Contains(t, p.does("doctor"), part)
	}
	report := p.json("doctor")
	require.Equal(t, true, report["ok"])
	for _, f := range report["findings"].([]any) {
		require.NotEmpty(t, f.(object)["name"])
		require.NotEmpty(t, f.(object)["level"])
	}
	p.does("doctor", "--bundle", "report.zip")
	z, err := zip.OpenReader(filepath.Join(p.dir, "report.zip"))
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
	p.fails(failed, nil, "doctor", "--bundle", "none/report.zip")
	broken := p.with("VOICEWRIGHT_ORT=/nonexistent").run("doctor")
	require.Equal(t, done, broken.code, "the main job can be done without it")
	require.Contains(t, broken.out, "warning  ONNX Runtime")
}
