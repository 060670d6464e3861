package phonemes_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/engines/phonemes"
)

func TestCut(t *testing.T) {
	for text, want := range map[string][]phonemes.Part{
		"":                     nil,
		"no block":             {{Text: "no block"}},
		"a [[ə b]], [[c]][[]]": {{Text: "a "}, {Text: "ə b", Block: true}, {Text: ", "}, {Text: "c", Block: true}, {Block: true}},
		"[[a":                  {{Text: "[[a"}},
		"a]] [[b\nc]]":         {{Text: "a]] [[b\nc]]"}},
	} {
		require.Equal(t, want, phonemes.Cut(text), text)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("[]a ə\n"))).Draw(t, "text")
		back := ""
		for _, p := range phonemes.Cut(text) {
			if p.Block {
				p.Text = "[[" + p.Text + "]]"
			}
			back += p.Text
		}
		require.Equal(t, text, back)
	})
}

func TestWords(t *testing.T) {
	require.Equal(t, []string{"“Say", "[[a b]]s,”", "—", "please!"}, phonemes.Words(" “Say [[a b]]s,”\n— please! "))
	require.Empty(t, phonemes.Words(" \n"))
}
