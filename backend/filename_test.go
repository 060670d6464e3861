package backend_test

import (
	"bytes"
	"encoding/csv"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
)

func TestFileName(t *testing.T) {
	for wanted, name := range map[string]string{
		"A title": "A title", "Grüße / an: alle?": "Grüße - an- alle", "../../etc/passwd": "etc-passwd",
		"": "other", " .-. ": "other", "100% sure": "100% sure",
		"..%2F": "2F", "..%2f..%5Cx": "2f..-5Cx", "a%00b": "a-00b",
		"CON": "_CON", "con.": "_con", "Aux.take 2": "_Aux.take 2", "com1": "_com1", "LPT¹": "_LPT¹", "nul .x": "_nul .x",
		"CONIN$": "_CONIN$", "Contents": "Contents", "com10": "com10", "Auxiliary": "Auxiliary",
		strings.Repeat("a", 300): strings.Repeat("a", 200), strings.Repeat("ü€", 80): strings.Repeat("ü€", 40), strings.Repeat("b", 199) + " c": strings.Repeat("b", 199),
	} {
		require.Equal(t, name, backend.FileName(wanted, "other"), "%q", wanted)
	}
}

func TestFirstWords(t *testing.T) {
	for text, words := range map[string]string{
		"# Winter\n\nIt rained all day.": "Winter It rained", "  ##\tA # b\r\n#tag": "A # b #tag", "####### seven": "####### seven",
		"#": "#", "": "", "\n\n# ": "", "abcdefghijklmnopqrs": "abcdefghijklmnop",
	} {
		require.Equal(t, words, backend.FirstWords(text, 16), "%q", text)
	}
	g := backend.Generation{ID: "1", Text: "# Winter\n\nIt rained."}
	require.Equal(t, "Winter It rained", g.FileName())
	require.Equal(t, "Winter It rained.", g.Tags()["title"])
}

func TestFileNameStaysInItsFolder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name := backend.FileName(rapid.String().Draw(rt, "wanted"), "other")
		require.True(rt, filepath.IsLocal(name))
		require.Equal(rt, filepath.Base(name), name)
		require.Equal(rt, name, backend.FileName(name, "other"), "a good name stays")
	})
}

func TestDictionaryAsCSVHasNoFormulas(t *testing.T) {
	list := []backend.Pronunciation{
		{Word: "=cmd|x1", Respelling: "-2+3"},
		{Word: "+1 plus", Respelling: "@at"},
		{Word: "'tis", Respelling: "'-tis"},
		{Word: "＝full 1", Respelling: "wide"},
	}
	var out bytes.Buffer
	require.NoError(t, backend.WritePronunciations(&out, "csv", list))
	rows, err := csv.NewReader(bytes.NewReader(out.Bytes())).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+len(list))
	for _, row := range rows {
		for _, cell := range row {
			require.False(t, strings.IndexAny(cell, "=+-@＝＋－＠") == 0, "a spreadsheet would run %q", cell)
		}
	}
	list[0].Word = "=cmd x1" // a bar is markup in a text, so no word that is read has one
	out.Reset()
	require.NoError(t, backend.WritePronunciations(&out, "csv", list))
	read, skipped, err := backend.ReadPronunciations(out.Bytes(), "csv")
	require.NoError(t, err)
	require.Empty(t, skipped)
	require.Equal(t, list, read)
}
