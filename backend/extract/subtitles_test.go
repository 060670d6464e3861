package extract_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/extract"
)

// Files as people have them: each says no more and no less than its subtitles.
func TestSubtitleFiles(t *testing.T) {
	for name, c := range map[string]struct{ file, given, want string }{
		"blank line inside": {
			"a.srt", "1\n00:00:01,000 --> 00:00:03,000\nThe first line,\n\nand the second line.\n\n2\n00:00:04,000 --> 00:00:06,000\nThe end.\n",
			"The first line, and the second line.\nThe end.",
		},
		"no blank lines": {
			"a.srt", "1\n00:00:12,083 --> 00:00:15,726\nFirst words.\n2\n00:00:15,750 --> 00:00:18,892\nSecond words.\n3\n00:00:20,916 --> 00:00:23,726\nThird words.\nAnd more.\n",
			"First words.\nSecond words.\nThird words.\nAnd more.",
		},
		"blanks in times":  {"a.srt", "1\n00: 00: 12,083  -->  00: 00: 15,726\nFirst words.\n\n2\n00 : 00 :15 , 750 --> 00:00:18,892\nSecond words.\n", "First words.\nSecond words."},
		"no milliseconds":  {"a.srt", "1\n00:00:01 --> 00:00:02\nNo millis.\n\n2\n00:00:03 --> 00:00:04\nStill none.\n", "No millis.\nStill none."},
		"single digits":    {"a.srt", "1\n0:0:1,5 --> 0:0:2,25\nOne.\n\n2\n0:1:3.5-->0:1:4\nTwo.\n", "One.\n\nTwo."},
		"other arrows":     {"a.srt", "1\n00:00:01,000 -> 00:00:02,000\nA.\n\n2\n00:00:02,000 -- > 00:00:03,000\nB.\n\n3\n00:00:03,000 —> 00:00:04,000\nC.\n\n4\n00:00:04,000 → 00:00:05,000\nD.\n", "A.\nB.\nC.\nD."},
		"odd times":        {"a.srt", "1\n-00:00:01,000 --> 00:00:00,500\nA.\n\n2\n00:00:01:000 --> 00:00:02;000\nB.\n\n3\n00:00:02,000 -->\nC.\n", "A.\nB.\nC."},
		"tabs and CRLF":    {"a.srt", "\ufeff1\r\n00:00:01,000\t-->\t00:00:02,000\r\n\tOne\ttwo.\r\n \r\n2 \r\n\r\n00:00:03,000 --> 00:00:04,000\r\nThree.\r\n", "One two.\nThree."},
		"no numbers":       {"a.srt", "00:00:01,000 --> 00:00:02,000\nIn the year\n1984\n00:00:02,000 --> 00:00:03,000\nit began.\n", "In the year 1984 it began."},
		"a number is said": {"a.srt", "1\n00:00:01,000 --> 00:00:02,000\n10\n\n2\n00:00:02,000 --> 00:00:03,000\n9\n3\n00:00:03,000 --> 00:00:04,000\nLift\n\n8\n", "10 9 Lift 8"},
		"positions": {
			"a.srt", "1\n00:00:01,000 --> 00:00:02,000 X1:10 X2:20 Y1:1 Y2:2\n{\\an8}<font color=\"#ffff00\">Yellow</font> <b>bold</b> {b}x{/b}\n\n2\n00:00:03,000 --> 00:00:04,000 said\nM\\Nline\\nbreak\\hand {y:i}Italic {c:$0000ff}blue\n",
			"Yellow bold x said M line break and Italic blue",
		},
		"entities": {
			"a.srt", "1\n00:00:01,000 --> 00:00:02,000\nSalt &amp; pepper&nbsp;now, &quot;he said&quot;, 5 &lt; 6 &hellip; AT&T caf&eacute; &#39;s&shy;o\n",
			`Salt & pepper now, "he said", 5 < 6 … AT&T café 's` + "o",
		},
		"notes and styles": {
			"a.vtt", "WEBVTT\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:fred\n\nintro\n00:01.000 --> 00:02.000\nOne.\n\nNOTE a comment\nof two lines\n\nNOTE\n\n2 - next\n00:02.000 --> 00:03.000 region:fred\nTwo,\n\nand three.\n\nNOTE end\n",
			"One.\nTwo, and three.",
		},
	} {
		require.Equal(t, c.want, read(t, c.file, c.given).Text, name)
	}
}

const rolling = `00:00:00.000 --> 00:00:02.000 align:start position:0%
 
so<00:00:00.400><c> today</c><00:00:00.800><c> we</c>

00:00:02.000 --> 00:00:02.010 align:start position:0%
so today we
 

00:00:02.010 --> 00:00:04.000 align:start position:0%
so today we
look<00:00:02.400><c> at</c><00:00:02.800><c> birds</c>

00:00:04.000 --> 00:00:04.010 align:start position:0%
look at birds
 

00:00:04.010 --> 00:00:06.000 align:start position:0%
look at birds
and<00:00:04.400><c> trees</c>
`

// Captions that roll up show each line more than once.
func TestRollingCaptions(t *testing.T) {
	doc := read(t, "a.vtt", "WEBVTT\nKind: captions\nLanguage: en\n\n"+rolling)
	require.Equal(t, "so today we look at birds and trees", doc.Text)
	require.Equal(t, []extract.Note{{Code: "repeated_lines", Detail: "4 lines that captions repeat of those before them were left out.", Params: map[string]any{"count": 4}}}, doc.Notes)
	require.Equal(t, "so today we look at birds and trees", read(t, "a.srt", rolling).Text)
	srt := func(cues ...string) string {
		var all strings.Builder
		for i, c := range cues {
			second := string(rune('1' + i))
			all.WriteString(second + "\n00:00:0" + second + ",000 --> 00:00:0" + string(rune('2'+i)) + ",000\n" + c + "\n\n")
		}
		return read(t, "a.srt", all.String()).Text
	}
	require.Equal(t, "one two three four five", srt("one\ntwo\nthree", "two\nthree\nfour", "three\nfour\nfive"), "three lines")
	require.Equal(t, "so today we", srt("<u>so</u> today we", "so <u>today</u> we", "so today <u>we</u>"), "the word that is said is marked")
	require.Equal(t, "Happy birthday.\nHappy birthday.", srt("Happy birthday.", "Happy birthday."), "sung twice")
	require.Equal(t, "No.\nNo.\nYes.", srt("- No.", "- No.", "- Yes."))
}
