package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// TestModelThatFindsSpeakers imports one from its folder. It is neither a voice nor a transcription model.
func TestModelThatFindsSpeakers(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.Regexp(t, `(?m)^speakers +diarize +any +0 +35 MB +not installed +- +MIT .*Apache-2.0`, u.mustRun("models", "list"))
	dir := diarizetest.Folder(t)
	require.Equal(t, "Imported tones (diarize, finds speakers). Try it with:\n  voicewright transcribe --speakers auto recording.wav\n",
		u.mustRun("models", "import", dir))
	m := u.model("tones")
	require.Equal(t, "speakers", m["family"])
	require.Equal(t, []any{}, m["languages"])
	require.Equal(t, true, m["downloaded"])
	require.Contains(t, u.mustRun("models", "verify", "tones"), "tones is intact: 2 files")
	u.mustFail(exitFailed, []string{"does not speak; it finds who said what"}, "say", "Hello.", "--voice", "tones:")
	u.mustFail(exitFailed, []string{"campplus", "of Speakers is not in"}, "models", "import", dir, "--name", "speakers")
	s := u.serve()
	_, body := s.request("GET", "/v1/models", "")
	require.NotContains(t, body, "tones")
	_, body = s.request("GET", "/profiles", "")
	require.NotContains(t, body, "tones")
	require.Contains(t, u.mustRun("models", "rm", "tones"), "Deleted tones.")
	require.NoFileExists(t, filepath.Join(u.data, "models", "imported", "tones", "model.onnx"))
}

// TestSpeakersVerify measures with recordings of one's own how well voices are told apart: here the tones of the engine's kit.
func TestSpeakersVerify(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	dir := u.writePeople()
	u.mustFail(exitFailed, []string{"Speakers (35 MB) is not downloaded"}, "speakers", "verify", dir)
	u.mustRun("models", "import", diarizetest.Folder(t))
	out := u.mustRun("speakers", "verify", dir)
	require.Contains(t, out, "People: 2, recordings: 4")
	require.Regexp(t, `The same person: +mean 1\.00, from 1\.00 to 1\.00 \(2 pairs\)`, out)
	require.Regexp(t, `Different people: +mean 0\.\d\d, from 0\.\d\d to 0\.\d\d \(4 pairs\)`, out)
	require.Contains(t, out, "Equal error rate:  0.0 %")
	require.Contains(t, out, "0 of 2 pairs of one person, 0 of 4 of different people")
	require.Equal(t, "tones", u.mustRunJSON("speakers", "verify", dir)["model_name"])
	none := filepath.Join(dir, "none")
	u.mustFail(exitNotFound, []string{"The folder " + none + " does not exist. Check the name."}, "speakers", "verify", none)
	u.mustFail(exitUsage, []string{"two recordings of one of them"}, "speakers", "verify", filepath.Join(dir, "Anna"))
}

// writePeople writes recordings of two people, and returns their folder.
func (u *user) writePeople() (dir string) {
	u.t.Helper()
	dir = filepath.Join(u.dir, "people")
	for name, span := range map[string][2]float64{"Anna/1": {0.5, 4}, "Anna/2": {11, 13}, "Ben/1": {4.4, 7}, "Ben/2": {29, 31}} {
		path := filepath.Join(dir, filepath.FromSlash(name)+".wav")
		require.NoError(u.t, os.MkdirAll(filepath.Dir(path), 0o700))
		sound := diarizetest.Tones(u.t, span[0], span[1])
		write(u.t, path, string(audio.PCM16(audio.WAVHeader(engines.TranscriberRate, 1, uint32(2*len(sound))), sound)))
	}
	return dir
}
