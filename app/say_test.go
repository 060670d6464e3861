package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// readWAV returns the audio of a WAV file.
func (u *user) readWAV(name string) audio.Buffer {
	u.t.Helper()
	f, err := os.Open(filepath.Join(u.dir, name))
	require.NoError(u.t, err)
	defer func() { _ = f.Close() }()
	b, err := audio.ReadWAV(f)
	require.NoError(u.t, err)
	return b
}

func (u *user) read(name string) []byte {
	u.t.Helper()
	data, err := os.ReadFile(filepath.Join(u.dir, name))
	require.NoError(u.t, err)
	return data
}

func TestSay(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	o := u.run("say", "Hello there.", "-o", "hello.wav")
	require.Equal(t, exitDone, o.code, o.err)
	for _, part := range []string{"Text:  Hello there.", "Voice: Built-in voice", "Audio: ", "x real time", "File:  " + u.dir} {
		require.Contains(t, o.out, part)
	}
	require.Contains(t, o.err, "Generating: complete", "plain lines without a terminal")
	hello := u.readWAV("hello.wav")
	require.Equal(t, 22050, hello.Rate)

	u.mustRun("say", "Hello there.")
	require.Equal(t, hello.Samples, u.readWAV("speech.wav").Samples, "the default file, and the same text")
	require.Equal(t, []string{"hello.wav", "speech.wav"}, u.outputFiles())

	stdin := u.runWithInput(strings.NewReader("\ufeffHello there.\n"), "say", "-", "-o", "stdin.wav")
	require.Equal(t, exitDone, stdin.code, stdin.err)
	require.Equal(t, hello.Samples, u.readWAV("stdin.wav").Samples)
	require.NoError(t, os.WriteFile(filepath.Join(u.dir, "text.txt"), []byte("  Hello there.\r\n"), 0o600))
	u.mustRun("say", "--file", "text.txt", "-o", "file.wav")
	require.Equal(t, hello.Samples, u.readWAV("file.wav").Samples)
}

// A file becomes text as it does in the page; what is not read aloud is named on standard error.
func TestSayFiles(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	book, err := os.ReadFile(filepath.Join("..", "backend", "extract", "testdata", "missing-spine-file.epub"))
	require.NoError(t, err)
	for _, c := range []struct {
		name, content, want, note string
		args                      []string
	}{
		{"latin1.txt", "Caf\xe9.", "Café.", "read as windows-1252", nil},
		{"koi.txt", "\xf0\xd2\xc9\xd7\xc5\xd4", "Привет", "", []string{"--encoding", "koi8-r"}},
		{"a.srt", "1\n00:00:01,000 --> 00:00:02,000\nHello\nthere.\n", "Hello there.", "", nil},
		{"a.md", "# Hello\n\n*there*", "Hello\n\nthere", "", nil},
		{"a.html", "<script>x</script><p>Hello<p>there", "Hello\n\nthere", "", nil},
		{"book.epub", string(book), "One\n\nAlpha text here.\n\nTwo\n\nBeta text here.", "“OEBPS/c.xhtml” is missing", nil},
		{"NOTES", "Hello there.", "Hello there.", "", nil},
	} {
		write(t, filepath.Join(u.dir, c.name), c.content)
		o := u.run(append([]string{"say", "--json", "--file", c.name, "-o", "a.wav"}, c.args...)...)
		require.Equal(t, exitDone, o.code, "%s: %s", c.name, o.err)
		require.Equal(t, c.want, u.history()[0]["text"], c.name)
		if c.note == "" {
			require.NotContains(t, o.err, "Note:", c.name)
		} else {
			require.Contains(t, o.err, c.note)
		}
	}
	o := u.runWithInput(strings.NewReader("\xcf\xf0\xe8\xe2\xe5\xf2"), "say", "-", "-o", "a.wav")
	require.Equal(t, exitDone, o.code, o.err)
	require.Equal(t, "Привет", u.history()[0]["text"])
	require.Contains(t, o.err, "read as windows-1251")
	id := u.history()[0]["id"].(string)
	require.Contains(t, u.mustRun("history", "revise", id, "-f", "a.srt", "--dry-run"), "Passages: 1 generated")

	help := u.mustRun("say", "--help")
	for _, part := range []string{".epub", ".docx", ".pdf", ".html", "200000 characters", "--batch", "--encoding"} {
		require.Contains(t, help, part)
	}
}

func TestSayReportsOmittedParts(t *testing.T) {
	u := newUser(t)
	out := u.mustRun("say", "Use nginx [pause 61s] [pause abc]", "-o", "a.wav")
	require.Contains(t, out, "\nSkipped: [pause abc]\n")
	require.Contains(t, out, "\nShortened to 60 s: [pause 61s]\n")
	out = u.mustRun("say", "Hello.", "-o", "b.wav")
	require.NotContains(t, out, "Skipped")
	require.NotContains(t, out, "Shortened")
}

func TestSayJSON(t *testing.T) {
	u := newUser(t)
	o := u.run("say", "Hello.", "-o", "a.wav", "--json", "--seed", "7", "--speed", "2", "--language", "de")
	require.Equal(t, exitDone, o.code, o.err)
	require.Empty(t, o.err)
	g := parseJSON(t, o.out)
	require.Equal(t, "complete", g["status"])
	require.EqualValues(t, 7, g["seed"])
	require.EqualValues(t, 2, g["speed"])
	require.Equal(t, "de", g["language"])
	require.Equal(t, filepath.Join(u.dir, "a.wav"), g["output"])
	require.FileExists(t, g["audio_path"].(string))
	require.NotNil(t, g["receipt"])
}

func TestSayFormats(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for name, magic := range map[string]string{"a.mp3": "", "a.FLAC": "fLaC", "a.opus": "OggS", "a.m4a": ""} {
		u.mustRun("say", "Hello.", "-o", name)
		raw, err := os.ReadFile(filepath.Join(u.dir, name))
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(raw), magic), name)
		require.Greater(t, len(raw), 500, name)
	}
}

func TestSayVoices(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.Equal(t, "en-gb-scotland", u.mustRunJSON("say", "Hello.", "--voice", "espeak:en-gb-scotland")["voice"])
	u.mustRun("profiles", "create", "Erzähler", "--language", "de")
	require.Equal(t, "de", u.mustRunJSON("say", "Hallo.", "--profile", "ERZÄHLER")["language"])
	id := u.mustRunJSON("profiles", "show", "erzähler")["id"].(string)
	g := u.mustRunJSON("say", "Hallo.", "--profile", strings.ToUpper(id))
	require.Equal(t, "Erzähler", g["profile_name"])
	require.Equal(t, id, g["profile_id"])
}

func TestSayWrongUse(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for _, c := range []struct {
		name  string
		code  int
		words string
		args  []string
	}{
		{"no text", exitUsage, "say needs one TEXT", []string{"say"}},
		{"two texts", exitUsage, "say needs one TEXT", []string{"say", "Hello", "there"}},
		{"empty", exitUsage, "The text is empty", []string{"say", ""}},
		{"blank", exitUsage, "The text is empty", []string{"say", " \n"}},
		{"empty input", exitUsage, "The text is empty", []string{"say", "-"}},
		{"nothing to speak", exitUsage, "no letter or digit", []string{"say", "..."}},
		{"too long", exitUsage, "200000 characters", []string{"say", "--file", "long.txt"}},
		{"far too long", exitUsage, "split it", []string{"say", "--file", "huge.txt"}},
		{"NUL", exitUsage, "no text", []string{"say", "--file", "nul.txt"}},
		{"another kind", exitUsage, ".docx", []string{"say", "--file", "a.xyz"}},
		{"no book", exitUsage, "EPUB", []string{"say", "--file", "text.epub"}},
		{"encoding", exitUsage, "windows-1251", []string{"say", "--file", "a.xyz.txt", "--encoding", "klingon"}},
		{"encoding of the argument", exitUsage, "--encoding needs", []string{"say", "Hello", "--encoding", "latin1"}},
		{"folder", exitUsage, "is a folder", []string{"say", "--file", "."}},
		{"text and file", exitUsage, "not both", []string{"say", "Hello", "--file", "nul.txt"}},
		{"no such file", exitNotFound, "There is no file none.txt", []string{"say", "--file", "none.txt"}},
		{"unknown extension", exitUsage, `"a.xyz" must end in`, []string{"say", "Hello.", "-o", "a.xyz"}},
		{"no extension", exitUsage, `"a" must end in`, []string{"say", "Hello.", "-o", "a"}},
		{"no folder", exitUsage, "/none does not exist", []string{"say", "Hello.", "-o", "none/a.wav"}},
		{"unknown profile", exitNotFound, `There is no profile "Nobody"`, []string{"say", "Hello.", "--profile", "Nobody"}},
		{"unknown id", exitNotFound, "There is no profile", []string{"say", "Hello.", "--profile", "0190b7a6-7c4f-7e0a-9c3a-2f4b6d8e0a1c"}},
		{"unknown model", exitNotFound, "There is no model", []string{"say", "Hello.", "--voice", "none:a"}},
		{"voice without model", exitUsage, "MODEL:VOICE", []string{"say", "Hello.", "--voice", "none"}},
		{"unknown voice", exitUsage, "no voice", []string{"say", "Hello.", "--voice", "espeak:none"}},
		{"slow", exitUsage, "Speed: ", []string{"say", "Hello.", "--speed", "0.1"}},
		{"speed", exitUsage, "--speed", []string{"say", "Hello.", "--speed", "fast"}},
		{"seed", exitUsage, "Seed: ", []string{"say", "Hello.", "--seed", "-1"}},
		{"unknown flag", exitUsage, "unknown flag: --loud", []string{"say", "Hello.", "--loud"}},
		{"unknown command", exitUsage, `Unknown command "sya"`, []string{"sya", "Hello."}},
		{"log level", exitUsage, "--log-level must be", []string{"say", "Hello.", "--log-level", "loud"}},
		{"no data folder", exitUsage, "--data needs", []string{"say", "Hello.", "--data", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := *u
			u.t = t
			write(t, filepath.Join(u.dir, "long.txt"), strings.Repeat("é", 200_001))
			write(t, filepath.Join(u.dir, "huge.txt"), strings.Repeat("a ", 2_500_000))
			write(t, filepath.Join(u.dir, "nul.txt"), "a\x00b")
			write(t, filepath.Join(u.dir, "a.xyz"), "Hello")
			write(t, filepath.Join(u.dir, "a.xyz.txt"), "Hello")
			write(t, filepath.Join(u.dir, "text.epub"), "Hello")
			o := u.runWithInput(strings.NewReader(""), c.args...)
			require.Equal(t, c.code, o.code, o.err)
			require.Empty(t, o.out)
			require.Contains(t, strings.ToLower(o.err), strings.ToLower(c.words))
			requireErrorLine(t, o.err, nil)
		})
	}
	require.Empty(t, u.history(), "no wrong use is in the history")
	require.Equal(t, []string{"a.xyz", "a.xyz.txt", "huge.txt", "long.txt", "nul.txt", "text.epub"}, u.outputFiles())
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// TestInterruptSay interrupts a long text: the finished part is saved, and the command that it names makes the rest.
func TestInterruptSay(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		u := newUser(t)
		write(t, filepath.Join(u.dir, "long.txt"), longText(8))
		say := u.start("say", "--file", "long.txt", "-o", "a.wav")
		journal := filepath.Join(u.data, "audio", "partial", "*.journal")
		require.Eventually(t, func() bool {
			files, _ := filepath.Glob(journal)
			if len(files) != 1 {
				return false
			}
			info, err := os.Stat(files[0])
			return err == nil && info.Size() > 3<<20 // several sentences
		}, testTimeout, 5*time.Millisecond)
		require.Equal(t, exitInterrupted, say.signal(s))
		require.Empty(t, say.out.String())
		require.Equal(t, []string{"long.txt"}, u.outputFiles())
		rows := u.history()
		require.Len(t, rows, 1)
		require.Equal(t, "cancelled", rows[0]["status"])
		partial, id := rows[0]["partial"].(object), rows[0]["id"].(string)
		part := fmt.Sprintf("%v of %v", partial["chunks"], partial["total"])
		require.Contains(t, say.err.String(), "Stopped at "+part+" passages. Finished passages are saved. Continue with: voicewright history retry "+id+` -o "a.wav"`)
		require.Contains(t, u.mustRun("history", "list"), "cancelled, "+part)
		require.Contains(t, u.mustRun("history", "show", id), part+" passages. Continue with: voicewright history retry "+id)
		u.mustRun("history", "retry", id, "-o", "a.wav")
		require.Positive(t, u.readWAV("a.wav").Frames())
		require.Equal(t, []string{u.history()[0]["audio_path"].(string)}, u.audioFiles())
		u.mustFail(exitFailed, []string{"Only a failed or cancelled generation"}, "history", "retry", id)
	}
}

// TestSayImportedVoice speaks with a voice whose audio encodes its input.
func TestSayImportedVoice(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	folder, err := filepath.Abs(filepath.Join("testdata", "en_US-tone-medium"))
	require.NoError(t, err)
	out := u.mustRun("models", "import", folder)
	require.Contains(t, out, "Imported en_us-tone-medium (piper, voices: 1)")
	require.Contains(t, out, "voicewright say --voice en_us-tone-medium:")
	g := u.mustRunJSON("say", "Hello.", "--voice", "en_us-tone-medium:0", "-o", "a.wav")
	require.Equal(t, "piper", g["engine"])
	require.Equal(t, "Tone", g["profile_name"], "the preset profile of the voice")
	runs, err := enginetest.DecodeTones(u.readWAV("a.wav").Samples, 256)
	require.NoError(t, err)
	require.Len(t, runs, 1)
	ids := runs[0].IDs
	require.Greater(t, len(ids), 6)
	require.Equal(t, []int{1, 0}, ids[:2], "the start symbol and a pad")
	require.Equal(t, 2, ids[len(ids)-1], "the end symbol")

	u.mustRun("say", "Hello.", "--voice", "en_us-tone-medium:", "-o", "b.wav")
	require.Equal(t, u.readWAV("a.wav"), u.readWAV("b.wav"), "the first voice, and the same seedless sound")
	require.Equal(t, true, u.model("en_us-tone-medium")["downloaded"])
	require.Regexp(t, `(?m)^en_us-tone-medium +piper .* installed`, u.mustRun("models", "list"))

	u.mustFail(exitFailed, []string{"already a model"}, "models", "import", folder)
	require.Equal(t, "other", u.mustRunJSON("models", "import", folder, "--name", "other", "--engine", "piper")["model_name"])
	u.mustFail(exitNotFound, []string{"There is no file or folder "}, "models", "import", "none")
	u.mustFail(exitUsage, []string{"Name: "}, "models", "import", folder, "--name", "Not A Name")
	u.mustFail(exitUsage, []string{"Engine: "}, "models", "import", folder, "--engine", "none")
	u.mustFail(exitFailed, []string{"No known model", "Piper"}, "models", "import", u.dir)
	u.mustFail(exitUsage, []string{"models import needs a PATH."}, "models", "import")

	// Without the runtime the voice stays, with an error that names what is missing. The built-in voice does not need it.
	bare := u.withEnv("VOICEWRIGHT_ORT=/nonexistent")
	bare.mustFail(exitNeeded, []string{"ONNX Runtime", "VOICEWRIGHT_ORT"}, "say", "Hello.", "--voice", "en_us-tone-medium:0")
	bare.mustFail(exitNeeded, []string{"ONNX Runtime"}, "models", "import", folder, "--name", "third")
	bare.mustRun("say", "Hello.", "-o", "c.wav")
	require.Equal(t, "failed", u.history()[1]["status"])
	require.Nil(t, u.model("third"), "a voice that could not be opened is not registered")
}

// TestReviseByCommand changes a text, takes it back, and says what it would do.
func TestReviseByCommand(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("say", "The first sentence. The second one.", "-o", "a.wav")
	before := u.history()[0]
	id := before["id"].(string)
	write(t, filepath.Join(u.dir, "new.txt"), "The first sentence. Another one.\n")
	require.Contains(t, u.mustRun("history", "revise", id, "--file", "new.txt", "--dry-run"), "Passages: 1 generated, 1 kept, 1 removed")
	require.Equal(t, before["text"], u.history()[0]["text"])
	after := u.mustRunJSON("history", "revise", id, "-f", "new.txt")
	require.Equal(t, "The first sentence. Another one.", after["text"])
	require.Equal(t, []any{1.0, 1.0, 1.0, nil}, []any{after["generated"], after["reused"], after["removed"], after["quote"]})
	require.FileExists(t, after["audio_path"].(string))
	require.Contains(t, u.mustRun("history", "revise", id, "--undo"), before["audio_path"].(string))
	require.Equal(t, before["text"], u.history()[0]["text"])
	u.mustFail(exitFailed, []string{"no earlier version"}, "history", "revise", id, "--undo")
	u.mustFail(exitUsage, []string{"--undo without"}, "history", "revise", id, "--undo", "--dry-run")
	u.mustFail(exitUsage, []string{"needs one TEXT"}, "history", "revise", id)
}
