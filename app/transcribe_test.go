package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// writeWAV writes interleaved samples into the working directory of the commands.
func (u *user) writeWAV(name string, samples []float32, rate, channels int) {
	u.t.Helper()
	f, err := os.Create(filepath.Join(u.dir, name))
	require.NoError(u.t, err)
	w, err := audio.NewWAVWriter(f, rate, channels)
	require.NoError(u.t, err)
	require.NoError(u.t, w.Write(samples))
	require.NoError(u.t, w.Close())
	require.NoError(u.t, f.Close())
}

// copyClip copies a recording of speech into the working directory of the commands.
func (u *user) copyClip(name string) {
	u.t.Helper()
	data, err := os.ReadFile(enginetest.ClipFile(u.t, "jfk.wav"))
	require.NoError(u.t, err)
	require.NoError(u.t, os.MkdirAll(filepath.Dir(filepath.Join(u.dir, name)), 0o755))
	require.NoError(u.t, os.WriteFile(filepath.Join(u.dir, name), data, 0o600))
}

func TestTranscribeWrongUse(t *testing.T) {
	u := newUser(t)
	u.copyClip("talk.wav")
	u.copyClip("txt.wav")
	require.NoError(t, os.Symlink("talk.wav", filepath.Join(u.dir, "talk.txt")))
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, "empty"), 0o755))
	for _, c := range []struct {
		name  string
		code  int
		words string
		args  []string
	}{
		{"no file", exitUsage, "transcribe needs a FILE.", nil},
		{"unknown format", exitUsage, `"odt" must be one of txt, srt, vtt, json, md, docx, rttm`, []string{"talk.wav", "--format", "odt"}},
		{"a document on the screen", exitUsage, "-o FILE.docx", []string{"talk.wav", "--format", "docx"}},
		{"unknown extension", exitUsage, `"pdf" must be one of`, []string{"talk.wav", "-o", "talk.pdf"}},
		{"no such file", exitNotFound, "There is no file none.wav", []string{"none.wav"}},
		{"no such folder of files", exitNotFound, "The folder none/ does not exist.", []string{"none/"}},
		{"a folder without audio", exitUsage, "no audio or video files in empty", []string{"empty"}},
		{"no such folder", exitUsage, "none does not exist", []string{"talk.wav", "-o", "none/talk.txt"}},
		{"several to one file", exitUsage, "need a folder", []string{"talk.wav", "txt.wav", "-o", "talk.txt"}},
		{"subtitles of several", exitUsage, "-o FOLDER", []string{"talk.wav", "txt.wav", "--format", "srt"}},
		{"over the input", exitUsage, "would replace an input", []string{"talk.wav", "-o", "talk.txt"}},
		{"unknown model", exitNotFound, `no model "whisper-xxl"`, []string{"talk.wav", "--model", "whisper-xxl"}},
		{"a voice", exitFailed, "does not transcribe", []string{"talk.wav", "--model", "kokoro"}},
		{"a script without speakers", exitUsage, "leave out --speakers off", []string{"talk.wav", "--script", "--speakers", "off"}},
		{"a script and its text", exitUsage, "add -o FILE", []string{"talk.wav", "--script", "--format", "md"}},
		{"a voice without a script", exitUsage, "add --script", []string{"talk.wav", "--voice", "Anna=Anna"}},
		{"a voice without a speaker", exitUsage, "must be NAME=PROFILE", []string{"talk.wav", "--script", "--voice", "Anna"}},
		{"a voice that is not there", exitNotFound, `no profile "Nobody"`, []string{"talk.wav", "--script", "--voice", "Anna=Nobody"}},
		{"no language", exitUsage, "language tag", []string{"talk.wav", "--language", "klingonish"}},
		{"another language", exitFailed, `does not understand "fr"`, []string{"talk.wav", "--model", "whisper-base.en", "--language", "fr"}},
		{"English into English", exitUsage, "cannot translate", []string{"talk.wav", "--model", "whisper-base.en", "--translate"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := *u
			u.t = t
			u.mustFail(c.code, []string{c.words}, append([]string{"transcribe"}, c.args...)...)
		})
	}
}

func TestTranscribeNeedsAModel(t *testing.T) {
	u := newUser(t).withEnv("HF_HUB_OFFLINE=1") // nothing is tried again
	u.copyClip("talk.wav")
	o := u.run("transcribe", "talk.wav")
	require.Equal(t, exitNeeded, o.code)
	require.Regexp(t, "whisper|offline mode", o.err) // what is missing depends on the build
	o = u.run("transcribe", "talk.wav", "txt.wav")
	require.Equal(t, exitNeeded, o.code, "the others would fail too")
}
