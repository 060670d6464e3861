package hyphen_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/hyphen"
)

func TestDividedWords(t *testing.T) {
	for language, cases := range map[string]map[string]string{
		"en-US": {
			"We con-\nsider nega-\ntive num-\nbers and a one-\nsided fight.": "We consider negative numbers and a one-sided fight.",
			"a state-of-the-\nart thing":                                     "a state-of-the-art thing",
			"a state-\nof-the-art thing":                                     "a state-of-the-art thing",
			"her mother-in-\nlaw":                                            "her mother-in-law",
			"a well-estab-\nlished rule":                                     "a well-established rule",
			"twenty-\none":                                                   "twenty-one",
			"self-\naware, well-\nknown":                                     "self-aware, well-known",
			"some-\none, man-\nage, pass-\nage":                              "someone, manage, passage",
			"high-\nways, hap-\npily, un-\nkindness":                         "highways, happily, unkindness",
			"con-\r\nsider, con-  \n   sider":                                "consider, consider",
			"con\u2010\nsider, con\u2010\rsider":                             "consider, consider",
			"an e-\nmail, a T-\nshirt":                                       "an e-mail, a T-shirt",
			"19-\nyear-old":                                                  "19-year-old",
			"short-\nand long-term":                                          "short-\nand long-term",
			"two-\nor three-year-old":                                        "two-\nor three-year-old",
			"the col-\nor, THE COL-\nOR":                                     "the color, THE COLOR",
			"10-\nto 12-year-olds, EU-\nand NATO-wide":                       "10-\nto 12-year-olds, EU-\nand NATO-wide",
			"an A-\nor B-road, the x-\nand y-axis":                           "an A-\nor B-road, the x-\nand y-axis",
			"Schwarzen-\negger":                                              "Schwarzenegger",
			"McCarthy and Mc-\nCarthy":                                       "McCarthy and McCarthy", "half-\nand-half": "half-and-half",
			"Anglo-\nAmerican":                 "Anglo-American",
			"I was going to-\nBut then":        "I was going to-\nBut then",
			"Wait, I-\nNo!":                    "Wait, I-\nNo!",
			"the non-\nEnglish mid-\nAtlantic": "the non-English mid-Atlantic",
			"INTRO-\nDUCTION, ONE-\nSIDED":     "INTRODUCTION, ONE-SIDED",
			"a dash -\nand so --\non":          "a dash -\nand so --\non",
			"- one\n- two":                     "- one\n- two",
			"an end-\n\nnew paragraph":         "an end-\n\nnew paragraph",
			"biało-\n-czerwony":                "biało-czerwony",
			"the re-\nsign, they re-sign":      "the re-sign, they re-sign",
			"Quax-\nol, and Quaxol":            "Quaxol, and Quaxol",
		},
		"de": {
			"die Donau-\ndampfschifffahrt":           "die Donaudampfschifffahrt",
			"Nord-\nund Süddeutschland":              "Nord-\nund Süddeutschland",
			"EU-\nund NATO-Staaten, CDU-\nund":       "EU-\nund NATO-Staaten, CDU-\nund",
			"19-\nund 20-jährige, GmbH-  \n oder":    "19-\nund 20-jährige, GmbH-  \n oder",
			"die x-\nund y-Achse, A-\nbzw. B-Note":   "die x-\nund y-Achse, A-\nbzw. B-Note",
			"der 2-\njährige, EU-\nweit, den-\nnoch": "der 2-jährige, EU-weit, dennoch",
			"Haupt- und\nNebensatz":                  "Haupt- und\nNebensatz",
			"allge-\nmein, Bor-\nchert-Straße":       "allgemein, Borchert-Straße",
			"die E-\nMail, Karl-\nMarx-Straße":       "die E-Mail, Karl-Marx-Straße",
			"ge\u00ad\nsund, ge\u00adsund":           "gesund, gesund",
		},
		"fr": {
			"peut-\nêtre, dit-\nil, c’est-à-\ndire": "peut-être, dit-il, c’est-à-dire",
			"arc-en-\nciel, rendez-\nvous":          "arc-en-ciel, rendez-vous",
			"la cou-\nleur, voi-\nlà":               "la couleur, voilà",
			"un jou-\net, l’OTAN-\net l’UE":         "un jouet, l’OTAN-\net l’UE",
		},
		"es": {"ca-\nmino": "camino"}, "nl": {"in-\nen uitgang": "in-\nen uitgang", "open-\nbaar": "openbaar"},
		"": {
			"le mot peut-\nêtre est dans les pages des livres":   "le mot peut-être est dans les pages des livres",
			"die 19-\nund 20-jährigen, CDU-\nund SPD-Wähler":     "die 19-\nund 20-jährigen, CDU-\nund SPD-Wähler",
			"die Land-\nhaus und das ist nicht der Weg":          "die Landhaus und das ist nicht der Weg",
			"con\ufffe\nsider, con\ufffesider, con\x02\r\nsider": "consider, consider, consider",
			"soft\u00ad\n\nhyphens\u00ad":                        "soft\n\nhyphens",
			"page 10\u00ad\n20":                                  "page 10\n20",
			"":                                                   "",
		},
	} {
		for given, want := range cases {
			require.Equal(t, want, hyphen.Join(given, language), "%s: %q", language, given)
		}
	}
}

// Nothing but hyphens, marks that are not seen, and the white space at line ends is left out.
func TestNothingElseIsLeftOut(t *testing.T) {
	letters := func(s string) string {
		return strings.NewReplacer("-", "", "\u2010", "", "\u00ad", "", "\ufffe", "", "\x02", "", "\n", "", "\r", "", " ", "", "\t", "", "\u00a0", "", "\u0085", "", "\u2028", "").Replace(s)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("abAé1-\u2010\u00ad\ufffe\x02\n\r \t.’ and"))).Draw(t, "text")
		language := rapid.SampledFrom([]string{"", "en", "de", "fr", "es"}).Draw(t, "language")
		joined := hyphen.Join(s, language)
		require.Equal(t, letters(s), letters(joined))
		require.NotContains(t, joined, "\u00ad")
		require.NotContains(t, joined, "\ufffe")
	})
}
