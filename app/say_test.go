package app_test

import (
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

// sound reads a WAV file.
func (p *person) sound(name string) audio.Buffer {
	p.t.Helper()
	f, err := os.Open(filepath.Join(p.dir, name))
	require.NoError(p.t, err)
	defer func() { _ = f.Close() }()
	b, err := audio.ReadWAV(f)
	require.NoError(p.t, err)
	return b
}

func TestSay(t *testing.T) {
	p := newPerson(t)
	o := p.run("say", "Hello there.", "-o", "hello.wav")
	require.Equal(t, done, o.code, o.err)
	for _, part := range []string{"Text:  Hello there.", "Voice: Built-in voice", "Audio: ", "x real time", "File:  " + p.dir} {
		require.Contains(t, o.out, part)
	}
	require.Contains(t, o.err, "Generating: complete", "plain lines where there is no terminal")
	hello := p.sound("hello.wav")
	require.Equal(t, 22050, hello.Rate)

	p.does("say", "Hello there.")
	require.Equal(t, hello.Samples, p.sound("speech.wav").Samples, "the default file, and the same text")
	require.Equal(t, []string{"hello.wav", "speech.wav"}, p.outputs())

	stdin := p.runWith(strings.NewReader("\ufeffHello there.\n"), "say", "-", "-o", "stdin.wav")
	require.Equal(t, done, stdin.code, stdin.err)
	require.Equal(t, hello.Samples, p.sound("stdin.wav").Samples)
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "text.txt"), []byte("  Hello there.\r\n"), 0o600))
	p.does("say", "--file", "text.txt", "-o", "file.wav")
	require.Equal(t, hello.Samples, p.sound("file.wav").Samples)
}

func TestSayTellsWhatItSkipsAndShortens(t *testing.T) {
	p := newPerson(t)
	out := p.does("say", "Use nginx [pause 61s] [pause abc]", "-o", "a.wav")
	require.Contains(t, out, "\nSkipped: [pause abc]\n")
	require.Contains(t, out, "\nShortened to 60 s: [pause 61s]\n")
	out = p.does("say", "Hello.", "-o", "b.wav")
	require.NotContains(t, out, "Skipped")
	require.NotContains(t, out, "Shortened")
}

func TestSayJSON(t *testing.T) {
	p := newPerson(t)
	o := p.run("say", "Hello.", "-o", "a.wav", "--json", "--seed", "7", "--speed", "2", "--language", "de")
	require.Equal(t, done, o.code, o.err)
	require.Empty(t, o.err)
	g := parse(t, o.out)
	require.Equal(t, "complete", g["status"])
	require.EqualValues(t, 7, g["seed"])
	require.EqualValues(t, 2, g["speed"])
	require.Equal(t, "de", g["language"])
	require.Equal(t, filepath.Join(p.dir, "a.wav"), g["output"])
	require.FileExists(t, g["audio_path"].(string))
	require.NotNil(t, g["receipt"])
}

func TestSayFormats(t *testing.T) {
	p := newPerson(t)
	for name, magic := range map[string]string{"a.mp3": "", "a.FLAC": "fLaC", "a.opus": "OggS", "a.m4a": ""} {
		p.does("say", "Hello.", "-o", name)
		raw, err := os.ReadFile(filepath.Join(p.dir, name))
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(raw), magic), name)
		require.Greater(t, len(raw), 500, name)
	}
}

func TestSayVoices(t *testing.T) {
	p := newPerson(t)
	require.Equal(t, "en-gb-scotland", p.json("say", "Hello.", "--voice", "espeak:en-gb-scotland")["voice"])
	p.does("profiles", "create", "Erzähler", "--language", "de")
	require.Equal(t, "de", p.json("say", "Hallo.", "--profile", "ERZÄHLER")["language"])
	id := p.json("profiles", "show", "erzähler")["id"].(string)
	g := p.json("say", "Hallo.", "--profile", strings.ToUpper(id))
	require.Equal(t, "Erzähler", g["profile_name"])
	require.Equal(t, id, g["profile_id"])
}

func TestSayWrongUse(t *testing.T) {
	p := newPerson(t)
	for _, c := range []struct {
		name  string
		code  int
		words string
		args  []string
	}{
		{"no text", wrongUse, "say needs one TEXT", []string{"say"}},
		{"two texts", wrongUse, "say needs one TEXT", []string{"say", "Hello", "there"}},
		{"empty", wrongUse, "The text is empty", []string{"say", ""}},
		{"blank", wrongUse, "The text is empty", []string{"say", " \n"}},
		{"empty input", wrongUse, "The text is empty", []string{"say", "-"}},
		{"nothing to speak", wrongUse, "no letter or digit", []string{"say", "..."}},
		{"too long", wrongUse, "200000 characters", []string{"say", "--file", "long.txt"}},
		{"far too long", wrongUse, "split it", []string{"say", "--file", "huge.txt"}},
		{"not UTF-8", wrongUse, "not UTF-8", []string{"say", "--file", "latin1.txt"}},
		{"NUL", wrongUse, "unicode string", []string{"say", "--file", "nul.txt"}},
		{"text and file", wrongUse, "not both", []string{"say", "Hello", "--file", "nul.txt"}},
		{"no such file", notFound, "There is no file none.txt", []string{"say", "--file", "none.txt"}},
		{"unknown extension", wrongUse, `"a.xyz" must end in`, []string{"say", "Hello.", "-o", "a.xyz"}},
		{"no extension", wrongUse, `"a" must end in`, []string{"say", "Hello.", "-o", "a"}},
		{"no folder", wrongUse, "/none does not exist", []string{"say", "Hello.", "-o", "none/a.wav"}},
		{"unknown profile", notFound, `There is no profile "Nobody"`, []string{"say", "Hello.", "--profile", "Nobody"}},
		{"unknown id", notFound, "There is no profile", []string{"say", "Hello.", "--profile", "0190b7a6-7c4f-7e0a-9c3a-2f4b6d8e0a1c"}},
		{"unknown model", notFound, "There is no model", []string{"say", "Hello.", "--voice", "none:a"}},
		{"voice without model", wrongUse, "MODEL:VOICE", []string{"say", "Hello.", "--voice", "none"}},
		{"unknown voice", wrongUse, "no voice", []string{"say", "Hello.", "--voice", "espeak:none"}},
		{"slow", wrongUse, "Speed: ", []string{"say", "Hello.", "--speed", "0.1"}},
		{"speed", wrongUse, "--speed", []string{"say", "Hello.", "--speed", "fast"}},
		{"seed", wrongUse, "Seed: ", []string{"say", "Hello.", "--seed", "-1"}},
		{"unknown flag", wrongUse, "unknown flag: --loud", []string{"say", "Hello.", "--loud"}},
		{"unknown command", wrongUse, `Unknown command "sya"`, []string{"sya", "Hello."}},
		{"log level", wrongUse, "--log-level must be", []string{"say", "Hello.", "--log-level", "loud"}},
		{"no data folder", wrongUse, "--data needs", []string{"say", "Hello.", "--data", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := *p
			p.t = t
			write(t, filepath.Join(p.dir, "long.txt"), strings.Repeat("é", 200_001))
			write(t, filepath.Join(p.dir, "huge.txt"), strings.Repeat(" ", 5_000_000)+"a")
			write(t, filepath.Join(p.dir, "latin1.txt"), "Caf\xe9.")
			write(t, filepath.Join(p.dir, "nul.txt"), "a\x00b")
			o := p.runWith(strings.NewReader(""), c.args...)
			require.Equal(t, c.code, o.code, o.err)
			require.Empty(t, o.out)
			require.Contains(t, strings.ToLower(o.err), strings.ToLower(c.words))
			requireSentence(t, o.err, nil)
		})
	}
	require.Empty(t, p.history(), "nothing of this is recorded")
	require.Equal(t, []string{"huge.txt", "latin1.txt", "long.txt", "nul.txt"}, p.outputs())
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// TestInterruptSay stops in the middle of a long text: nothing half-written stays, and the history says so.
func TestInterruptSay(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		p := newPerson(t)
		write(t, filepath.Join(p.dir, "long.txt"), long(100))
		say := p.start("say", "--file", "long.txt", "-o", "a.wav")
		require.Eventually(t, func() bool { return strings.Contains(say.err.String(), "generating") && len(p.audio()) > 0 },
			patience, 5*time.Millisecond)
		require.Equal(t, interrupted, say.signal(s))
		require.Contains(t, say.err.String(), "Stopped.\n")
		require.Empty(t, say.out.String())
		require.Equal(t, []string{"long.txt"}, p.outputs())
		require.Empty(t, p.audio())
		rows := p.history()
		require.Len(t, rows, 1)
		require.Equal(t, "cancelled", rows[0]["status"])
	}
}

// TestSayImportedVoice speaks with a voice whose sound spells what it was fed.
func TestSayImportedVoice(t *testing.T) {
	p := newPerson(t)
	folder, err := filepath.Abs(filepath.Join("testdata", "en_US-tone-medium"))
	require.NoError(t, err)
	out := p.does("models", "import", folder)
	require.Contains(t, out, "Imported en_us-tone-medium (piper, voices: 1)")
	require.Contains(t, out, "voicewright say --voice en_us-tone-medium:")
	g := p.json("say", "Hello.", "--voice", "en_us-tone-medium:0", "-o", "a.wav")
	require.Equal(t, "piper", g["engine"])
	require.Equal(t, "Tone", g["profile_name"], "the voice's own preset profile")
	runs, err := enginetest.DecodeTones(p.sound("a.wav").Samples, 256)
	require.NoError(t, err)
	require.Len(t, runs, 1)
	ids := runs[0].IDs
	require.Greater(t, len(ids), 6)
	require.Equal(t, []int{1, 0}, ids[:2], "the mark of the start and a pad")
	require.Equal(t, 2, ids[len(ids)-1], "the mark of the end")

	p.does("say", "Hello.", "--voice", "en_us-tone-medium:", "-o", "b.wav")
	require.Equal(t, p.sound("a.wav"), p.sound("b.wav"), "the first voice, and the same seedless sound")
	require.Equal(t, true, p.model("en_us-tone-medium")["downloaded"])
	require.Regexp(t, `(?m)^en_us-tone-medium +piper .* installed`, p.does("models", "list"))

	p.fails(failed, []string{"already a model"}, "models", "import", folder)
	require.Equal(t, "other", p.json("models", "import", folder, "--name", "other", "--engine", "piper")["model_name"])
	p.fails(notFound, []string{"There is no file"}, "models", "import", "none")
	p.fails(wrongUse, []string{"Name: "}, "models", "import", folder, "--name", "Not A Name")
	p.fails(wrongUse, []string{"Engine: "}, "models", "import", folder, "--engine", "none")
	p.fails(failed, []string{"No known voice", "Piper"}, "models", "import", p.dir)
	p.fails(wrongUse, []string{"needs: PATH"}, "models", "import")

	// The voice stays when the runtime has gone, and says what is missing; the built-in voice does not need it.
	bare := p.with("VOICEWRIGHT_ORT=/nonexistent")
	bare.fails(needed, []string{"ONNX Runtime", "VOICEWRIGHT_ORT"}, "say", "Hello.", "--voice", "en_us-tone-medium:0")
	bare.fails(needed, []string{"ONNX Runtime"}, "models", "import", folder, "--name", "third")
	bare.does("say", "Hello.", "-o", "c.wav")
	require.Equal(t, "failed", p.history()[1]["status"])
	require.Nil(t, p.model("third"), "a voice that could not be opened is not registered")
}
