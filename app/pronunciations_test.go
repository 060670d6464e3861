package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPronunciations(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.Empty(t, u.mustRunJSON("words", "list")["items"])
	made := u.mustRunJSON("words", "add", " nginx ", "engine x")
	require.Equal(t, "nginx", made["word"])
	require.Equal(t, "engine x", made["respelling"])
	require.Equal(t, "", made["language"])
	require.Equal(t, "Nginx will be read as “/ɛndʒɪnˈɛks/”\n", u.mustRun("words", "add", "Nginx", "/ɛndʒɪnˈɛks/", "--language", "en-GB"))
	require.Contains(t, u.run("words", "add", "Nginx", "/ɛndʒɪnˈɛks/", "--language", "en-GB", "--replace").err, "Supertonic voices do not support phonemes")
	require.Empty(t, u.run("words", "add", "don't", "do not").err)
	u.mustRun("words", "add", "New  York", "noo york", "--language", "en")
	table := u.mustRun("words", "list")
	require.True(t, strings.HasPrefix(table, "WORD "), table)
	for _, part := range []string{made["id"].(string), "en-GB", "/ɛndʒɪnˈɛks/", "New York"} {
		require.Contains(t, table, part)
	}
	require.NotContains(t, u.mustRun("words", "list", "--search", "engine"), "York")
	require.EqualValues(t, 2, u.mustRunJSON("words", "list", "--language", "en")["total"])

	u.mustFail(exitFailed, []string{"already", "--replace"}, "words", "add", "NGINX", "x")
	require.Equal(t, "engine x", u.mustRunJSON("words", "list", "--search", "engine")["items"].([]any)[0].(object)["respelling"])
	require.Equal(t, "NGINX will be read as “engine ex”\n", u.mustRun("words", "add", "NGINX", "engine ex", "--replace"))
	require.Equal(t, made["id"], u.mustRunJSON("words", "add", "nginx", "engine x", "--replace")["id"], "the entry for all languages")
	require.Equal(t, "/ɛndʒɪnˈɛks/", u.mustRunJSON("words", "list", "--language", "en-GB")["items"].([]any)[0].(object)["respelling"])
	u.mustRun("words", "add", "brandnew", "x", "--replace")
	u.mustRun("words", "rm", "brandnew")
	u.mustFail(exitUsage, []string{"Word: "}, "words", "add", "?", "x")
	u.mustFail(exitUsage, []string{"Word: a word has none of"}, "words", "add", "a|b", "x")
	require.NotContains(t, u.run("words", "add", "?", "x").err, "Value error")
	u.mustFail(exitUsage, []string{"Respelling: a respelling has no [["}, "words", "add", "x", "[[x]]")
	u.mustFail(exitUsage, []string{"Respelling: "}, "words", "add", "x", "/")
	u.mustFail(exitUsage, []string{"Language: "}, "words", "add", "x", "x", "--language", "?")
	u.mustFail(exitUsage, []string{"Language: ", "known language"}, "words", "add", "x", "x", "--language", "xx")
	u.mustFail(exitUsage, []string{"Respelling: ", "Phonetic Alphabet"}, "words", "add", "x", "/HELLO/")
	u.mustFail(exitUsage, []string{"words add needs a WORD and a RESPELLING."}, "words", "add", "x")
	u.mustFail(exitUsage, []string{"words rm needs a WORD-or-ID."}, "words", "rm")
	u.mustFail(exitUsage, []string{"Unknown command"}, "words", "nosuch")
	require.Equal(t, exitUsage, u.run("words").code)

	u.mustFail(exitUsage, []string{"several languages", "--language"}, "words", "rm", "NGINX")
	require.Equal(t, made["id"], u.mustRunJSON("words", "rm", "nginx", "--language", "")["deleted"])
	require.Equal(t, "Deleted Nginx\n", u.mustRun("words", "rm", "nginx"), "the only remaining entry")
	u.mustFail(exitNotFound, []string{`has no word "nginx"`}, "words", "rm", "nginx")
	u.mustFail(exitNotFound, []string{"has no word"}, "words", "rm", "nope")
	u.mustFail(exitNotFound, []string{"has no word"}, "words", "rm", unknownID)
	u.mustFail(exitNotFound, []string{"has no word"}, "words", "rm", "don't", "--language", "fr")
	require.Equal(t, "Deleted don't\n", u.mustRun("words", "rm", "DON'T"))
	left := u.mustRunJSON("words", "list")["items"].([]any)[0].(object)
	require.Equal(t, "Deleted New York\n", u.mustRun("words", "rm", left["id"].(string)))
}

func TestImportAndExportPronunciations(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.mustRun("words", "add", "lemma", "old")
	write(t, filepath.Join(u.dir, "in.csv"), "word,respelling,language\nLemma,new,\n?,x\nécole,\"e, kol\",fr\n")
	o := u.run("words", "import", "in.csv")
	require.Equal(t, exitDone, o.code)
	require.Equal(t, "Added 1, replaced 1, skipped 1\n", o.out)
	require.Equal(t, "Line 3 was skipped: word: a word has a letter or a digit.\n", o.err)

	const want = "word,respelling,language\nécole,\"e, kol\",fr\nLemma,new,\n"
	require.Equal(t, want, u.mustRun("words", "export"))
	var list []object
	require.NoError(t, json.Unmarshal([]byte(u.mustRun("words", "export", "--json")), &list))
	require.Equal(t, object{"word": "école", "respelling": "e, kol", "language": "fr"}, list[0])
	require.Contains(t, u.mustRun("words", "export", "out.csv"), "Wrote out.csv")
	u.mustFail(exitUsage, []string{"The folder none does not exist"}, "words", "export", "none/out.csv")
	require.Equal(t, "out.JSON", u.mustRunJSON("words", "export", "out.JSON")["output"])
	raw, err := os.ReadFile(filepath.Join(u.dir, "out.csv"))
	require.NoError(t, err)
	require.Equal(t, want, string(raw))

	other := newUser(t)
	other.serve() // the server that holds the data directory does the work
	result := other.mustRunJSON("words", "import", filepath.Join(u.dir, "out.JSON"))
	require.EqualValues(t, 2, result["added"])
	require.Empty(t, result["skipped"])
	require.Equal(t, want, other.mustRun("words", "export"))

	write(t, filepath.Join(u.dir, "none.json"), `[{"word":"?","respelling":"x"}]`)
	o = u.run("words", "import", "none.json")
	require.Equal(t, exitFailed, o.code)
	require.Contains(t, o.err, "Line 1 was skipped")
	require.Contains(t, o.err, "The file has no valid entry.")
	write(t, filepath.Join(u.dir, "empty.json"), `[]`)
	u.mustRun("words", "import", "empty.json")
	write(t, filepath.Join(u.dir, "bad.json"), `{"word":"x"}`)
	u.mustFail(exitUsage, []string{"valid list"}, "words", "import", "bad.json")
	u.mustFail(exitUsage, []string{"must end in .csv or .json"}, "words", "import", "in.txt")
	u.mustFail(exitUsage, []string{"must end in .csv or .json"}, "words", "export", "out.txt")
	u.mustFail(exitUsage, []string{"takes only a FILE"}, "words", "export", "a.csv", "b.csv")
	u.mustFail(exitNotFound, []string{"There is no file none.csv"}, "words", "import", "none.csv")
	u.mustFail(exitUsage, []string{"words import needs a FILE."}, "words", "import")
	require.NoFileExists(t, filepath.Join(u.dir, "out.txt"))
}
