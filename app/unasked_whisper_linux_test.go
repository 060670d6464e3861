//go:build whisper

package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// newUserWithWhisper returns a user with a hub that has the model "listed" of the user's list, and no other.
func newUserWithWhisper(t *testing.T) (*user, *hubtest.Server) {
	t.Helper()
	const id = "acme/listed"
	raw, err := os.ReadFile(whispertest.Path(t, "tones"))
	require.NoError(t, err)
	server := hubtest.Start(hubtest.Repo{ID: id, Files: map[string]hubtest.Content{"ggml-listed.bin": hubtest.Bytes(raw)}})
	t.Cleanup(server.Close)
	u := newUser(t).withEnv("HF_ENDPOINT="+server.URL(), oneThread)
	require.NoError(t, os.Mkdir(u.data, 0o700))
	list, err := registry.Format([]registry.Entry{{
		Name: "listed", DisplayName: "Listed", Engine: "whisper", Family: registry.Transcription, SampleRate: 16000,
		Languages: []string{"de", "en"}, License: registry.License{Name: "MIT"},
		Variants: []registry.Variant{{Name: "tones", MemoryMB: 100, Files: []registry.File{{
			Repo: id, Revision: hubtest.CommitOf(id), Path: "ggml-listed.bin", Bytes: int64(len(raw)),
			SHA256: server.SHA256(id, "ggml-listed.bin"), Role: "model", Pinned: true,
		}}}},
	}})
	require.NoError(t, err)
	write(t, filepath.Join(u.data, "models.json"), string(list))
	u.writeWAV("talk.wav", toneWords(16000, "low", "mid"), 16000, 1)
	write(t, filepath.Join(u.dir, "notes.txt"), strings.Repeat("Not a recording.\n", 100))
	return u, server
}

func TestNothingDownloadsUnasked(t *testing.T) {
	t.Parallel()
	u, server := newUserWithWhisper(t)
	quiet := func() { t.Helper(); require.Empty(t, server.Requests(""), "the hub was asked") }
	u.mustFail(exitFailed, []string{"audio"}, "transcribe", "notes.txt")
	u.mustFail(exitFailed, []string{"audio"}, "transcribe", "notes.txt", "--model", "listed")
	quiet() // the files were looked at first

	code, shown := u.runOnTerminal("n\n", "transcribe", "talk.wav")
	require.Equal(t, exitNeeded, code, shown)
	require.Contains(t, shown, "Whisper base (148 MB) is not downloaded. Download it now? [y/N]")
	require.Empty(t, u.transcripts())
	u.mustRun("say", "Hello.", "-o", "a.wav")
	id := u.history()[0]["id"].(string)
	code, shown = u.runOnTerminal("\n", "history", "verify", id)
	require.Equal(t, exitNeeded, code, shown)
	require.Contains(t, shown, "Whisper base (148 MB) is not downloaded. Download it now? [y/N]")
	code, shown = u.runOnTerminal("\x03", "transcribe", "talk.wav")
	require.Equal(t, exitInterrupted, code, shown)
	quiet()

	offline := u.withEnv("HF_HUB_OFFLINE=1")
	sentence := []string{"Whisper base (148 MB) is not downloaded, and offline mode is on."}
	for _, args := range [][]string{{"transcribe", "talk.wav"}, {"history", "verify", id}} {
		o := offline.run(args...)
		require.Equal(t, exitNeeded, o.code, o.err)
		require.Contains(t, o.err, sentence[0])
		require.Contains(t, o.err, "Downloading whisper-base: Whisper base (148 MB)\n", "nobody can be asked")
	}
	quiet()

	// An answer downloads, and so does the absence of a terminal; this hub has no such model.
	code, shown = u.runOnTerminal("y\n", "transcribe", "talk.wav")
	require.Equal(t, exitFailed, code, shown)
	asked := len(server.Requests(""))
	require.Positive(t, asked)
	code, shown = u.runOnTerminal("", "transcribe", "talk.wav", "--yes")
	require.Equal(t, exitFailed, code, shown)
	require.NotContains(t, shown, "[y/N]")
	require.Greater(t, len(server.Requests("")), asked)
	asked = len(server.Requests(""))
	o := u.run("transcribe", "talk.wav")
	require.Equal(t, exitFailed, o.code, o.err)
	require.Contains(t, o.err, "Downloading whisper-base: Whisper base (148 MB)\n")
	require.Greater(t, len(server.Requests("")), asked)
	require.Empty(t, u.transcripts())
}

func TestNamedTranscriberIsDownloaded(t *testing.T) {
	t.Parallel()
	u, server := newUserWithWhisper(t)
	code, shown := u.runOnTerminal("", "transcribe", "talk.wav", "--model", "listed")
	require.Equal(t, exitDone, code, shown)
	require.Regexp(t, `low then mid`, shown)
	require.NotContains(t, shown, "[y/N]")
	require.NotEmpty(t, server.Requests(""))
	u.mustRun("models", "rm", "listed")
	s := u.serve()
	status, body := s.request("PUT", "/settings", `{"transcribe.model":"listed"}`)
	require.Equal(t, 200, status, body)
	code, shown = u.runOnTerminal("", "transcribe", "talk.wav")
	require.Equal(t, exitDone, code, "the user chose it in the settings: %s", shown)
	require.NotContains(t, shown, "[y/N]")
	status, body = s.request("PUT", "/settings", `{"transcribe.model":"whisper-base"}`)
	require.Equal(t, 200, status, body)
	status, body = s.request("GET", "/transcriptions/model", "")
	require.Equal(t, 200, status, body)
	require.JSONEq(t, `{"model_name":"whisper-base","display_name":"Whisper base","downloaded":false,"size_mb":148,"named":true}`, body)
	status, body = s.request("PUT", "/settings", `{"transcribe.model":null}`)
	require.Equal(t, 200, status, body)
	status, body = s.request("GET", "/transcriptions/model", "")
	require.Equal(t, 200, status, body)
	require.Contains(t, body, `"model_name":"listed"`)
	require.Contains(t, body, `"named":false`)
}

// The default that nobody named is replaced by an installed model, wherever one listens.
func TestInstalledTranscriberIsUsed(t *testing.T) {
	t.Parallel()
	u, server := newUserWithWhisper(t)
	u.mustRun("models", "import", whispertest.Path(t, "english-only.en"), "--name", "only.en")
	code, shown := u.runOnTerminal("n\n", "transcribe", "talk.wav")
	require.Equal(t, exitNeeded, code, "an English model cannot detect a language: %s", shown)
	code, shown = u.runOnTerminal("n\n", "transcribe", "talk.wav", "--language", "de")
	require.Equal(t, exitNeeded, code, shown)
	require.Equal(t, "only.en", u.mustRunJSON("transcribe", "talk.wav", "--language", "en-US")["model_name"])
	u.mustRun("models", "import", whispertest.Path(t, "tones"), "--name", "w-tones")
	for _, args := range [][]string{{}, {"--language", "de"}, {"--translate"}} {
		got := u.mustRunJSON(append([]string{"transcribe", "talk.wav"}, args...)...)
		require.Equal(t, "w-tones", got["model_name"])
	}
	code, shown = u.runOnTerminal("n\n", "transcribe", "talk.wav")
	require.Equal(t, exitDone, code, shown)
	u.mustRun("say", "Low mid.", "-o", "a.wav", "--voice", "espeak:de", "--language", "de")
	report := u.mustRunJSON("history", "verify", u.history()[0]["id"].(string))
	require.Equal(t, "w-tones", report["items"].([]any)[0].(object)["model_name"])

	s := u.serve()
	status, body := s.request("POST", "/history/verify", `{"ids":["`+u.history()[0]["id"].(string)+`"],"download":false}`)
	require.Equal(t, 202, status, body)
	u.mustRun("models", "rm", "w-tones")
	status, body = s.request("POST", "/history/verify", `{"ids":["`+u.history()[0]["id"].(string)+`"],"download":false}`)
	require.Equal(t, 409, status, body)
	require.Contains(t, body, `"display_name":"Whisper base"`)
	require.Contains(t, body, `"size_mb":148`)
	require.Empty(t, server.Requests(""), "nothing was downloaded")
}

// A setting that has speech checked downloads nothing unasked either, and the speech is made in any case.
func TestCheckedSpeechAsksForItsModel(t *testing.T) {
	t.Parallel()
	u, server := newUserWithWhisper(t)
	s := u.serve()
	status, body := s.request("PUT", "/settings", `{"speech.verify":true}`)
	require.Equal(t, 200, status, body)
	write(t, filepath.Join(u.dir, "list.txt"), "Hello.\nGood morning.\n")
	for _, args := range [][]string{{"say", "Hello.", "-o", "a.wav"}, {"say", "--batch", "list.txt", "--out", "all"}} {
		code, shown := u.runOnTerminal("n\n", args...)
		require.Equal(t, exitDone, code, shown)
		require.Contains(t, shown, "Whisper base (148 MB) is not downloaded. Download it now? [y/N]")
		require.Contains(t, shown, "The audio will not be checked.")
	}
	require.Empty(t, server.Requests(""))
	require.Len(t, u.history(), 3)
	u.mustRun("models", "import", whispertest.Path(t, "tones"), "--name", "w-tones")
	require.Equal(t, "w-tones", u.mustRunJSON("say", "Low then mid.", "-o", "a.wav")["verify"].(object)["model_name"])
	require.Empty(t, server.Requests(""))
}

// A hub that does not have the file, or has another one, fails each command in the same way; where something is needed first, each
// says so in the same way.
func TestStatusesOfDownloads(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault hubtest.Fault
		want  int
	}{
		"no such file":       {hubtest.Status(404, "X-Error-Code", "EntryNotFound"), exitFailed},
		"no such page":       {hubtest.Status(404), exitFailed},
		"no such revision":   {hubtest.Status(404, "X-Error-Code", "RevisionNotFound"), exitFailed},
		"licence at the hub": {hubtest.Status(403, "X-Error-Code", "GatedRepo"), exitNeeded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u, server := newUserWithWhisper(t)
			u.writeWAV("other.wav", toneWords(16000, "low", "mid"), 16000, 1)
			server.Hub("", hubtest.Always, test.fault)
			for _, args := range [][]string{
				{"models", "download", "listed"},
				{"transcribe", "talk.wav", "--model", "listed"},
				{"transcribe", "talk.wav", "other.wav", "--model", "listed"},
				{"say", "Hello.", "--voice", lessac + ":0", "-o", "hello.wav"},
			} {
				o := u.run(args...)
				require.Equal(t, test.want, o.code, "%v: %s", args, o.err)
			}
			o := u.withEnv("HF_HUB_OFFLINE=1").run("transcribe", "talk.wav", "--model", "listed")
			require.Equal(t, exitNeeded, o.code, o.err)
		})
	}
}
