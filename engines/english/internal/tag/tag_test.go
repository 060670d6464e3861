package tag_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/english/internal/dictionary"
	"github.com/voicewright/voicewright/engines/english/internal/tag"
	"github.com/voicewright/voicewright/engines/english/internal/token"
)

func TestTags(t *testing.T) {
	d, err := dictionary.Open(false)
	require.NoError(t, err)
	for _, c := range []struct{ text, word, tag string }{
		{"A dog barked.", "A", "DT"},
		{"Vitamin A.", "A", "NN"},
		{"A B Smith", "A", "NN"},
		{"It is a — friend.", "a", "DT"},
		{"I know.", "I", "PRP"},
		{"The F B I came.", "I", "NNP"},
		{"It was George I , then.", "I", "CD"},
		{"That's it.", "'s", "VBZ"},
		{"Ann's dog", "'s", "POS"},
		{"It is 5 am.", "am", "NN"},
		{"I am here.", "am", "VBP"},
		{"five hundred", "hundred", "NN"},
		{"5 hundred", "hundred", "CD"},
		{"Come in and sit.", "in", "RB"},
		{"He wrote in ink.", "in", "IN"},
		{"By and by he came.", "by", "RB"},
		{"I like that.", "that", "DT"},
		{"He said that it rains.", "that", "IN"},
		{"It was possible that, when he came, she left.", "that", "IN"},
		{"They did that often.", "that", "DT"},
		{"Isn't that clear?", "that", "DT"},
		{"It is late, so that means trouble.", "that", "DT"},
		{"The truth is that virtue and hard work prevail.", "that", "IN"},
		{"It was that man.", "that", "DT"},
		{"Something that's loose will fall.", "that", "IN"},
		{"They asserted that slavery would end.", "that", "IN"},
		{"Multiply that by two.", "that", "DT"},
		{"Please say that again.", "that", "DT"},
		{"It is not that much.", "that", "RB"},
		{"I will read it.", "read", "VB"},
		{"I read it.", "read", "VBD"},
		{"She has read it.", "read", "VBN"},
		{"Sit down and read it.", "read", "VB"},
		{"He took the book and read it.", "read", "VBD"},
		{"We love live music.", "live", "JJ"},
		{"They live here.", "live", "VB"},
		{"Anna lives in Rome.", "lives", "VBZ"},
		{"Nine lives", "lives", ""},
		{"It was a close race.", "close", "JJ"},
		{"The day drew to a close.", "close", "NN"},
		{"I am used to it.", "used", "JJ"},
		{"It is used to cut.", "used", "VBN"},
		{"A learned man", "learned", "JJ"},
		{"He broke the record.", "record", "NN"},
		{"We record music.", "record", "VB"},
		{"from hand to mouth.", "mouth", "NN"},
		{"He walks and records it.", "records", "VB"},
		{"You must NOT go.", "NOT", "VB"},
		{"The FBI came.", "FBI", "NNP"},
		{"In Rome, Ann slept.", "Rome", "NNP"},
	} {
		tokens := token.Tokenize(c.text)
		got := "no such word"
		for i, tagged := range tag.Tags(d, tokens) {
			if tokens[i].Text == c.word {
				got = tagged
			}
		}
		assert.Equal(t, c.tag, got, "%s in %q", c.word, c.text)
	}
}
