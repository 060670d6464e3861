package numbering_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/extract/internal/numbering"
)

const part = `<numbering>
<abstractNum abstractNumId="1"><lvl ilvl="0"><start val="1"/><numFmt val="decimal"/><lvlText val="%1."/></lvl>
<lvl ilvl="1"><start val="1"/><numFmt val="lowerLetter"/><lvlText val="%1%2)"/></lvl></abstractNum>
<abstractNum abstractNumId="2"><lvl ilvl="0"><start val="1"/><numFmt val="upperRoman"/><lvlText val="Chapter %1"/></lvl>
<lvl ilvl="1"><start val="3"/><numFmt val="decimal"/><lvlText val="%1.%2"/><isLgl/></lvl></abstractNum>
<abstractNum abstractNumId="3"><lvl ilvl="0"><numFmt val="bullet"/><lvlText val="o"/></lvl></abstractNum>
<num numId="1"><abstractNumId val="1"/></num><num numId="2"><abstractNumId val="2"/></num><num numId="3"><abstractNumId val="3"/></num>
<num numId="4"><abstractNumId val="1"/><lvlOverride ilvl="0"><startOverride val="5"/></lvlOverride></num>
<num numId="5"><abstractNumId val="9"/></num></numbering>`

func TestNumbers(t *testing.T) {
	lists, err := numbering.Read(xml.NewDecoder(strings.NewReader(part)))
	require.NoError(t, err)
	var got []string
	for _, item := range []struct {
		list  string
		level int
	}{
		{"1", 0},
		{"1", 1},
		{"1", 1},
		{"2", 0},
		{"1", 0},
		{"1", 1},
		{"4", 0},
		{"4", 0},
		{"2", 1},
		{"2", 1},
		{"2", 0},
		{"2", 1},
		{"3", 0},
		{"5", 0},
		{"6", 0},
		{"1", 9},
		{"1", -1},
	} {
		got = append(got, lists.Next(item.list, item.level))
	}
	require.Equal(t, []string{
		"1.", "1a)", "1b)", "Chapter I", "2.", "2a)", "5.", "6.", "1.3", "1.4", "Chapter II", "2.3", "", "", "", "", "",
	}, got)
	require.Empty(t, (*numbering.Lists)(nil).Next("1", 0))
	for format, want := range map[string]string{"decimal": "28", "upperRoman": "XXVIII", "lowerLetter": "bb", "upperLetter": "BB", "none": "", "kanji": "28"} {
		require.Equal(t, want, numbering.Format(28, format), format)
	}
	require.Equal(t, "5000", numbering.Format(5000, "lowerRoman"))
	require.Equal(t, "07", numbering.Format(7, "decimalZero"))
}
