//go:build whisper

package app_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

const jfkText = "And so my fellow Americans, ask not what your country can do for you, ask what you can do for your country."

// tonesOf70 are the tones of the kit's file of 70 seconds.
var tonesOf70 = []string{"low", "mid", "high", "none", "mid", "mid", "high", "low", "none", "high", "low", "low", "mid", "high"}

// oneThread keeps a command of the user to one: those of the library wait for each other, and tests share the cores.
const oneThread = "GOMAXPROCS=1"

// newTranscriber returns a user with models of the kit.
func newTranscriber(t *testing.T, models ...string) *user {
	t.Helper()
	u := newUser(t).withEnv(oneThread)
	for _, name := range models {
		u.mustRun("models", "import", whispertest.Path(t, name), "--name", name)
	}
	return u
}

// golden returns an output of whisper-cli, without the space that the model puts before each text.
func golden(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(enginetest.Root(t), "backend/transcribe/testdata/whisper", name))
	require.NoError(t, err)
	return strings.TrimPrefix(strings.ReplaceAll(string(data), "\n ", "\n"), " ")
}

// toneWords returns the audio of the kit's tones: five seconds of each, at a rate in Hz.
func toneWords(rate int, words ...string) []float32 {
	hz := map[string]float64{"low": 300, "mid": 1000, "high": 3000}
	var out []float32
	for _, word := range words {
		for n := range 5 * rate {
			out = append(out, float32(math.Round(16383*math.Sin(2*math.Pi*hz[word]*float64(n)/float64(rate)))/32768))
		}
	}
	return out
}

// transcripts returns the files of the stored audio, and those that are unfinished.
func (u *user) transcripts() []string {
	u.t.Helper()
	var names []string
	for _, pattern := range []string{"*/*.wav", "*/*.opus", "unfinished/*"} {
		found, err := filepath.Glob(filepath.Join(u.data, "transcripts", pattern))
		require.NoError(u.t, err)
		names = append(names, found...)
	}
	return names
}

func TestTranscribe(t *testing.T) {
	t.Parallel()
	u := newTranscriber(t, "plain")
	u.copyClip("talk.wav")
	o := u.run("transcribe", "talk.wav", "--model", "plain")
	require.Equal(t, exitDone, o.code, o.err)
	require.Equal(t, golden(t, "plain.jfk.greedy.txt"), o.out)
	require.Contains(t, o.err, "Transcribing talk.wav: complete", "plain lines without a terminal")
	require.Len(t, u.transcripts(), 1)

	in, err := os.Open(filepath.Join(u.dir, "talk.wav"))
	require.NoError(t, err)
	defer func() { _ = in.Close() }()
	stdin := u.runWithInput(in, "transcribe", "-", "--model", "plain")
	require.Equal(t, exitDone, stdin.code, stdin.err)
	require.Equal(t, o.out, stdin.out)

	for format, words := range map[string]string{
		"srt": "00:00:00,000 --> ", "vtt": "WEBVTT\n", "json": `"text": "` + jfkText, "md": "# talk\n", "txt": "And so",
	} {
		u.mustRun("transcribe", "talk.wav", "--model", "plain", "-o", "out."+format)
		data, err := os.ReadFile(filepath.Join(u.dir, "out."+format))
		require.NoError(t, err)
		require.Contains(t, string(data), words)
	}
	got := u.mustRunJSON("transcribe", "talk.wav", "--model", "plain", "--words", "--language", "en")
	require.Equal(t, jfkText, got["text"])
	require.Len(t, got["segments"].([]any)[0].(object)["words"], len(strings.Fields(jfkText)))
}

func TestTranscribeLikeTheReference(t *testing.T) {
	t.Parallel()
	u := newTranscriber(t, "tones", "long", "german", "english-only.en")
	u.writeWAV("tones.wav", toneWords(16000, tonesOf70...), 16000, 1)
	require.Equal(t, golden(t, "tones.tones70.greedy.txt"), u.mustRun("transcribe", "tones.wav", "--model", "tones"))
	u.copyClip("talk.wav")
	require.Equal(t, golden(t, "german.jfk.greedy.txt"), u.mustRun("transcribe", "talk.wav", "--model", "german"))
	require.Equal(t, golden(t, "english-only.en.jfk.greedy.txt"), u.mustRun("transcribe", "talk.wav", "--model", "english-only.en"))
	require.Equal(t, golden(t, "long.jfk.greedy.txt"), u.mustRun("transcribe", "talk.wav", "--model", "long"))
	for _, format := range []string{"srt", "vtt"} {
		args := []string{"transcribe", "talk.wav", "--format", format, "--segments"}
		require.Equal(t, golden(t, "english-only.en.jfk.greedy."+format), u.mustRun(append(args, "--model", "english-only.en")...))
		require.Equal(t, golden(t, "german.jfk.greedy."+format), u.mustRun(append(args, "--model", "german")...))
	}
	require.Equal(t, "de", u.mustRunJSON("transcribe", "talk.wav", "--model", "german")["language"])
}

func TestTranscribeFolders(t *testing.T) {
	t.Parallel()
	u := newTranscriber(t, "plain")
	for _, name := range []string{"in/b.wav", "in/a.wav", "in/deep/c.WAV", "in/.hidden/d.wav"} {
		u.copyClip(name)
	}
	require.NoError(t, os.WriteFile(filepath.Join(u.dir, "in", "notes.txt"), []byte("Not audio."), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(u.dir, "in", "bad.mp3"), []byte("This is no sound."), 0o600))
	o := u.run("transcribe", "in", "--model", "plain", "-o", "out", "--format", "srt")
	require.Equal(t, exitFailed, o.code, "one failed")
	require.Contains(t, o.err, "in/bad.mp3: ")
	require.Contains(t, o.err, "1 of 4 files failed: in/bad.mp3.")
	require.Empty(t, o.out)
	for _, name := range []string{"a.srt", "b.srt", "deep/c.srt"} {
		require.FileExists(t, filepath.Join(u.dir, "out", name))
	}
	o = u.run("transcribe", "in/b.wav", "in/a.wav", "--model", "plain")
	require.Equal(t, exitDone, o.code, o.err)
	require.Equal(t, "==> in/b.wav <==\n"+jfkText+"\n==> in/a.wav <==\n"+jfkText+"\n", o.out)
}

// TestTranscribeOddNames transcribes files whose names no header of a request could have, and writes each text under its name.
func TestTranscribeOddNames(t *testing.T) {
	t.Parallel()
	u := newTranscriber(t, "plain")
	long := strings.Repeat("ü", 125)
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, "in"), 0o755))
	u.writeWAV("in/silence.wav", make([]float32, 16000), 16000, 1)
	silence := u.read("in/silence.wav")
	stems := []string{
		"esc\x1b[2J", "line\nend", "return\rhere", "no utf-8 \xff\xfe", `a "quote"`, `back\slash`, "-o", "tab\there", "del\x7f", "c1\u009b",
		"trailing ", "semi;colon=", "%41", "\u202eright", long, "silence",
	}
	for _, stem := range stems {
		require.NoError(t, os.WriteFile(filepath.Join(u.dir, "in", stem+".wav"), silence, 0o600))
	}
	u.copyClip("in/esc\x1b[2J.wav") // the others need no model, which makes them quick
	o := u.run("transcribe", "in", "--model", "plain", "-o", "out", "--format", "json")
	require.Equal(t, exitDone, o.code, o.err)
	require.Contains(t, string(u.read("out/esc\x1b[2J.json")), jfkText)
	for _, stem := range stems {
		if stem != long { // cut, as names have 255 bytes at most
			require.FileExists(t, filepath.Join(u.dir, "out", stem+".json"))
		}
	}
	written, err := os.ReadDir(filepath.Join(u.dir, "out"))
	require.NoError(t, err)
	require.Len(t, written, len(stems))
	s := u.serve()
	_, list := s.request("GET", "/transcriptions?limit=50", "")
	for _, title := range []string{"esc\ufffd[2J", `a \"quote\"`, "back-slash", `"-o"`, "no utf-8 \ufffd"} {
		require.Contains(t, list, title)
	}
}

func TestInterruptedTranscribeLeavesNothing(t *testing.T) {
	u := newTranscriber(t, "plain")
	u.longTalk(t, "long.wav")
	r := u.start("transcribe", "long.wav", "--model", "plain", "-o", "out.txt")
	require.Eventually(t, r.printed("transcribing"), testTimeout, time.Millisecond)
	require.Equal(t, exitInterrupted, r.signal(syscall.SIGINT))
	require.Contains(t, r.err.String(), "Stopped.")
	require.Empty(t, u.transcripts())
	require.Equal(t, []string{"long.wav"}, u.outputFiles())
}

// longTalk writes ten minutes of speech.
func (u *user) longTalk(t *testing.T, name string) {
	t.Helper()
	long := make([]float32, 0, 16000*600)
	for clip := enginetest.Clip(t, "jfk.wav").Samples; len(long)+len(clip) < cap(long); {
		long = append(long, clip...)
	}
	u.writeWAV(name, long, 16000, 1)
}

// TestEndedServerKeepsAudio: the end of a server interrupts what it transcribes, and what waits. All can be transcribed again.
func TestEndedServerKeepsAudio(t *testing.T) {
	u := newTranscriber(t, "plain")
	u.longTalk(t, "long.wav")
	u.copyClip("talk.wav")
	s := u.serve()
	async := func(name string) string {
		status, got := s.uploadWith(t, name, u.read(name), "Prefer", "respond-async", "model_name=plain")
		require.Equal(t, http.StatusAccepted, status, got)
		return got["id"].(string)
	}
	running := async("long.wav")
	require.Eventually(t, func() bool {
		_, body := s.request(http.MethodGet, "/transcriptions/"+running, "")
		return strings.Contains(body, `"status":"transcribing"`)
	}, testTimeout, time.Millisecond)
	ids := []string{running, async("long.wav"), async("talk.wav")}
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM), s.err.String())
	s = u.serve()
	for _, id := range ids {
		_, body := s.request(http.MethodGet, "/transcriptions/"+id, "")
		var row object
		require.NoError(t, json.Unmarshal([]byte(body), &row))
		require.Equal(t, "failed", row["status"])
		require.Equal(t, "interrupted", row["error"].(object)["code"])
		require.FileExists(t, row["audio_path"].(string))
	}
	status, body := s.request(http.MethodPost, "/transcriptions/"+ids[2]+"/rerun", `{}`)
	require.Equal(t, http.StatusOK, status, body)
	require.Contains(t, body, jfkText)
	status, body = s.request(http.MethodPost, "/transcriptions/"+running+"/rerun", `{}`, "Prefer: respond-async")
	require.Equal(t, http.StatusAccepted, status, body)
	status, body = s.request(http.MethodPost, "/transcriptions/"+running+"/cancel", ``)
	require.Equal(t, http.StatusOK, status, body)
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM), s.err.String())
}

// TestEndedCommandKeepsAudio: a command that is asked to end leaves a transcript that can be transcribed again.
func TestEndedCommandKeepsAudio(t *testing.T) {
	u := newTranscriber(t, "plain")
	u.longTalk(t, "long.wav")
	r := u.start("transcribe", "long.wav", "--model", "plain", "-o", "out.txt")
	require.Eventually(t, r.printed("transcribing"), testTimeout, time.Millisecond)
	require.Equal(t, exitInterrupted, r.signal(syscall.SIGTERM))
	require.Equal(t, []string{"long.wav"}, u.outputFiles())
	require.Len(t, u.transcripts(), 1)
	s := u.serve()
	_, body := s.request(http.MethodGet, "/transcriptions", "")
	require.Contains(t, body, `"code":"interrupted"`)
}

// upload sends a file to be transcribed, and returns the status and the response.
func (s *server) upload(t *testing.T, name string, content []byte, fields ...string) (int, object) {
	t.Helper()
	return s.uploadWith(t, name, content, "Accept", "application/json", fields...)
}

// uploadWith is upload with a header.
func (s *server) uploadWith(t *testing.T, name string, content []byte, header, value string, fields ...string) (int, object) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, field := range fields {
		key, value, _ := strings.Cut(field, "=")
		require.NoError(t, form.WriteField(key, value))
	}
	part, err := form.CreateFormFile("file", name)
	require.NoError(t, err)
	_, err = part.Write(content)
	require.NoError(t, err)
	require.NoError(t, form.Close())
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/transcriptions", &body)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set(header, value)
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	var out object
	require.NoError(t, json.Unmarshal(raw, &out), string(raw))
	return resp.StatusCode, out
}

func TestTranscriptionsOverHTTP(t *testing.T) {
	t.Parallel()
	u := newTranscriber(t, "tones", "english-only.en")
	u.writeWAV("tones.wav", toneWords(16000, tonesOf70...), 16000, 1)
	s := u.serve()
	status, got := s.upload(t, "tones.wav", u.read("tones.wav"), "model_name=tones")
	require.Equal(t, http.StatusOK, status, got)
	require.Equal(t, strings.Join(strings.Fields(golden(t, "tones.tones70.greedy.txt")), " "), strings.Join(strings.Fields(got["text"].(string)), " "))
	require.InDelta(t, 70, got["duration"], 0.01)

	u.writeWAV("wide.wav", everyChannel(toneWords(16000, "mid", "high"), 8), 16000, 8)
	status, got = s.upload(t, "wide.wav", u.read("wide.wav"), "model_name=tones")
	require.Equal(t, http.StatusOK, status, got)
	require.Contains(t, got["text"], "First mid then high.", "8 channels")
	u.writeWAV("fast.wav", toneWords(192000, "mid", "low"), 192000, 1)
	status, got = s.upload(t, "fast.wav", u.read("fast.wav"), "model_name=tones")
	require.Equal(t, http.StatusOK, status, got)
	require.Contains(t, got["text"], "First mid then low.", "192 kHz")

	for name, samples := range map[string]int{"20 minutes of silence": 20 * 60 * 16000, "0.05 s": 800} {
		u.writeWAV("quiet.wav", make([]float32, samples), 16000, 1)
		status, got = s.upload(t, "quiet.wav", u.read("quiet.wav"), "model_name=tones")
		require.Equal(t, http.StatusOK, status, name)
		require.Empty(t, got["text"], name)
		require.Empty(t, got["segments"], name)
	}
}

// everyChannel returns samples with the same in each of n channels.
func everyChannel(samples []float32, n int) []float32 {
	out := make([]float32, 0, n*len(samples))
	for _, x := range samples {
		for range n {
			out = append(out, x)
		}
	}
	return out
}

func TestUploadsThatCannotBeTranscribed(t *testing.T) {
	t.Parallel()
	u := newTranscriber(t, "plain", "english-only.en")
	u.writeWAV("none.wav", nil, 16000, 1)
	u.copyClip("talk.wav")
	talk := u.read("talk.wav")
	s := u.serve()
	for name, c := range map[string]struct {
		file    string
		content []byte
		fields  []string
		status  int
		code    string
	}{
		"no samples":          {"none.wav", u.read("none.wav"), nil, http.StatusUnsupportedMediaType, "unsupported_media"},
		"text":                {"song.mp3", []byte("This is no sound.\n"), nil, http.StatusUnsupportedMediaType, "unsupported_media"},
		"empty":               {"song.mp3", nil, nil, http.StatusUnsupportedMediaType, "unsupported_media"},
		"video without sound": {"film.mp4", silentFilm(t), nil, http.StatusUnsupportedMediaType, "unsupported_media"},
		"another language":    {"talk.wav", talk, []string{"model_name=english-only.en", "language=fr"}, http.StatusConflict, "language_not_supported"},
		"no language":         {"talk.wav", talk, []string{"language=klingonish"}, http.StatusUnprocessableEntity, ""},
		"translation":         {"talk.wav", talk, []string{"model_name=english-only.en", "translate=true"}, http.StatusUnprocessableEntity, ""},
	} {
		t.Run(name, func(t *testing.T) {
			fields := c.fields
			if !strings.Contains(strings.Join(fields, " "), "model_name") {
				fields = append(fields, "model_name=plain")
			}
			status, got := s.upload(t, c.file, c.content, fields...)
			require.Equal(t, c.status, status, got)
			if c.code != "" {
				require.Equal(t, c.code, got["code"])
				require.NotEmpty(t, got["remedy"])
			}
		})
	}
	mp3, err := os.ReadFile(filepath.Join(enginetest.Root(t), "backend/audio/testdata/compressed/vbr-id3-44k-stereo.mp3"))
	require.NoError(t, err)
	status, got := s.upload(t, "cut.mp3", mp3[:len(mp3)*2/3], "model_name=plain", "vad=false")
	require.Equal(t, http.StatusOK, status, "what is there is transcribed: %v", got)
	require.Empty(t, filesIn(t, filepath.Join(u.data, "transcripts", "unfinished")))
	require.Empty(t, filesIn(t, filepath.Join(u.data, "audio", "unfinished")))
}

func filesIn(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	return entries
}

// silentFilm returns a video without an audio track.
func silentFilm(t *testing.T) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "film.mp4")
	cmd := exec.CommandContext(t.Context(), "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=c=red:s=64x64:d=1", "-an", out)
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, string(output))
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	return data
}
