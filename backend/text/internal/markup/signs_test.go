package markup_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
)

// read returns what is read of a text.
func read(s string) string {
	var out strings.Builder
	markup.Spans(s, func(_, read string) { out.WriteString(read) }, func(_ markup.Markup, source string) { out.WriteString(source) })
	return out.String()
}

func TestSigns(t *testing.T) {
	for in, want := range map[string]string{
		// Links and pictures.
		"See [the docs](https://example.com) or <https://example.com>.":  "See the docs or example.com.",
		`[a "b"](<x y> "T") [c](/d_(e)_f 'T') [g]() h`:                   `a "b" c g h`,
		"![A cat](cat.png) and ![](dog.png)[![x](y.svg)](https://z.org)": "A cat and x",
		"[a][1] and [b][], [c] dd[1][2].\n[1]: https://e.com \"T\"\nEnd": "a and b, [c] dd.\n\nEnd",
		"<mailto:me@example.com> <me@example.com> <http://e.com/a_b_c/>": "me@example.com me@example.com e.com/a_b_c",
		"A note[^1] here.\n[^1]: It says so.":                            "A note here.\n It says so.",
		"and that.](https://example.com) Next":                           "and that. Next",
		// Emphasis, highlights, code.
		"**bold *nested* x**, __b__, _it_ and un**frigging**real": "bold nested x, b, it and unfriggingreal",
		"==This is a highlight== and ~~gone~~, ~~half.":           "This is a highlight and gone, half.",
		"==One.": "One.", "Two.==": "Two.",
		"run `a_b == c*d*e` or ``x ` y``": "run a_b == c*d*e or x ` y",
		"```js\nlet a = 1;\n```\nThen":    "\nlet a = 1;\n\nThen",
		"~~~python\nx\n~~~":               "\nx\n~~~",
		// Formulas, tasks, escapes, entities.
		"$E = mc^2$, \\(a+b\\) and $$x = 1$$":           "E = mc^2, a+b and x = 1",
		"- [ ] task\n* [x] done\n1. [X] both":           "- task\n* done\n1. both",
		`\*not\* 1\. \# \[x]`:                           `*not* 1. # [x]`,
		"a &mdash; b&nbsp;c &amp; d &#8212; e&#x2014;f": "a — b\u00a0c & d — e—f",
		"&lt;p&gt; &hellip; &copy; hy&shy;phen":         "<p> … © hyphen",
		// Notes.
		"The end.[3] As he[1][2] said,[a] in 1984[12] too.":       "The end. As he said, in 1984 too.",
		"So[note 2] it[nb 1] is[citation needed], here[4–6] [7].": "So it is, here [7].",
		"The word¹², “so”³ or end.⁴ As (he said)⁵. 词¹ и слово².":  "The word, “so” or end. As (he said). 词 и слово.",
		"He left,¹,² then":                                             "He left, then",
		"die Stadt[a] und \"Ende\"[Anm. 3] 都市[3]的":                     "die Stadt und \"Ende\" 都市的",
		"[laughs] [[a|b]] [pause 1s] <b>[x](y)</b> <break time='1s'/>": "[laughs] [[a|b]] [pause 1s] <b>x</b> <break time='1s'/>",
	} {
		assert.Equal(t, want, read(in), "%q", in)
	}
}

// What looks like a sign and is none stays.
func TestNoSigns(t *testing.T) {
	for _, s := range []string{
		"a [sic] b", "5 < 6 and 7 > 3", "2 * 3 * 4", "2*3*4 = 24", "x == y", "if a==b or c == d", "AT&T", "R&D; Q&A", "a & b; c",
		"It costs $5 and $6.", "US$5 to US$6", "$5,$6", "$10 (about $12)", "$AAPL,$TSLA $$$", "5$ or 6$",
		"snake_case_name, __x", "a ~ b ~ c, ~5", "x[1] = a[0] + m[i][j]", "see [3] and [12]", "[T]he wor[d] of [a] man", "array[0]",
		"10⁶ m² km² 5 cm³ H₂O x¹ mc² CO₂ Ca²⁺ s⁻¹ (a + b)² sin²x 2³", "List<int> and <your name>", "Wow! [So] it is (really)",
		"https://example.com/a_b_c?x==y&copy;=1*2*3~~4", "C:\\Users\\me", "Note: [done](", "f(x)[y](z w v)", "a * b", "word* and *", "# x",
		"| a | b |", "Dear [name],", "(see [1], [2])", "100 [percent] of", "\\", "`", "&", "![", "](", "[^", "$", "==", "~~ ~~",
	} {
		assert.Equal(t, s, read(s))
	}
}

func TestSpansLoseNothing(t *testing.T) {
	parts := []string{
		"[", "]", "(", ")", "!", "*", "**", "_", "~~", "==", "$", "`", "```", "\\", "<", ">", "&amp;", "&", ";", "a", "B", "1", " ", "\n", "\n\n", ".", "https://e.com/",
		"[^1]", "[1]", ":", "³", "é", "\xff", "[laughs]", "[[a|b]]", "<b>", "- [ ] ", "www.a.b", "文",
	}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom(parts)).Draw(t, "parts"), "")
		var all strings.Builder
		markup.Spans(s, func(written, _ string) { all.WriteString(written) }, func(_ markup.Markup, source string) { all.WriteString(source) })
		require.Equal(t, s, all.String())
		end := 0
		for _, sign := range markup.Signs(s) {
			require.GreaterOrEqual(t, sign.At, end)
			require.Positive(t, sign.Size)
			end = sign.At + sign.Size
		}
		require.LessOrEqual(t, end, len(s))
	})
}

func BenchmarkSigns(b *testing.B) {
	for name, s := range map[string]string{"stars": strings.Repeat("*a ", 60_000), "brackets": strings.Repeat("[a", 100_000), "text": strings.Repeat("The **quick** fox [jumps](https://x.org) over it.[3] ", 4000)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				markup.Signs(s)
			}
		})
	}
}
