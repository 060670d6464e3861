package app_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const nobody = "0190b7a6-7c4f-7e0a-9c3a-2f4b6d8e0a1c" // a well-formed id that nothing has

func TestVersionAndCompletion(t *testing.T) {
	p := newPerson(t)
	require.Regexp(t, `^voicewright \S+\n$`, p.does("version"))
	require.Equal(t, p.does("version"), p.does("--version"))
	require.NotEmpty(t, p.json("version")["version"])
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		require.Contains(t, p.does("completion", shell), "voicewright")
	}
	p.fails(wrongUse, []string{"Unknown command"}, "completion", "nosuch")
	p.fails(wrongUse, []string{"takes no argument"}, "version", "now")
	require.Contains(t, p.does(), "say", "without a command it prints them")
	require.NoDirExists(t, p.data, "looking around makes nothing")
}

func TestProfiles(t *testing.T) {
	p := newPerson(t)
	first := p.json("profiles", "list")
	require.EqualValues(t, 1, first["total"])
	require.Equal(t, "Built-in voice", first["items"].([]any)[0].(object)["name"])
	made := p.json("profiles", "create", "Narrator", "--description", "reads", "--language", "en-GB")
	require.Equal(t, "Narrator", made["name"])
	require.Equal(t, "reads", made["description"])
	require.Equal(t, "en-GB", made["language"])
	table := p.does("profiles", "list")
	require.True(t, strings.HasPrefix(table, "NAME "), table)
	require.Contains(t, table, made["id"])
	require.Contains(t, p.does("profiles", "list", "--search", "narr"), "Narrator")
	require.NotContains(t, p.does("profiles", "list", "--search", "narr"), "Built-in")
	require.Contains(t, p.does("profiles", "show", "NARRATOR"), "About:    reads")
	require.Equal(t, made, p.json("profiles", "show", made["id"].(string)))

	require.Equal(t, "Teller", p.json("profiles", "rename", "narrator", "Teller")["name"])
	p.fails(notFound, []string{`There is no profile "Narrator"`}, "profiles", "show", "Narrator")
	p.fails(failed, []string{"already a voice profile"}, "profiles", "rename", "Teller", "built-in VOICE")
	p.fails(failed, []string{"already a voice profile"}, "profiles", "create", "teller")
	p.fails(wrongUse, []string{"Name: "}, "profiles", "create", " ")
	p.fails(wrongUse, []string{"Language: "}, "profiles", "create", "x", "--language", "?")
	p.fails(notFound, []string{"no model"}, "profiles", "create", "x", "--model", "none")
	p.fails(wrongUse, []string{"needs: NAME"}, "profiles", "create")
	p.fails(wrongUse, []string{"needs: NAME-or-ID NEW-NAME"}, "profiles", "rename", "Teller")
	p.fails(wrongUse, []string{"Unknown command"}, "profiles", "nosuch")
	group := p.run("profiles")
	require.Equal(t, wrongUse, group.code)
	require.Empty(t, group.out)
	require.Contains(t, group.err, "export")

	// A name of signs alone is found too, and so is one that looks like a path.
	for _, name := range []string{"!!!", "..", "50% / 2?x=1#y", strings.Repeat("é", 100)} {
		p.does("profiles", "create", name)
		require.Equal(t, name, p.json("profiles", "show", name)["name"])
	}
	require.Equal(t, made["id"], p.json("profiles", "rm", "teller")["deleted"])
	p.fails(notFound, []string{"There is no profile"}, "profiles", "rm", "teller")
	p.fails(notFound, []string{"There is no profile"}, "profiles", "show", nobody)
}

func TestExportAndImportProfiles(t *testing.T) {
	p := newPerson(t)
	p.does("profiles", "create", "Narrator", "--description", "reads")
	require.Contains(t, p.does("profiles", "export", "narrator"), "Wrote profile.zip")
	p.does("profiles", "export", "narrator", "-o", "n.zip")
	other := newPerson(t)
	back := other.json("profiles", "import", filepath.Join(p.dir, "n.zip"))
	require.Equal(t, "Narrator", back["name"])
	require.Equal(t, "reads", back["description"])
	require.Equal(t, "Narrator 2", other.json("profiles", "import", filepath.Join(p.dir, "profile.zip"))["name"])
	write(t, filepath.Join(other.dir, "bad.zip"), "no zip")
	other.fails(failed, []string{"not an exported voice profile"}, "profiles", "import", "bad.zip")
	other.fails(notFound, []string{"There is no file none.zip"}, "profiles", "import", "none.zip")
	other.fails(notFound, []string{"There is no profile"}, "profiles", "export", "nobody")
	require.Equal(t, []string{"bad.zip"}, other.outputs())
}

func TestHistory(t *testing.T) {
	p := newPerson(t)
	require.Empty(t, p.history())
	first := p.json("say", "Good morning, harbour.", "-o", "a.wav")["id"].(string)
	second := p.json("say", "Good night.", "-o", "b.mp3")["id"].(string)
	rows := p.history()
	require.Len(t, rows, 2)
	require.Equal(t, second, rows[0]["id"], "newest first")
	table := p.does("history", "list", "--limit", "1")
	require.Contains(t, table, second)
	require.NotContains(t, table, first)
	_, cursor, ok := strings.Cut(strings.TrimSpace(table), "continue with --cursor ")
	require.True(t, ok, table)
	require.Contains(t, p.does("history", "list", "--cursor", cursor), first)

	found := p.json("history", "search", "harb")["items"].([]any)
	require.Len(t, found, 1)
	require.Equal(t, first, found[0].(object)["id"])
	require.Contains(t, found[0].(object)["highlight"], "<mark>")
	require.Empty(t, p.json("history", "search", "nothing", "of", "this")["items"])
	require.Equal(t, "Good morning, harbour.", p.json("history", "show", first)["text"])
	for _, part := range []string{"Status:  complete", "Voice:   Built-in voice (espeak:", "Receipt: ", "Good night."} {
		require.Contains(t, p.does("history", "show", second), part)
	}
	p.fails(wrongUse, []string{"needs: WORDS"}, "history", "search")
	p.fails(wrongUse, []string{"Limit: "}, "history", "list", "--limit", "0")
	p.fails(wrongUse, []string{"Cursor: "}, "history", "list", "--cursor", "x")
	for _, args := range [][]string{{"show"}, {"play"}, {"export"}, {"rm"}} {
		p.fails(wrongUse, []string{"needs: ID"}, append([]string{"history"}, args...)...)
		for _, id := range []string{nobody, "nope", "../x"} {
			p.fails(notFound, []string{"There is no generation"}, append([]string{"history"}, append(args, id)...)...)
		}
	}

	require.Equal(t, first, p.json("history", "rm", first)["deleted"].([]any)[0])
	require.Len(t, p.audio(), 1)
	p.fails(notFound, []string{"There is no generation"}, "history", "rm", first)
	require.FileExists(t, filepath.Join(p.dir, "a.wav"), "the user's own file is not touched")
}

func TestExportHistory(t *testing.T) {
	p := newPerson(t)
	first := p.json("say", "Good morning. Good night.", "-o", "a.wav")["id"].(string)
	second := p.json("say", "Good night.", "-o", "b.mp3")["id"].(string)
	starts := func(name, magic string) {
		raw, err := os.ReadFile(filepath.Join(p.dir, name))
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(raw), magic), name)
	}
	require.Contains(t, p.does("history", "export", first), "Wrote speech.wav")
	starts("speech.wav", "RIFF")
	require.Contains(t, p.does("history", "export", second), "Wrote speech.mp3", "as it was made")
	p.does("history", "export", first, "-o", "c.flac")
	starts("c.flac", "fLaC")
	require.Equal(t, "d.srt", p.json("history", "export", first, "-o", "d.srt")["output"])
	starts("d.srt", "1\n00:00:00,000 --> ")
	p.does("history", "export", first, "--format", "vtt")
	starts("speech.vtt", "WEBVTT")
	p.does("history", "export", first, second)
	z, err := zip.OpenReader(filepath.Join(p.dir, "voicewright.zip"))
	require.NoError(t, err)
	require.Len(t, z.File, 2)
	require.NoError(t, z.Close())
	before := p.outputs()
	p.fails(wrongUse, []string{"Format: "}, "history", "export", first, "-o", "e.txt")
	p.fails(notFound, []string{"There is no generation"}, "history", "export", first, nobody)
	require.NoError(t, os.Remove(p.json("history", "show", second)["audio_path"].(string)))
	p.fails(notFound, []string{"gone", "Make it again"}, "history", "export", second)
	p.fails(notFound, []string{"missing", "enerate"}, "history", "play", second)
	require.Equal(t, before, p.outputs())
}
