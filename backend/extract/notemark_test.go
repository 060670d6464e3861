package extract_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A long paragraph full of raised characters is read in the time that its length takes, not in that of its square.
func TestManyRaisedCharacters(t *testing.T) {
	const times = 30_000
	raised := func(text, power string) string { return strings.Repeat(text, times) + power }
	const super = `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>2</w:t></w:r>`
	for name, content := range map[string]string{
		"a.md":   raised("x<sup>2</sup>", ""),
		"b.md":   raised("文字12<sup>2</sup>", ""),
		"a.html": "<p>" + raised("x<sup>2</sup>", ""),
		"b.html": "<p>x²<sup>" + raised(" <!-- -->", "</sup>"),
		"a.docx": docx(para("", raised(run("x")+super, "")), nil),
	} {
		require.Contains(t, read(t, name, content).Text, "²", name)
	}
	before := strings.Repeat("Wörter, ", 1000)
	require.Equal(t, before+"10⁶ und 5 km².", read(t, "a.md", before+"10<sup>6</sup> und 5 km<sup>2</sup>.[^1]\n\n[^1]: x").Text)
	require.Equal(t, before+"10⁶ und 5 km².", html(t, "<p>"+before+"10<sup>6</sup> und 5 km<sup>2</sup>."))
}
