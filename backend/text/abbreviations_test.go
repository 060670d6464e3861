package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/backend/text/internal/texttest"
)

// Sentences of abbreviations in nine languages are not cut, whatever blank is within an abbreviation (_ in the file), and the
// sentence after them is one of its own.
func TestSentencesKeepAbbreviations(t *testing.T) {
	languages := map[string]bool{}
	lines := texttest.Golden(t, "testdata/abbreviations.tsv")
	for _, line := range lines {
		languages[line[0]] = true
		for _, blank := range []string{" ", "\u00a0", "\u202f", "\u2009", "\u2003", "\n", ""} {
			s := strings.ReplaceAll(line[1], "_", blank)
			assert.Equal(t, []string{s + " ", line[2]}, text.Sentences(s+" "+line[2]), line[0])
		}
	}
	require.GreaterOrEqual(t, len(lines), 40)
	require.Len(t, languages, 9)
}

// Abbreviations that end a sentence still do, and words that are written like one are none.
func TestSentencesEndAfterAbbreviations(t *testing.T) {
	for _, want := range [][]string{
		{"Apples, pears, etc. ", "Then we left."},
		{"It is 5 p.m. ", "He left."},
		{"He lives in the U.S. ", "They know."},
		{"Äpfel, Birnen usw. ", "Dann gingen wir."},
		{"Er kam am 3. Mai. ", "Gut."},
		{"Es war 400 v. Chr. ", "Dann kam er."},
		{"Bücher o. Ä. ", "Die nehmen wir."},
		{"Es dauert 2 Std. ", "Dann kommt er."},
		{"Er wohnt in der Goethestr. ", "Dort ist es."},
		{"Das ist Franz. ", "Er kommt."},
		{"Pere, mele ecc. ", "Poi parte."},
		{"Due anni fa. ", "Roma è bella."},
		{"Jabłka itd. ", "Potem wyszedł."},
		{"Des pommes, etc. ", "Puis il part."},
		{"Vive en EE. UU. ", "Luego se va."},
		{"Appels enz. ", "Toen ging hij."},
		{"Maçãs etc. ", "Depois foi."},
		{"Яблоки и т. д. ", "Потом ушёл."},
		{"Я дал им. ", "Потом ушёл."},
		{"This is a cap. ", "One is a rep. ", "Ten is an arch. ", "Mark it."},
		{"He said no. ", "Mix it."},
		{"It is 5 mm. ", "John left."},
		{"He is fine. ", "Never mind. ", "Sue left."},
		{"It is ok. ", "Sue left."},
		{"Der Gang war eng. ", "Er ging."},
		{"Das ist alles, was ich hab. ", "Dann ging ich."},
		{"Nimm, was ich dir geb. ", "Danach geh."},
		{"Wir besuchten die Burg. ", "Dann fuhren wir heim."},
		{"Das macht das Gen. ", "Es ist alt."},
		{"Sie suchten den Gral. ", "Er war fort."},
		{"Der Wal sog. ", "Dann tauchte er."},
		{"Es kostet 5 Mio. ", "Das ist viel."},
		{"Das ist unser Prof. ", "Er ist nett."},
		{"He left BP. ", "Then he retired."},
		{"Ask HR. ", "They know."},
		{"They have PE. ", "Then they eat."},
		{"He works at ING. ", "It is a bank."},
		{"He lives in Wichita, KS. ", "The house is old."},
		{"Zij woont in de VS. ", "Toen ging hij."},
		{"We saw the Arch. ", "Then we left."},
		{"I met Amartya Sen. ", "He is kind."},
		{"We walked to the Col. ", "It was steep."},
		{"It is in the App Comm. ", "It is not in the Mag. ", "It has a Cap. ", "It is a Rag. ", "He is a Brit. ", "He met Kath. ", "She left."},
		{"Ma już 5 lat. ", "Potem pójdzie do szkoły."},
		{"To jest mój cel. ", "Potem wyszedł."},
		{"Il va à Mons. ", "Puis il part."},
		{"Se lo doy a Ud. ", "Luego se va."},
	} {
		assert.Equal(t, want, text.Sentences(strings.Join(want, "")))
	}
}

func TestSentencesKeepTheirMarks(t *testing.T) {
	for _, want := range [][]string{
		{"« Oui ! » dit-il. ", "Il part."},
		{"« Oui ! » ", "Il part."},
		{"«\u00a0Non\u202f!\u00a0» cria-t-elle. ", "« Ah bon ? » ", "Elle rit."},
		{"“ Yes ! ” he said. ", "He left."},
		{"“ Yes. ” ", "He left."},
		{"\" Oui ! \" dit-il. ", "\" Non ! \" ", "Il part."},
		{"„ Ja ! “ rief er. ", "Er ging."},
		{"( So it is. ) ", "He left."},
		{"「 はい！ 」と言った。", "次だ。"},
		{"“ 你好！ ” ", "他走了。"},
		{"“好！”，他说。", "他走了。"},
		{"你好！", "（是）再见。", "「好。」", "“走！”", "走。"},
		{"The end.[3] ", "As he said.[1][2] ", "So.[a] ", "It.[note 2] ", "Is."},
		{"The end.³ ", "As he said.”¹² ", "So."},
		{"Wow!* ", "**One.** ", "~~Two.~~ ", "Three."},
		{"Great!🎉 ", "Next."},
		{"C++/C#/F#/.NET is here. ", "Yes."},
		{"Wir nutzen .NET hier. ", "Gut."},
		{"Yahoo!Japan is it. ", "Is it?Yes it is."},
		{"![A cat](cat.png) is [here](https://e.com/?a=B!C) now. ", "Yes."},
		{"好吗?", "我们去!", "Good. ", "Yes."},
		{"See <https://e.com/?q=A!B> now. ", "Well&hellip; ", "Yes.&nbsp;", "No."},
		{"»Halt!« rief er. ", "»Warum?« ", "Sie ging."},
		{"He said “No.” ", "“Why?” ", "She left."},
	} {
		assert.Equal(t, want, text.Sentences(strings.Join(want, "")))
	}
}
