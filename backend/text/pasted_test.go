package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

// What is copied from a chat is spoken, shown in subtitles and sent to the hosted service without its signs.
func TestPastedMarkdown(t *testing.T) {
	for _, c := range []struct{ written, english, german string }{
		{"See [the docs](https://example.com) or <https://example.com>.", "See the docs or example dot com.", "See the docs or example.com."},
		{"![A cat](cat.png) sat. ==So== it ~~is~~ **was**.", "A cat sat. So it is was.", "A cat sat. So it is was."},
		{"Tom &amp; Jerry &mdash; yes.", "Tom and Jerry — yes.", "Tom & Jerry — yes."},
		{"- [ ] one\n- [x] two", "- one - two", "- one - two"},
		{"```js\nlet x\n```\nThen", "let x Then", "let x Then"},
		{"A [b][1] and c[^1].\n\n[1]: https://e.com \"T\"\n\n[^1]: A note.", "A b and c. A note.", "A b and c. A note."},
		{"The word¹² and end.[3] As x² said.", "The word and end. As x squared said.", "The word and end. As x² said."},
		{"So $E = mc^2$ is.", "So E equals mc squared is.", "So E = mc^2 is."},
	} {
		for language, want := range map[string]string{"en-US": c.english, "de": c.german} {
			var spoken []string
			for _, p := range text.Plan(c.written, 400) {
				require.True(t, text.Speakable(text.Plain(p.Text)), p.Text)
				spoken = append(spoken, text.Speak(p.Text, text.SpeakOptions{Language: language}).Text)
			}
			assert.Equal(t, want, strings.Join(strings.Fields(strings.Join(spoken, " ")), " "), language)
		}
		var parts []string
		for _, p := range text.Verbatim(c.written, text.VerbatimOptions{AnyTag: true}).Parts {
			parts = append(parts, strings.Fields(p.Text)...)
		}
		assert.Equal(t, c.german, strings.Join(parts, " "))
	}
	require.Equal(t, "See the docs & more.", text.Plain("See [the docs](https://example.com)[2] &amp; **more**."))
}

// The chunks are what is written, so that the page finds them in the text, and no link is cut.
func TestPlanKeepsWhatIsWritten(t *testing.T) {
	const s = "First. See [the docs](https://example.com/a/very/long/address/which/is/longer/than/a/chunk?q=A!B) &amp; **more** of it all.[3] Then ﬁve e\u0301."
	var chunks []string
	for _, p := range text.Plan(s, 60) {
		require.Contains(t, s, p.Text)
		chunks = append(chunks, p.Text)
	}
	require.Equal(t, s, strings.Join(chunks, " "))
	require.Contains(t, chunks[1], "](https://example.com/a/very/long/address/which/is/longer/than/a/chunk?q=A!B)")
}

// Letters are the usual ones, while powers, indices, fractions and what is in double brackets stay.
func TestUsualLetters(t *testing.T) {
	for in, want := range map[string]string{
		"cafe\u0301 u\u0308ber \u1112\u1161\u11ab": "café über 한", "The ﬁrst oﬃcer ﬅ": "The first officer st", "Kapitel Ⅳ, ⅻ": "Kapitel IV, xii",
		"ＡＢＣ１２３％，！": "ABC123%，！", "𝐁𝐨𝐥𝐝 𝒮 𝟗": "Bold S 9", "5㎏, 20㎡, 3㎥, ㏑": "5kg, 20m², 3m³, ln", "①② ⑶ ❸x ⓗⓘ": "1 2 (3) 3 x hi",
		"10⁶ m² H₂O ½ xⁿ 1º №5 ™ … µm": "10⁶ m² H₂O ½ xⁿ 1º №5 ™ … µm", "ĳs ſo Ǆ": "ijs so DŽ", "ｶﾞｷ ㍿ ⽔": "ガキ 株式会社 水", "ﻣﺮﺣﺒﺎ": "مرحبا", "℃ ℉ K": "°C °F K",
		"ำ ㄱ": "ำ ㄱ", "[[cafe\u0301|cafe\u0301]]": "cafe\u0301",
	} {
		assert.Equal(t, want, text.Speak(in, text.SpeakOptions{Language: "de"}).Text)
	}
	words := text.NewPronunciations([]backend.Pronunciation{{Word: "cafe\u0301", Respelling: "kaff"}}, "de")
	require.Equal(t, "kaff kaff", text.Speak("café cafe\u0301", text.SpeakOptions{Language: "de", Pronunciations: words}).Text)
}
