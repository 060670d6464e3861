package app_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const unknownID = "0190b7a6-7c4f-7e0a-9c3a-2f4b6d8e0a1c" // a valid id that nothing has

func TestVersionAndCompletion(t *testing.T) {
	u := newUser(t)
	require.Regexp(t, `^voicewright \S+\n$`, u.mustRun("version"))
	require.Equal(t, u.mustRun("version"), u.mustRun("--version"))
	require.NotEmpty(t, u.mustRunJSON("version")["version"])
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		require.Contains(t, u.mustRun("completion", shell), "voicewright")
	}
	u.mustFail(exitUsage, []string{"Unknown command"}, "completion", "nosuch")
	u.mustFail(exitUsage, []string{"takes no argument"}, "version", "now")
	require.Contains(t, u.mustRun(), "say", "without a command it prints the help")
	require.NoDirExists(t, u.data, "help and version create nothing")
}

func TestProfiles(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	first := u.mustRunJSON("profiles", "list")
	require.EqualValues(t, 1, first["total"])
	require.Equal(t, "Built-in voice", first["items"].([]any)[0].(object)["name"])
	made := u.mustRunJSON("profiles", "create", "Narrator", "--description", "reads", "--language", "en-GB")
	require.Equal(t, "Narrator", made["name"])
	require.Equal(t, "reads", made["description"])
	require.Equal(t, "en-GB", made["language"])
	table := u.mustRun("profiles", "list")
	require.True(t, strings.HasPrefix(table, "NAME "), table)
	require.Contains(t, table, made["id"])
	require.Contains(t, u.mustRun("profiles", "list", "--search", "narr"), "Narrator")
	require.NotContains(t, u.mustRun("profiles", "list", "--search", "narr"), "Built-in")
	require.Contains(t, u.mustRun("profiles", "show", "NARRATOR"), "About:    reads")
	require.Equal(t, made, u.mustRunJSON("profiles", "show", made["id"].(string)))

	require.Equal(t, "Teller", u.mustRunJSON("profiles", "rename", "narrator", "Teller")["name"])
	u.mustFail(exitNotFound, []string{`There is no profile "Narrator"`}, "profiles", "show", "Narrator")
	u.mustFail(exitFailed, []string{"already a voice profile"}, "profiles", "rename", "Teller", "built-in VOICE")
	u.mustFail(exitFailed, []string{"already a voice profile"}, "profiles", "create", "teller")
	u.mustFail(exitUsage, []string{"Name: "}, "profiles", "create", " ")
	u.mustFail(exitUsage, []string{"Language: "}, "profiles", "create", "x", "--language", "?")
	u.mustFail(exitUsage, []string{"--voice needs --model"}, "profiles", "create", "x", "--voice", "amy")
	u.mustFail(exitNotFound, []string{"no model"}, "profiles", "create", "x", "--model", "none")
	u.mustFail(exitUsage, []string{"profiles create needs a NAME."}, "profiles", "create")
	u.mustFail(exitUsage, []string{"profiles rename needs a NAME-or-ID and a NEW-NAME."}, "profiles", "rename", "Teller")
	u.mustFail(exitUsage, []string{"Unknown command"}, "profiles", "nosuch")
	group := u.run("profiles")
	require.Equal(t, exitUsage, group.code)
	require.Empty(t, group.out)
	require.Contains(t, group.err, "export")

	// A name of symbols only is found too, and so is one that looks like a path.
	for _, name := range []string{"!!!", "..", "50% / 2?x=1#y", strings.Repeat("é", 100)} {
		u.mustRun("profiles", "create", name)
		require.Equal(t, name, u.mustRunJSON("profiles", "show", name)["name"])
	}
	require.Equal(t, made["id"], u.mustRunJSON("profiles", "rm", "teller")["deleted"])
	u.mustFail(exitNotFound, []string{"There is no profile"}, "profiles", "rm", "teller")
	u.mustFail(exitNotFound, []string{"There is no profile"}, "profiles", "show", unknownID)
}

func TestExportAndImportProfiles(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("profiles", "create", "Narrator", "--description", "reads")
	require.Contains(t, u.mustRun("profiles", "export", "narrator"), "Wrote profile.zip")
	u.mustRun("profiles", "export", "narrator", "-o", "n.zip")
	other := newUser(t)
	back := other.mustRunJSON("profiles", "import", filepath.Join(u.dir, "n.zip"))
	require.Equal(t, "Narrator", back["name"])
	require.Equal(t, "reads", back["description"])
	require.Equal(t, "Narrator 2", other.mustRunJSON("profiles", "import", filepath.Join(u.dir, "profile.zip"))["name"])
	write(t, filepath.Join(other.dir, "bad.zip"), "no zip")
	other.mustFail(exitFailed, []string{"not an exported voice profile"}, "profiles", "import", "bad.zip")
	other.mustFail(exitNotFound, []string{"There is no file none.zip"}, "profiles", "import", "none.zip")
	other.mustFail(exitNotFound, []string{"There is no profile"}, "profiles", "export", "nobody")
	require.Equal(t, []string{"bad.zip"}, other.outputFiles())
}

func TestHistory(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.Empty(t, u.history())
	first := u.mustRunJSON("say", "Good morning, harbour.", "-o", "a.wav")["id"].(string)
	second := u.mustRunJSON("say", "Good night.", "-o", "b.mp3")["id"].(string)
	rows := u.history()
	require.Len(t, rows, 2)
	require.Equal(t, second, rows[0]["id"], "newest first")
	table := u.mustRun("history", "list", "--limit", "1")
	require.Contains(t, table, second)
	require.NotContains(t, table, first)
	_, cursor, ok := strings.Cut(strings.TrimSpace(table), "continue with --cursor ")
	require.True(t, ok, table)
	require.Contains(t, u.mustRun("history", "list", "--cursor", cursor), first)

	found := u.mustRunJSON("history", "search", "harb")["items"].([]any)
	require.Len(t, found, 1)
	require.Equal(t, first, found[0].(object)["id"])
	require.Contains(t, found[0].(object)["highlight"], "<mark>")
	require.Empty(t, u.mustRunJSON("history", "search", "nothing", "of", "this")["items"])
	require.Equal(t, "Good morning, harbour.", u.mustRunJSON("history", "show", first)["text"])
	for _, part := range []string{"Status:  complete", "Voice:   Built-in voice (espeak:", "Receipt: ", "Good night."} {
		require.Contains(t, u.mustRun("history", "show", second), part)
	}
	u.mustFail(exitUsage, []string{"history search needs WORDS."}, "history", "search")
	u.mustFail(exitUsage, []string{"Limit: "}, "history", "list", "--limit", "0")
	u.mustFail(exitUsage, []string{"Cursor: "}, "history", "list", "--cursor", "x")
	for _, args := range [][]string{{"show"}, {"play"}, {"export"}, {"rm"}} {
		u.mustFail(exitUsage, []string{"needs an ID."}, append([]string{"history"}, args...)...)
		for _, id := range []string{unknownID, "nope", "../x"} {
			u.mustFail(exitNotFound, []string{"There is no generation"}, append([]string{"history"}, append(args, id)...)...)
		}
	}

	require.Equal(t, first, u.mustRunJSON("history", "rm", first)["deleted"].([]any)[0])
	require.Len(t, u.audioFiles(), 1)
	u.mustFail(exitNotFound, []string{"There is no generation"}, "history", "rm", first)
	require.FileExists(t, filepath.Join(u.dir, "a.wav"), "the user's own file is not touched")
}

func TestExportHistory(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	first := u.mustRunJSON("say", "Good morning. Good night.", "-o", "a.wav")["id"].(string)
	second := u.mustRunJSON("say", "Good night.", "-o", "b.mp3")["id"].(string)
	starts := func(name, magic string) {
		raw, err := os.ReadFile(filepath.Join(u.dir, name))
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(raw), magic), name)
	}
	require.Contains(t, u.mustRun("history", "export", first), "Wrote speech.wav")
	starts("speech.wav", "RIFF")
	require.Contains(t, u.mustRun("history", "export", second), "Wrote speech.mp3", "as it was made")
	u.mustRun("history", "export", first, "-o", "c.flac")
	starts("c.flac", "fLaC")
	require.Equal(t, "d.srt", u.mustRunJSON("history", "export", first, "-o", "d.srt")["output"])
	starts("d.srt", "1\n00:00:00,000 --> ")
	u.mustRun("history", "export", first, "--format", "vtt")
	starts("speech.vtt", "WEBVTT")
	u.mustRun("history", "export", first, second)
	z, err := zip.OpenReader(filepath.Join(u.dir, "voicewright.zip"))
	require.NoError(t, err)
	require.Len(t, z.File, 2)
	require.NoError(t, z.Close())
	before := u.outputFiles()
	u.mustFail(exitUsage, []string{"Format: "}, "history", "export", first, "-o", "e.txt")
	u.mustFail(exitNotFound, []string{"There is no generation"}, "history", "export", first, unknownID)
	require.NoError(t, os.Remove(u.mustRunJSON("history", "show", second)["audio_path"].(string)))
	u.mustFail(exitNotFound, []string{"missing", "Regenerate"}, "history", "export", second)
	u.mustFail(exitNotFound, []string{"missing", "Regenerate"}, "history", "play", second)
	require.Equal(t, before, u.outputFiles())
}
