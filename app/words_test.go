package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWords(t *testing.T) {
	p := newPerson(t)
	require.Empty(t, p.json("words", "list")["items"])
	made := p.json("words", "add", " nginx ", "engine x")
	require.Equal(t, "nginx", made["word"])
	require.Equal(t, "engine x", made["respelling"])
	require.Equal(t, "", made["language"])
	require.Equal(t, "Nginx will be read as “/ɛndʒɪnˈɛks/”\n", p.does("words", "add", "Nginx", "/ɛndʒɪnˈɛks/", "--language", "en-GB"))
	require.Contains(t, p.run("words", "add", "Nginx", "/ɛndʒɪnˈɛks/", "--language", "en-GB", "--replace").err, "Supertonic voices do not support phonemes")
	require.Empty(t, p.run("words", "add", "don't", "do not").err)
	p.does("words", "add", "New  York", "noo york", "--language", "en")
	table := p.does("words", "list")
	require.True(t, strings.HasPrefix(table, "WORD "), table)
	for _, part := range []string{made["id"].(string), "en-GB", "/ɛndʒɪnˈɛks/", "New York"} {
		require.Contains(t, table, part)
	}
	require.NotContains(t, p.does("words", "list", "--search", "engine"), "York")
	require.EqualValues(t, 2, p.json("words", "list", "--language", "en")["total"])

	p.fails(failed, []string{"already", "--replace"}, "words", "add", "NGINX", "x")
	require.Equal(t, "engine x", p.json("words", "list", "--search", "engine")["items"].([]any)[0].(object)["respelling"])
	require.Equal(t, "NGINX will be read as “engine ex”\n", p.does("words", "add", "NGINX", "engine ex", "--replace"))
	require.Equal(t, made["id"], p.json("words", "add", "nginx", "engine x", "--replace")["id"], "the one for all languages")
	require.Equal(t, "/ɛndʒɪnˈɛks/", p.json("words", "list", "--language", "en-GB")["items"].([]any)[0].(object)["respelling"])
	p.does("words", "add", "brandnew", "x", "--replace")
	p.does("words", "rm", "brandnew")
	p.fails(wrongUse, []string{"Word: "}, "words", "add", "?", "x")
	p.fails(wrongUse, []string{"Word: a word has none of"}, "words", "add", "a|b", "x")
	require.NotContains(t, p.run("words", "add", "?", "x").err, "Value error")
	p.fails(wrongUse, []string{"Respelling: a respelling has no [["}, "words", "add", "x", "[[x]]")
	p.fails(wrongUse, []string{"Respelling: "}, "words", "add", "x", "/")
	p.fails(wrongUse, []string{"Language: "}, "words", "add", "x", "x", "--language", "?")
	p.fails(wrongUse, []string{"Language: ", "known language"}, "words", "add", "x", "x", "--language", "xx")
	p.fails(wrongUse, []string{"Respelling: ", "Phonetic Alphabet"}, "words", "add", "x", "/HELLO/")
	p.fails(wrongUse, []string{"needs: WORD RESPELLING"}, "words", "add", "x")
	p.fails(wrongUse, []string{"needs: WORD-or-ID"}, "words", "rm")
	p.fails(wrongUse, []string{"Unknown command"}, "words", "nosuch")
	require.Equal(t, wrongUse, p.run("words").code)

	p.fails(wrongUse, []string{"several languages", "--language"}, "words", "rm", "NGINX")
	require.Equal(t, made["id"], p.json("words", "rm", "nginx", "--language", "")["deleted"])
	require.Equal(t, "Deleted Nginx\n", p.does("words", "rm", "nginx"), "the only one left")
	p.fails(notFound, []string{`has no word "nginx"`}, "words", "rm", "nginx")
	p.fails(notFound, []string{"has no word"}, "words", "rm", "nope")
	p.fails(notFound, []string{"has no word"}, "words", "rm", nobody)
	p.fails(notFound, []string{"has no word"}, "words", "rm", "don't", "--language", "fr")
	require.Equal(t, "Deleted don't\n", p.does("words", "rm", "DON'T"))
	left := p.json("words", "list")["items"].([]any)[0].(object)
	require.Equal(t, "Deleted New York\n", p.does("words", "rm", left["id"].(string)))
}

func TestImportAndExportWords(t *testing.T) {
	p := newPerson(t)
	p.does("words", "add", "lemma", "old")
	write(t, filepath.Join(p.dir, "in.csv"), "word,respelling,language\nLemma,new,\n?,x\nécole,\"e, kol\",fr\n")
	o := p.run("words", "import", "in.csv")
	require.Equal(t, done, o.code)
	require.Equal(t, "Added 1, replaced 1, skipped 1\n", o.out)
	require.Equal(t, "Line 3 was skipped: word: a word has a letter or a digit.\n", o.err)

	const want = "word,respelling,language\nécole,\"e, kol\",fr\nLemma,new,\n"
	require.Equal(t, want, p.does("words", "export"))
	var list []object
	require.NoError(t, json.Unmarshal([]byte(p.does("words", "export", "--json")), &list))
	require.Equal(t, object{"word": "école", "respelling": "e, kol", "language": "fr"}, list[0])
	require.Contains(t, p.does("words", "export", "out.csv"), "Wrote out.csv")
	p.fails(wrongUse, []string{"The folder none does not exist"}, "words", "export", "none/out.csv")
	require.Equal(t, "out.JSON", p.json("words", "export", "out.JSON")["output"])
	raw, err := os.ReadFile(filepath.Join(p.dir, "out.csv"))
	require.NoError(t, err)
	require.Equal(t, want, string(raw))

	other := newPerson(t)
	other.serve() // the server that holds the data directory does the work
	result := other.json("words", "import", filepath.Join(p.dir, "out.JSON"))
	require.EqualValues(t, 2, result["added"])
	require.Empty(t, result["skipped"])
	require.Equal(t, want, other.does("words", "export"))

	write(t, filepath.Join(p.dir, "none.json"), `[{"word":"?","respelling":"x"}]`)
	o = p.run("words", "import", "none.json")
	require.Equal(t, failed, o.code)
	require.Contains(t, o.err, "Line 1 was skipped")
	require.Contains(t, o.err, "The file has no valid entry.")
	write(t, filepath.Join(p.dir, "empty.json"), `[]`)
	p.does("words", "import", "empty.json")
	write(t, filepath.Join(p.dir, "bad.json"), `{"word":"x"}`)
	p.fails(wrongUse, []string{"valid list"}, "words", "import", "bad.json")
	p.fails(wrongUse, []string{"must end in .csv or .json"}, "words", "import", "in.txt")
	p.fails(wrongUse, []string{"must end in .csv or .json"}, "words", "export", "out.txt")
	p.fails(wrongUse, []string{"takes one FILE"}, "words", "export", "a.csv", "b.csv")
	p.fails(notFound, []string{"There is no file none.csv"}, "words", "import", "none.csv")
	p.fails(wrongUse, []string{"needs: FILE"}, "words", "import")
	require.NoFileExists(t, filepath.Join(p.dir, "out.txt"))
}
