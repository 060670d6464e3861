//go:build whisper

package app_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// newUserWithSpeakers returns a user with a transcription model, the toy networks as a model that finds speakers where there is a name
// for it, and the tones of the kit.
func newUserWithSpeakers(t *testing.T, name string) *user {
	t.Helper()
	u := newTranscriber(t, "plain")
	if name != "" {
		u.mustRun("models", "import", diarizetest.Folder(t), "--name", name)
	}
	tones, err := os.ReadFile(diarizetest.Kit(t, "audio/tones.wav"))
	require.NoError(t, err)
	write(t, filepath.Join(u.dir, "tones.wav"), string(tones))
	return u
}

// speakersOf transcribes the tones and returns the result, of which the output is text.
func (u *user) speakersOf(more ...string) result {
	u.t.Helper()
	o := u.run(append([]string{"transcribe", "tones.wav", "--model", "plain"}, more...)...)
	require.Equal(u.t, exitDone, o.code, o.err)
	return o
}

// The tones of the kit by the command: the model is found without being named.
func TestTranscribeSpeakers(t *testing.T) {
	t.Parallel()
	u := newUserWithSpeakers(t, "toy")
	o := u.speakersOf("--speakers", "auto", "--format", "rttm")
	require.Contains(t, o.err, "finding speakers")
	require.NotContains(t, o.err, "Downloading")
	require.Regexp(t, `(?m)^SPEAKER tones 1 0\.\d{3} 3\.\d{3} <NA> <NA> Speaker_1 <NA> <NA>$`, o.out)
	errors := diarizetest.Score(diarizetest.Truth(t), diarizetest.RTTM(t, o.out))
	t.Log(errors)
	require.Less(t, errors.Rate(), 0.02, errors)
	first := audio.PCM16(nil, diarizetest.Tones(t, 0, 13)) // A, B and C
	write(t, filepath.Join(u.dir, "tones.wav"), string(append(audio.WAVHeader(engines.TranscriberRate, 1, uint32(len(first))), first...)))
	for _, c := range []struct {
		args   []string
		names  []string
		notice string
	}{
		{[]string{"--names", " Anna ,,Cleo"}, []string{"Anna", "Speaker_2", "Cleo"}, ""},
		{[]string{"--names", "Anna,Ben,Anna"}, []string{"Anna", "Ben"}, ""},
		{[]string{"--speakers", "2", "--names", "A,B,C"}, []string{"A", "B"}, "tones.wav: more names (3) than speakers (2)."},
		{[]string{"--speakers", "off", "--names", "Anna"}, nil, "tones.wav: more names (1) than speakers (0)."},
	} {
		o := u.speakersOf(append(c.args, "--format", "rttm")...)
		var names []string
		for _, turn := range diarizetest.RTTM(t, o.out) {
			if !slices.Contains(names, turn.Speaker) {
				names = append(names, turn.Speaker)
			}
		}
		require.Equal(t, c.names, names, c.args)
		require.Contains(t, o.err, c.notice, c.args)
	}
	o = u.speakersOf("--names", "Anna,Ben", "--script", "--voice", "ben=Built-in voice", "--voice", "Karl=Built-in voice")
	require.Regexp(t, `^tones: \d+ turns of Anna, Ben.*\. ID: [-0-9a-f]{36}\n$`, o.out)
	require.Contains(t, o.err, "no speaker is called Karl")

	require.Contains(t, u.mustRun("models", "verify", "toy"), "toy is intact: 2 files")
	require.Contains(t, u.mustRun("models", "rm", "toy"), "Deleted toy.")
	o = u.speakersOf("--format", "rttm")
	require.Empty(t, o.out)
	require.NotContains(t, o.err, "Downloading", "nothing is downloaded unasked")
}

// What cannot be downloaded costs no text.
func TestTextWithoutItsSpeakers(t *testing.T) {
	t.Parallel()
	const id = "csukuangfj/sherpa-onnx-pyannote-segmentation-3-0"
	server := hubtest.Start(hubtest.Repo{ID: id, Files: map[string]hubtest.Content{"model.onnx": hubtest.Zeros(5_992_913)}})
	t.Cleanup(server.Close)
	offline := newUserWithSpeakers(t, "")
	u := offline.withEnv("HF_ENDPOINT=" + server.URL())
	text := u.speakersOf().out
	require.NotEmpty(t, text)
	require.Empty(t, server.Requests(""), "nothing is downloaded unasked")
	for name, c := range map[string]struct {
		user  *user
		fault hubtest.Fault // of the hub
		has   string
	}{
		"offline":     {user: offline.withEnv("HF_HUB_OFFLINE=1"), has: "Speakers (35 MB) is not downloaded, and offline mode is on."},
		"no network":  {user: offline, has: "Speakers (35 MB) is not downloaded, and the model hub cannot be reached."},
		"old version": {user: u, has: "The hub no longer has this revision of the repository. Update Voicewright"},
		"for members": {user: u, fault: hubtest.Status(403, "X-Error-Code", "GatedRepo"), has: "the speakers were not found."},
	} {
		server.Heal()
		if c.fault != nil {
			server.Hub("", hubtest.Always, c.fault)
		}
		o := c.user.speakersOf("--speakers", "2", "--names", "Anna")
		require.Equal(t, text, o.out, name)
		require.Contains(t, o.err, "tones.wav: the speakers were not found. ", name)
		require.Contains(t, o.err, c.has, name)
	}
}

// Flags are checked before the recording is read.
func TestWrongSpeakers(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for _, value := range []string{"0", "-1", "101", "abc", "2.5"} {
		u.mustFail(exitUsage, []string{"must be auto, channels, off or a number from 1 to 100"}, "transcribe", "none.wav", "--speakers="+value)
	}
	u.mustFail(exitUsage, []string{"more than 100 characters"}, "transcribe", "none.wav", "--names", strings.Repeat("x", 101))
}

// TestKnownSpeakers remembers a voice, is offered its name in the next recording, and forgets it.
func TestKnownSpeakers(t *testing.T) {
	t.Parallel()
	u := newUserWithSpeakers(t, "toy")
	sound := audio.PCM16(nil, diarizetest.Tones(t, 0, 14)) // A, B and C
	write(t, filepath.Join(u.dir, "tones.wav"), string(append(audio.WAVHeader(engines.TranscriberRate, 1, uint32(len(sound))), sound...)))
	require.Equal(t, []any{}, u.mustRunJSON("speakers", "list")["items"])
	o := u.speakersOf("--speakers", "auto")
	require.NotContains(t, o.err, "sounds like")
	u.mustFail(exitUsage, []string{"--consent is missing"}, "speakers", "remember", "tones.wav", "Speaker 1", "--name", "Anna")
	u.mustFail(exitUsage, []string{"--consent \"mine\""}, "speakers", "remember", "tones.wav", "Speaker 1", "--consent", "mine")
	own := []string{"--consent", "own_voice"}
	u.mustFail(exitUsage, []string{"should be the name of a person"}, append([]string{"speakers", "remember", "tones.wav", "Speaker 1"}, own...)...)
	u.mustFail(exitNotFound, []string{"There is no transcript \"talk\""}, append([]string{"speakers", "remember", "talk", "Anna"}, own...)...)
	u.mustFail(exitUsage, []string{"no speaker Zoë"}, append([]string{"speakers", "remember", "tones.wav", "Zoë"}, own...)...)
	for speaker, name := range map[string]string{"speaker 1": "Anna", "Speaker 3": "Ben"} {
		out := u.mustRun("speakers", "remember", "tones.wav", speaker, "--name", name, "--consent", "permission", "--by", "Ada")
		require.Regexp(t, "Remembered "+name+" by \\d+ s of speech", out)
	}
	require.Regexp(t, `(?m)^ID +NAME +SECONDS +RECORDINGS +USABLE +CONSENT +BY +ON
\S{36} +Anna +\d+ +1 +yes +permission +Ada +\d{4}-\d\d-\d\d
\S{36} +Ben `, u.mustRun("speakers", "list"))

	o = u.speakersOf("--speakers", "auto")
	require.Contains(t, o.err, "tones.wav: Speaker 1 sounds like Anna.\ntones.wav: Speaker 3 sounds like Ben.\n")
	require.NotContains(t, o.out, "Anna", "nothing happens by itself")
	o = u.speakersOf("--names", "Anna")
	require.NotContains(t, o.err, "sounds like Anna", "the name was given")
	u.mustFail(exitUsage, []string{"\"tones.wav\" are several transcripts"}, append([]string{"speakers", "remember", "tones.wav", "Anna"}, own...)...)

	require.Contains(t, u.mustRun("doctor"), "2 can be read")
	u.mustRun("backup", "library.zip")
	u.mustRun("backup", "prints.zip", "--voice-prints")
	other := newUser(t)
	other.mustRun("restore", filepath.Join(u.dir, "library.zip"))
	require.Equal(t, []any{}, other.mustRunJSON("speakers", "list")["items"], "no backup has them unless it is chosen")
	other.mustRun("restore", filepath.Join(u.dir, "prints.zip"))
	require.Regexp(t, `(?s) Anna +\d+ +1 +no +permission +Ada .* Ben `, other.mustRun("speakers", "list"), "no model is installed here")
	damaged := filepath.Join(other.data, "speakers", "01900000-0000-7000-8000-000000000000.json")
	write(t, damaged, "damaged")
	require.Contains(t, other.run("doctor").out, "A voice print cannot be read: "+damaged)
	require.Len(t, other.mustRunJSON("speakers", "list")["items"], 2)
	other.mustRun("speakers", "forget", "01900000-0000-7000-8000-000000000000", "Anna")
	require.NoFileExists(t, damaged)

	u.mustFail(exitNotFound, []string{"There is no known speaker \"Carl\""}, "speakers", "forget", "anna", "Carl")
	require.Len(t, u.mustRunJSON("speakers", "list")["items"], 2, "nobody is forgotten where one is unknown")
	require.Equal(t, "Forgot Anna, Ben\n", u.mustRun("speakers", "forget", "anna", "Ben", "Anna", "--yes"))
	left, err := os.ReadDir(filepath.Join(u.data, "speakers"))
	require.NoError(t, err)
	require.Empty(t, left)
	require.NotContains(t, u.speakersOf("--speakers", "auto").err, "sounds like")
}
