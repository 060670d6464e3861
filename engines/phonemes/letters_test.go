package phonemes_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/voicewright/voicewright/engines/phonemes"
)

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
		"Had I A dog, a b":            "Had I A dog, a b",
		"":                            "",
	} {
		assert.Equal(t, want, phonemes.HyphenateLetterA(text))
	}
}
