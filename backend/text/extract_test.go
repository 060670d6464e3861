package text_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/voicewright/voicewright/backend/text"
)

func TestExtract(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in, plain string
		marks     []text.Mark
	}{
		{"Plain [laughs] text.", "Plain [laughs] text.", nil},
		{"Wait [pause 1s] here.", "Wait here.", []text.Mark{{At: 5, From: 5, To: 16}}},
		{"[pause 1s] Hello", "Hello", []text.Mark{{At: 0, From: 0, To: 11}}},
		{"Hello[pause 1s]you", "Hello you", []text.Mark{{At: 6, From: 5, To: 15}}},
		{"I use [[nginx|engine ex]] daily", "I use nginx daily", []text.Mark{{At: 6, Size: 5, From: 6, To: 25}}},
		{"A <b>bold</b> word", "A bold word", []text.Mark{{At: 2, From: 2, To: 5}, {At: 6, From: 9, To: 13}}},
		{"So [pause] so", "So [pause] so", nil},
		{"1 < 2 [1]", "1 < 2 [1]", nil},
	} {
		plain, marks := text.Extract(c.in)
		assert.Equal(t, c.plain, plain, c.in)
		assert.Equal(t, c.marks, marks, c.in)
	}
}
