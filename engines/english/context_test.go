package english_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/voicewright/voicewright/engines/english"
)

func TestArticleAndLetterA(t *testing.T) {
	e := english.New(nil)
	for text, sound := range map[string]string{
		`He said, "A dog barked."`:     "hˌi sˈɛd, “ɐ dˈɔɡ bˈɑɹkt.”",
		`a (small) dog`:                "ɐ (smˈɔl) dˈɔɡ",
		`He is a "friend".`:            "hˌi ɪz ɐ “fɹˈɛnd”.",
		"He is a “friend”.":            "hˌi ɪz ɐ “fɹˈɛnd”.",
		`'A dog,' he said.`:            "“ɐ dˈɔɡ,” hi sˈɛd.",
		`(A dog) [A dog]`:              "(ɐ dˈɔɡ) (ɐ dˈɔɡ)",
		"It was bright—A dog barked.":  "ˌɪt wʌz bɹˈIt—ɐ dˈɔɡ bˈɑɹkt.",
		"He is a—friend.":              "hˌi ɪz ɐ—fɹˈɛnd.",
		"She is a ... friend.":         "ʃˌi ɪz ɐ … fɹˈɛnd.",
		"The mimic rout\nA dog barked": "ðə mˈɪmɪk ɹˈWt ɐ dˈɔɡ bˈɑɹkt",
		`The letter "a" is here.`:      "ðə lˈɛTəɹ “ˈA” ɪz hˈɪɹ.",
		`"A" is good.`:                 "“ˈA” ɪz ɡˈʊd.",
		"Plan A—the best.":             "plˈæn ˈA—ðə bˈɛst.",
		"A or B?":                      "ˈA ɔɹ bˈi?",
		"A & E":                        "ˈA ænd ˈi",
		"A&E":                          "ˈA ænd ˈi",
		"A is for apple.":              "ˈA ɪz fɔɹ ˈæpᵊl.",
		"A to Z":                       "ˈA tə zˈi",
		"A means apple.":               "ˈA mˈinz ˈæpᵊl.",
		"A means to an end.":           "ɐ mˈinz tə ɐn ˈɛnd.",
		`"'A dog barked,' he said,"`:   "“ ɐ dˈɔɡ bˈɑɹkt, hi sˈɛd,”",
		"Plan A is good.":              "plˈæn ˈA ɪz ɡˈʊd.",
		"(a) first":                    "(ˈA) fˈɜɹst",
		"A C is on.":                   "ˈA sˈi ɪz ˌɔn.",
		"A B movie":                    "ɐ bˈi mˈuvi",
		"a at b":                       "ˈA æt bˈi",
		"a C I A agent":                "ɐ sˈi ˈI ˈA ˈAʤᵊnt",
		"a is not equal to b":          "ˈA ɪz nˌɑt ˈikwᵊl tə bˈi",
		"A-four paper":                 "ˈAfˌɔɹ pˈApəɹ",
		"A\u00a0Lincoln came.":         "ˈA lˈɪŋkən kˈAm.",
		"John A Smith met us.":         "ʤˈɑn ˈA smˈɪθ mˈɛt ˌʌs.",
		"Once Upon A Time in it":       "wˈʌns əpˈɑn ɐ tˈIm ɪn ɪt",
	} {
		assert.Equal(t, sound, speak(t, e, text), text)
	}
}

func TestQuoteAfterDashCloses(t *testing.T) {
	e := english.New(nil)
	for text, sound := range map[string]string{
		`"I thought—"`:           "“ˌI θˈɔt—”",
		`"Go--"`:                 "“ɡˌO—”",
		`He said, "Well—".`:      "hˌi sˈɛd, “wˈɛl—”.",
		`"I thought—" he said.`:  "“ˌI θˈɔt—” hi sˈɛd.",
		`He said—"What?"`:        "hˌi sˈɛd—“wˌʌt?”",
		`He said—"'Tis me."`:     "hˌi sˈɛd—“tˈiz mˌi.”",
		"'I thought—'":           "“ˌI θˈɔt—”",
		`"Oh—" "No—"`:            "“ˈO—” “nˈO—”",
		`("I thought—")`:         "(“ˌI θˈɔt—”)",
		"“I thought—” he said.":  "“ˌI θˈɔt—” hi sˈɛd.",
		`"Yes," he said, "but—"`: "“jˈɛs,” hi sˈɛd, “bˌʌt—”",
	} {
		assert.Equal(t, sound, speak(t, e, text), text)
	}
}

func TestSpacedLettersOfAcronyms(t *testing.T) {
	e := english.New(nil)
	for text, sound := range map[string]string{
		"A I is here.":            "ˈA ˈI ɪz hˈɪɹ.",
		"An A I system":           "ɐn ˈA ˈI sˈɪstəm",
		"The F B I came.":         "ði ˈɛf bˈi ˈI kˈAm.",
		"the I T team":            "ði ˈI tˈi tˈim",
		"the C I A":               "ðə sˈi ˈI ˈA",
		"Vitamin C I take daily.": "vˈITəmən sˈi ˌI tˈAk dˈAli.",
		"Plan B I like.":          "plˈæn bˈi ˌI lˈIk.",
	} {
		assert.Equal(t, sound, speak(t, e, text), text)
	}
}

// contextCase is a text with what its phonemes contain and do not contain.
type contextCase struct{ text, has, hasNot string }

func checkContexts(t *testing.T, all []contextCase) {
	t.Helper()
	e := english.New(nil)
	for _, c := range all {
		sound := speak(t, e, c.text)
		assert.Contains(t, sound, c.has, c.text)
		assert.NotContains(t, sound, c.hasNot, c.text)
	}
}

func TestThatIsStressedWhereItPoints(t *testing.T) {
	checkContexts(t, []contextCase{
		{"He used that name.", "ðˈæt", "ðæt "},
		{"He saw that man.", "ðˈæt", "ðæt "},
		{"Will you never lend that book?", "ðˈæt", "ðæt "},
		{"They met that day.", "ðˈæt", "ðæt "},
		{"Is that the reason?", "ðˈæt", "ðæt "},
		{`"That is a question," he said.`, "ðˈæt", "ðˌæt"},
		{"'That's very important,' he said.", "ðˈæts", "ðˌæts"},
		{"If that is so, go.", "ðˈæt", "ðæt "},
		{"All of that.", "ðˈæt", "ðæt "},
		{"She hid it, that it might not escape.", "ðæt ", "ðˈæt"},
		{"He spoke so low, that not a word was heard.", "ðæt ", "ðˈæt"},
		{"It was possible that, when he came, she left.", "ðæt,", "ðˈæt"},
		{"They are tales that men know.", "ðæt ", "ðˈæt"},
		{"The house that was built is old.", "ðæt ", "ðˈæt"},
		{"Something happened that made me afraid.", "ðæt ", "ðˈæt"},
		{"He told me that Jackson had gone.", "ðæt ", "ðˈæt"},
		{"All that remains is dust.", "ðæt ", "ðˈæt"},
		{"It is hard to imagine that host.", "ðˈæt", "ðæt "},
		{"They are children that laugh.", "ðæt ", "ðˈæt"},
		{"Would that be right?", "ðˈæt", "ðæt "},
		{"But he came, for all that, being brave.", "ðˈæt", "ðæt,"},
	})
}

func TestHeteronymsByNeighbours(t *testing.T) {
	checkContexts(t, []contextCase{
		{"I have lived too long.", "lˈɪvd", "lˈIvd"},
		{"They had lived there.", "lˈɪvd", "lˈIvd"},
		{"He lived in town.", "lˈɪvd", "lˈIvd"},
		{"Anna lives in Rome.", "lˈɪvz", "lˈIvz"},
		{"A cat has nine lives.", "lˈIvz", "lˈɪvz"},
		{"He knows that winds may blow.", "wˈɪndz", "wˈIndz"},
		{"Come in and sit.", "ˈɪn", "kˌʌm ɪn "},
		{"Do not come in with my wolves.", "ˈɪn wɪð", " ɪn "},
		{"They live in and around town.", "ɪn ænd", "ˈɪn"},
		{"He went in and out of town.", " ɪn ", "ˈɪn "},
		{"He wrote in ink.", " ɪn ", "ˈɪn "},
		{"She passed by and waved.", "bˈI", "bI "},
		{"By and by, he came.", "ænd bˈI", "bI "},
		{"By and by he came.", "ænd bˈI", "bI "},
		{"He sat by the door.", "bI ", "bˈI"},
		{"The King called for silence and read out from his book.", "ɹˈɛd", "ɹˈid"},
		{"He took the book and read it.", "ɹˈɛd", "ɹˈid"},
		{"I want to sit and read it.", "ɹˈid", "ɹˈɛd"},
		{"Sit down and read it.", "ɹˈid", "ɹˈɛd"},
		{"You will not read it.", "ɹˈid", "ɹˈɛd"},
		{"It is seldom read.", "ɹˈɛd", "ɹˈid"},
		{"With trumpet to mouth, he stood.", "mˈWθ", "mˈWð"},
		{"From house to house they went.", "hˈWs tə hˈWs", "hˈWz"},
		{"It took us from hand to mouth.", "mˈWθ", "mˈWð"},
		{"They want to house the poor.", "hˈWz", "hˈWs "},
		{"It is in that wind out there.", "wˈɪnd", "wˈInd"},
		{"This has upset me.", "ˌʌpsˈɛt", "ˈʌpsˌɛt"},
		{"The commentaries themselves consist of words.", "kənsˈɪst", "kˈɑnsˌɪst"},
		{"They look forward to presents.", "pɹˈɛzᵊnts", "pɹizˈɛnts"},
		{"I heard a slow, deliberate sound.", "dəlˈɪbəɹət", "dəlˈɪbəɹˌAt"},
		{"The day drew to a close.", "klˈOz", "klˈOs"},
		{"Fear kept them close by John.", "klˈOs", "klˈOz"},
		{"It was a close race.", "klˈOs", "klˈOz"},
		{"A thousand objects that scared me.", "ˈɑbʤəkts", "əbʤˈɛkts"},
		{"He still lives in comfort.", "lˈɪvz", "lˈIvz"},
		{"Increase of knowledge is good.", "ˈɪnkɹˌis", "ɪnkɹˈis"},
		{"The floor was cleanly sanded.", "klˈinli", "klˈɛnli"},
		{"They have learned it.", "lˈɜɹnd", "lˈɜɹnɪd"},
		{"A learned man.", "lˈɜɹnɪd", "lˈɜɹnd "},
		{"The island of St. Helena", "sˈAnt", "stɹˈit"},
		{"In St. Louis", "sˈAnt", "stɹˈit"},
		{"Lady St. Simon", "sˈAnt", "stɹˈit"},
		{"He lives on Oak St. in town.", "stɹˈit", "sˈAnt"},
	})
}

func TestHomographsInLikeFrames(t *testing.T) {
	checkContexts(t, []contextCase{
		{"He wants to house now.", "hˈWz", "hˈWs"},
		{"They want to house and feed them.", "hˈWz", "hˈWs"},
		{"He wants to mouth now.", "mˈWð", "mˈWθ"},
		{"They came to house after house.", "tə hˈWs", "hˈWz"},
		{"He had augmented for years.", "ɔɡmˈɛntᵻd", "ˈɔɡməntᵻd"},
		{"It was augmented by them.", "ɔɡmˈɛntᵻd", "ˈɔɡməntᵻd"},
		{"They had augmented reality.", "ˈɔɡməntᵻd", "ɔɡmˈɛntᵻd"},
		{"He was dogged by doubts.", "dˈɔɡd", "dˈɔɡɪd"},
		{"He had dogged determination.", "dˈɔɡɪd", "dˈɔɡd"},
		{"The close was very good.", "klˈOz", "klˈOs"},
		{"At the close he left.", "klˈOz", "klˈOs"},
		{"The close race.", "klˈOs", "klˈOz"},
		{"The close one.", "klˈOs", "klˈOz"},
		{"It is a content thing.", "kˈɑntɛnt", "kəntˈɛnt"},
		{"Content creators write.", "kˈɑntɛnt", "kəntˈɛnt"},
		{"They are content creators.", "kˈɑntɛnt", "kəntˈɛnt"},
		{"Good content matters.", "kˈɑntɛnt", "kəntˈɛnt"},
		{"He is content with it.", "kəntˈɛnt", "kˈɑntɛnt"},
		{"A content man smiled.", "kəntˈɛnt", "kˈɑntɛnt"},
		{"To his heart's content.", "kəntˈɛnt", "kˈɑntɛnt"},
		{"They content themselves.", "kəntˈɛnt", "kˈɑntɛnt"},
		{"The place where the rivers wind in deep gorges.", "wˈInd", "wˈɪnd"},
		{"The paths wind up the hill.", "wˈInd", "wˈɪnd"},
		{"The road winds through hills.", "wˈIndz", "wˈɪndz"},
		{"The wind in the willows.", "wˈɪnd", "wˈInd"},
		{"The trade winds blow.", "wˈɪndz", "wˈIndz"},
		{"It was later used to turn the mill.", "jˈuzd", "jˈust"},
		{"A tool later used to turn wood.", "jˈuzd", "jˈust"},
		{"The methods used to cut it are old.", "jˈuzd", "jˈust"},
		{"My father used to sing.", "jˈust", "jˈuzd"},
		{"You get used to it.", "jˈust", "jˈuzd"},
		{"The boy is used to waiting.", "jˈust", "jˈuzd"},
		{"The knife is used to cut.", "jˈuzd", "jˈust"},
		{"A lead pipe made of lead.", "lˈɛd", "lˈid"},
		{"The lead singer took the lead.", "lˈid", "lˈɛd"},
		{"He took a bow.", "bˈW", "bˈO"},
		{"The bow of the ship.", "bˈW", "bˈO"},
		{"He tied a bow.", "bˈO", "bˈW"},
		{"The invalid lay in bed.", "ˈɪnvəlɪd", "ɪnvˈælɪd"},
		{"An invalid argument.", "ɪnvˈælɪd", "ˈɪnvəlɪd"},
		{"It has minute particles.", "mInˈut", "mˈɪnət"},
		{"A five minute walk.", "mˈɪnət", "mInˈut"},
		{"It was broadcast live.", "lˈIv", "lˈɪv"},
		{"The muscles contract.", "kəntɹˈækt", "kˈɑntɹˌækt"},
		{"The officers object to it.", "əbʤˈɛkt", "ˈɑbʤəkt"},
		{"The sales record in May.", "ɹˈɛkəɹd", "ɹəkˈɔɹd"},
		{"The birds present in May.", "pɹˈɛzᵊnt", "pɹizˈɛnt"},
		{"Drug use rose.", "jˈus", "jˈuz"},
		{"Teachers use computers.", "jˈuz", "jˈus "},
		{"They perfect it, and it is perfect.", "pəɹfˈɛkt", "pɹəfˈɛkt"},
		{"He shed a tear.", "tˈɪɹ", "tˈɛɹ"},
		{"They estimate it.", "ˈɛstəmˌAt", "ˈɛstəmət"},
		{"She will graduate.", "ɡɹˈæʤʊˌAt", "ɡɹˈæʤəwət"},
		{"A moderate man.", "mˈɑdəɹət", "mˈɑdəɹˌAt"},
		{"We refuse it.", "ɹəfjˈuz", "ɹˈɛfjˌus"},
	})
}
