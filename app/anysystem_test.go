package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// The tests TestAnySystem… use the program as a person does who has installed it. `make windows-test` runs them with the program for
// Windows, as its installer put it, under wine. Paths in arguments are relative, or those of programtest.Path.

// standIn returns the program that takes the place of espeak-ng, and that holds files.
var standIn = sync.OnceValues(func() (string, error) {
	if programtest.IsWindows() {
		return filepath.Join(os.Getenv(programtest.DriveC), "Program Files", "eSpeak NG", "espeak-ng.exe"), nil
	}
	return programtest.Build(programs, programtest.Module+"/app/programtest/standin")
})

// standInPath returns the variables with which a program finds the stand-in as espeak-ng, in any folder of the search path. On
// Windows it is where the installer of espeak-ng puts it, which is in none.
func standInPath(t *testing.T) []string {
	t.Helper()
	program, err := standIn()
	require.NoError(t, err)
	if programtest.IsWindows() {
		return nil
	}
	folder := t.TempDir()
	require.NoError(t, os.Symlink(program, filepath.Join(folder, "espeak-ng")))
	return []string{"PATH=" + folder + string(os.PathListSeparator) + os.Getenv("PATH")}
}

// newInstalled returns a user whose espeak-ng is the stand-in.
func newInstalled(t *testing.T) *user {
	t.Helper()
	return newUser(t).withEnv(standInPath(t)...)
}

const (
	toneFolder = "en_US-tone-medium"
	toneModel  = "tone"
	toneVoice  = toneModel + ":0"
)

// importTone installs the voice whose audio encodes its input.
func (u *user) importTone() {
	u.t.Helper()
	folder := filepath.Join(enginetest.Root(u.t), "app", "testdata", toneFolder)
	u.mustRun("models", "import", programtest.Path(folder), "--name", toneModel)
}

// requireSpoken requires that an audio file of the tone voice has the letters of a text.
func (u *user) requireSpoken(text, name string) {
	u.t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", toneFolder, toneFolder+".onnx.json"))
	require.NoError(u.t, err)
	var voice struct {
		IDs map[string][]int `json:"phoneme_id_map"`
	}
	require.NoError(u.t, json.Unmarshal(raw, &voice))
	runs, err := enginetest.DecodeTones(u.readWAV(name).Samples, 256)
	require.NoError(u.t, err)
	var heard, want strings.Builder
	for _, run := range runs {
		for _, id := range run.IDs {
			for letter := 'a'; letter <= 'z'; letter++ {
				if slices.Contains(voice.IDs[string(letter)], id) {
					heard.WriteRune(letter)
				}
			}
		}
	}
	for _, letter := range strings.ToLower(text) {
		if letter >= 'a' && letter <= 'z' {
			want.WriteRune(letter)
		}
	}
	require.Equal(u.t, want.String(), heard.String())
}

// TestAnySystemSpeaks speaks with the built-in voice and with a neural one, from arguments, files and the input.
func TestAnySystemSpeaks(t *testing.T) {
	t.Parallel()
	u := newInstalled(t)
	u.importTone()
	u.mustRun("say", "Hello there.", "-o", "builtin.wav")
	require.Greater(t, u.readWAV("builtin.wav").Duration().Seconds(), 0.3)
	const text = "The quick brown fox."
	u.mustRun("say", text, "--voice", toneVoice, "-o", "argument.wav")
	u.requireSpoken(text, "argument.wav")
	write(t, filepath.Join(u.dir, "text.txt"), "\ufeff"+text+"\r\n")
	u.mustRun("say", "--file", "text.txt", "--voice", toneVoice, "-o", "file.wav")
	require.Equal(t, u.readWAV("argument.wav"), u.readWAV("file.wav"))
	o := u.runWithInput(strings.NewReader(text), "say", "-", "--voice", toneVoice, "-o", "input.wav")
	require.Equal(t, exitDone, o.code, o.err)
	require.Equal(t, u.readWAV("argument.wav"), u.readWAV("input.wav"))
	if programtest.IsWindows() { // there is no ffmpeg
		o := u.run("say", text, "--voice", toneVoice, "-o", "a.mp3")
		require.Equal(t, exitNeeded, o.code, o.err)
		require.Contains(t, o.err, "winget install")
	} else {
		u.mustRun("say", text, "--voice", toneVoice, "-o", "a.mp3")
		require.FileExists(t, filepath.Join(u.dir, "a.mp3"))
	}
	report := u.mustRun("doctor")
	require.Contains(t, report, "1.32.0", "ONNX Runtime")
	require.Contains(t, report, "1.51", "espeak-ng")
}

// TestAnySystemProfilesAndHistory keeps profiles and generations with names of all languages.
func TestAnySystemProfilesAndHistory(t *testing.T) {
	t.Parallel()
	u := newInstalled(t)
	const name, text = "Erzählerin Jürgen 🎙", "Grüße aus dem Süden, 世界 🌍."
	require.Equal(t, name, u.mustRunJSON("profiles", "create", name, "--language", "de")["name"])
	g := u.mustRunJSON("say", text, "--profile", name, "-o", "a.wav")
	require.Equal(t, text, g["text"])
	require.Equal(t, filepath.Join(u.dir, "a.wav"), programtest.LocalPath(g["output"].(string)))
	id := g["id"].(string)
	require.Len(t, u.mustRunJSON("history", "search", "Grüße")["items"], 1)
	u.mustRun("history", "export", id, "-o", "b.wav")
	require.Equal(t, u.readWAV("a.wav"), u.readWAV("b.wav"))
	for format, begin := range map[string]string{"srt": "1\n00:00:00,000", "vtt": "WEBVTT"} {
		u.mustRun("history", "export", id, "-o", "b."+format)
		require.True(t, strings.HasPrefix(string(u.read("b."+format)), begin), format)
	}
	u.mustRun("profiles", "export", name, "-o", "profile.zip")
	u.mustRun("profiles", "rm", name)
	require.Equal(t, name, u.mustRunJSON("profiles", "import", "profile.zip")["name"])
	require.FileExists(t, programtest.LocalPath(u.history()[0]["audio_path"].(string)))
	u.mustRun("history", "rm", id)
	require.Empty(t, u.history())
	require.Empty(t, u.audioFiles())
}

// TestAnySystemServes has the page and makes speech over HTTP.
func TestAnySystemServes(t *testing.T) {
	t.Parallel()
	u := newInstalled(t)
	s := u.serve()
	status, page := s.request("GET", "/", "", "Authorization: none")
	require.Equal(t, 200, status)
	require.Contains(t, page, "<html")
	status, body := s.request("POST", "/generate", `{"profile_id":"`+s.firstProfile()+`","text":"Grüße."}`)
	require.Equal(t, 200, status, body)
	status, sound := s.request("GET", parseJSON(t, body)["audio_url"].(string), "")
	require.Equal(t, 200, status)
	require.True(t, strings.HasPrefix(sound, "RIFF"))
	require.Len(t, u.history(), 1, "commands use the server")
	_, body = s.request("GET", "/system", "")
	want := runtime.GOOS
	if programtest.IsWindows() {
		want = "windows"
	}
	require.Contains(t, body, want)
	s.interrupt()
}
