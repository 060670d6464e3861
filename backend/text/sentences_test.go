package text_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/text"
)

func TestSentences(t *testing.T) {
	for name, want := range map[string][]string{
		"plain":                       {"One. ", "Two! ", "Three? ", "Four."},
		"no end":                      {"One. ", "Two"},
		"hard wrapped":                {"This sentence goes\nover three\r\nlines. ", "This is\nthe next."},
		"wrapped after a stop":        {"One.\n", "Two."},
		"blank line":                  {"A heading\n\n", "A text"},
		"blank line with spaces":      {"A heading \n \t\n\n", "A text"},
		"blank line, Windows":         {"A heading\r\n\r\n", "A text"},
		"paragraph separator":         {"A heading\u2029", "A text"},
		"line separator":              {"Half a\u2028sentence. ", "More"},
		"leading space":               {"\n\n  One. ", "Two.\n"},
		"titles":                      {"Dr. Smith met Mr. and Mrs. Jones, Prof. Lee and Ms. Ray. ", "They left."},
		"saint":                       {"St. Paul is on Main St. ", "The end."},
		"circa":                       {"It was built c. 1900. ", "It stands."},
		"versus":                      {"It was Ali vs. Frazier. ", "He won."},
		"for example":                 {"Take fruit, e.g. Apples, i.e. Food. ", "Good."},
		"and so on":                   {"Apples, pears, etc. ", "They are good."},
		"etc. goes on":                {"Apples, etc. are good."},
		"number":                      {"It is No. 5 Avenue. ", "No. ", "I mean it."},
		"figure":                      {"See Fig. 3 Left and p. 12 Below. ", "Done."},
		"country":                     {"The U.S. Army is in the U.S. ", "They know."},
		"initials":                    {"J. R. R. Tolkien and George W. Bush. ", "Both."},
		"decimals":                    {"It is 3.14 or 1,000.5 at most. ", "Yes."},
		"times":                       {"At 5 p.m. Monday. ", "It was 5 p.m. ", "We left."},
		"month":                       {"On Jan. 5 and Feb. 6 it rained."},
		"versions and hosts":          {"Version 1.2.3 is at example.com/a.b. ", "Get it."},
		"list":                        {"1. First\n\n", "2. Second"},
		"quotes":                      {"\"Stop!\" he said. ", "\"Why?\" ", "She left."},
		"curly quotes":                {"“Stop!” she cried. ", "“I will.” ", "Then he ran."},
		"brackets":                    {"He came (at last!) and sat. ", "(It was late.) ", "We ate."},
		"dots":                        {"Well... maybe not. ", "Wait... ", "What?"},
		"ellipsis":                    {"Well… maybe not. ", "Wait… ", "What?"},
		"ellipsis in quotes":          {"“Wait…” ", "He ran."},
		"many marks":                  {"What?! ", "No!!! ", "Yes."},
		"German":                      {"Das gilt z.B. Für Dr. Maier, d.h. Herrn Prof. Dr. Huber. ", "Er kam am 3. Oktober. ", "Gut."},
		"German, spaced":              {"Wir sahen u. a. Bonn. ", "Es regnete bzw. Schneite."},
		"German century":              {"Im 19. Jahrhundert war es Nr. 5 usw. ", "Die Zeit verging."},
		"German quotes":               {"»Halt!« rief er. ", "„Warum?“ ", "Sie ging."},
		"French":                      {"M. Dupont et Mme. Durand sont là. ", "Il part."},
		"Spanish":                     {"¿Qué tal, Sr. López? ", "¡Bien! ", "Ud. Manda en EE.UU. ", "El fin."},
		"Italian":                     {"Il Sig. Rossi e il Dott. Bianchi. ", "Ecco."},
		"Dutch":                       {"Dhr. Jansen komt bijv. Morgen. ", "Hij wacht."},
		"Russian":                     {"А. С. Пушкин родился на ул. Немецкой, т.е. В Москве. ", "Он писал."},
		"Polish":                      {"To jest np. Kraków i dr. Nowak. ", "Tak."},
		"Chinese":                     {"你好。", "你叫什么名字？", "我叫小明！", "再见"},
		"Chinese quotes":              {"他说：「你好。」", "然后走了。"},
		"Japanese":                    {"今日は。", "元気ですか？", "はい！"},
		"Hindi":                       {"यह एक वाक्य है। ", "यह दूसरा है।"},
		"Arabic":                      {"كيف حالك؟ ", "أنا بخير."},
		"only marks":                  {"... !!! "},
		"invalid UTF-8 in the middle": {"A\xff b. ", "C\xfe."},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, want, text.Sentences(strings.Join(want, "")))
		})
	}
	require.Empty(t, text.Sentences(""))
}

// words are what texts of the property tests are made of.
var words = []string{
	"a", "Word", "dr.", "Dr.", "U.S.", "z.B.", "3.", "3.14", "No.", "e.g.", "etc.", "!", "?!", "...", "…", "“", "”", "\"", "(", ")",
	"\n", "\r\n", "\n\n", " ", "  ", "\u0085", "\u2028", "\u2029", "\u00a0", "。", "你好", "，", "؟", "é", "e\u0301", "👩‍👩‍👧", "\u200d",
	"[pause 1s]", "[pause 200ms]", "[PAUSE 0.5]", "[pause", "]", "[pause x]", "-", "—", ",", "*", "\x00", "\xff",
	"supercalifragilisticexpialidocious", strings.Repeat("x", 70), strings.Repeat("*", 120), strings.Repeat("字", 60),
}

// signs are words with letters that are not read.
var signs = []string{
	"z. B.", "v.", "Chr.", "« ", " »", "「", "（", "[3]", "³", "**", "~~", "==", "$", "`", "[a](b.c)", "![", "&amp;", "<https://a.b>", "[1]: /x", "```js",
}

func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.Map(rapid.SliceOf(rapid.SampledFrom(words)), func(w []string) string { return strings.Join(w, "") }),
		rapid.Map(rapid.SliceOf(rapid.SampledFrom(words)), func(w []string) string { return strings.Join(w, " ") }),
		rapid.String(),
	)
}

func TestSentencesLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := texts().Draw(t, "text") + strings.Join(rapid.SliceOf(rapid.SampledFrom(slices.Concat(words, signs))).Draw(t, "signs"), "")
		all := text.Sentences(s)
		require.Equal(t, s, strings.Join(all, ""))
		for _, sentence := range all {
			require.NotEmpty(t, sentence)
		}
	})
}

func FuzzSentences(f *testing.F) {
	for _, w := range words {
		f.Add("Hello " + w + " World. Next" + w)
	}
	f.Fuzz(func(t *testing.T, s string) {
		require.Equal(t, s, strings.Join(text.Sentences(s), ""))
	})
}

func TestSentencesOfHostileTexts(t *testing.T) {
	for _, unit := range []string{"\n", " \n", "1. ", "A. ", "Dr. ", "\"", ")", "!\" a", "… ", "\xff", "[", "(a.", "`", "$", "*a ", " ", "\u202f", "{", "“"} {
		s := strings.Repeat(unit, 200_000/len(unit))
		require.Equal(t, s, strings.Join(text.Sentences(s), ""))
		s = "Yes." + s + ")"
		require.Equal(t, s, strings.Join(text.Sentences(s), ""))
	}
}

func TestSentencesKeepLongRunsOfBlanks(t *testing.T) {
	for _, blank := range []string{" ", "\u202f"} {
		want := []string{"Yes." + strings.Repeat(blank, 1000), "He left."}
		require.Equal(t, want, text.Sentences(strings.Join(want, "")))
	}
}

func BenchmarkSentences(b *testing.B) {
	s := strings.Repeat("The quick brown fox, says Dr. Smith, jumps over\nthe lazy dog. Doesn't it? ", 1000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		text.Sentences(s)
	}
}

func TestSentencesKeepAddresses(t *testing.T) {
	for _, want := range [][]string{
		{"See https://example.com/search?q=hello&lang=en for more. ", "Then go on."},
		{"Is it at https://example.com/search?q=a!b? ", "Yes, (http://example.com/a?b=c). ", "And HTTPS://example.com/?q=1! ", "Good."},
		{"Write to me@example.com?subject=Hi!There today. ", "Or mailto:me@example.com?subject=Hi. ", "Bye."},
		{"It is https://en.wikipedia.org/wiki/St._Louis?a=b, I think. ", "Or www.example.com?q=1. ", "Or example.com/a?b=c. ", "Yes."},
		{"Do you know example.com? ", "And me@example.com? ", "Is it a@b? ", "No."},
		{"请看https://example.com/?q=1。", "好。"},
	} {
		require.Equal(t, want, text.Sentences(strings.Join(want, "")))
	}
	var chunks []string
	for _, p := range text.Plan("First. See https://example.com/search?q=hello&lang=en for more. Good.", 60) {
		chunks = append(chunks, p.Text)
	}
	require.Equal(t, []string{"First.", "See https://example.com/search?q=hello&lang=en for more.", "Good."}, chunks)
}
