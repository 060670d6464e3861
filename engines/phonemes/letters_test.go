package phonemes_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/voicewright/voicewright/engines/phonemes"
)

func TestAllAsOfAcronymsAreLetters(t *testing.T) {
	for text, want := range map[string]string{
		"the A I, the A P I":                 "the A- I, the A- P I",
		"A I's future, A I-based tools":      "A- I's future, A- I-based tools",
		"A C is on. A A batteries":           "A- C is on. A- A- batteries",
		"A A A A battery":                    "A- A- A- A- battery",
		"A B-twelve":                         "A- B-twelve",
		"Q and A session":                    "Q and A- session",
		"B and A are here":                   "B and A- are here",
		"A b dog":                            "A b dog",
		"The A team and his A game":          "The A- team and his A- game",
		"type A blood, four A is here":       "type A- blood, four A- is here",
		"Vitamin A Deficiency":               "Vitamin A- Deficiency",
		"A\u00a0Lincoln and John A\u00a0Lee": "A- Lincoln and John A- Lee",
		"John A Smith met us":                "John A- Smith met us",
		"Once Upon A Time in the West":       "Once Upon A Time in the West",
		"I HAVE A DOG":                       "I HAVE A DOG",
		"A B movie, A C major chord":         "A B movie, A C major chord",
		"A four year plan. A plus for us":    "A four year plan. A plus for us",
		"A plus B equals C":                  "A- plus B equals C",
		"Say: A dog. “A dog” (A dog)":        "Say: A dog. “A dog” (A dog)",
		"“A” is good, (a) first, a) one":     "“A-” is good, (a-) first, a-) one",
		"A—the best, A - the first":          "A-—the best, A- - the first",
		"a at b, A dot b at x, a dot b":      "a- at b, A- dot b at x, a- dot b",
		"a is not equal to b, a plus b":      "a- is not equal to b, a- plus b",
		"a plus for us, a and b, a or an":    "a plus for us, a- and b, a or an",
		"a C I A agent, a U A E firm":        "a C I A- agent, a U A- E firm",
		"a A-four sheet, a B movie":          "a A-four sheet, a B movie",
		"A T-shirt. A U-turn is":             "A T-shirt. A U-turn is",
		"A K-forty-seven, A I-based":         "A- K-forty-seven, A- I-based",
		"a dot com company, a dog":           "a dot com company, a dog",
		"A line\nA dog barked\nA I":          "A line\nA dog barked\nA- I",
		"the\nA team":                        "the\nA- team",
		"A's, A., A-level, NASA A":           "A's, A., A-level, NASA A",
		"It is an A in math, an A.":          "It is an A- in math, an A.",
		"He is a “friend”":                   "He is a “friend”",
	} {
		assert.Equal(t, want, phonemes.HyphenateLetterA(text))
	}
}

func TestEnglishReadsShortAcronymsAsWords(t *testing.T) {
	for text, want := range map[string]string{
		"C sharp slash dot NET, a ZIP file": "C sharp slash dot net, a zip file",
		"LIV Golf, the RAM's size, A I":     "liv Golf, the ram's size, A- I",
		"NASA, the FBI, ZIPPER, F B I":      "NASA, the FBI, ZIPPER, F B I",
	} {
		assert.Equal(t, want, phonemes.English(text))
	}
}

func TestHyphenateLetterA(t *testing.T) {
	for text, want := range map[string]string{
		"A I is here.":                "A- I is here.",
		"The F A Q and the C I A man": "The F A- Q and the C I A- man",
		"the U S A team":              "the U S A- team",
		"(A T M) at five A M.":        "(A- T M) at five A- M.",
		"A T and T, in A D 79":        "A- T and T, in A- D 79",
		"A dog. A US spy. An A.":      "A dog. A US spy. An A.",
		"A or B? A is it.":            "A- or B? A- is it.",
		"From A to Z, A to-do list":   "From A- to Z, A to-do list",
		"A means to an end":           "A means to an end",
		"twelve A Elm, grade-A beef":  "twelve A- Elm, grade-A- beef",
		"A not B, a b c, a b dog":     "A- not B, a- b c, a b dog",
		"a not uncommon mistake":      "a not uncommon mistake",
		"A not uncommon mistake":      "A not uncommon mistake",
		"a not equal to b":            "a- not equal to b",
		"take one vitamin a day":      "take one vitamin a day",
		"one Vitamin a week, please":  "one Vitamin a week, please",
		"vitamin a deficiency":        "vitamin a- deficiency",
		"HAD I A DOG, a b":            "HAD I A DOG, a b",
		"":                            "",
	} {
		assert.Equal(t, want, phonemes.HyphenateLetterA(text))
	}
}
