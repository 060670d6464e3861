package tokens

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

// byteKit is what the Python package tokenizers returned for a byte-level tokenizer.
type byteKit struct {
	Cases []struct {
		Text        string   `json:"text"`
		IDs         []int    `json:"ids"`
		Tokens      []string `json:"tokens"`
		Special     []int    `json:"ids_special"`
		Decode      string   `json:"decode"`
		SkipSpecial string   `json:"decode_skip_special"`
		Pieces      []string `json:"pieces"`
	} `json:"cases"`
}

// multiKit is what it returned for three tokenizers in the manner of Chatterbox Multilingual.
type multiKit struct {
	Cases []multiCase `json:"cases"`
	Raw   []multiCase `json:"raw"`
}

type multiCase struct {
	Text      string   `json:"text"`
	Prepared  string   `json:"prepared"`
	Card      string   `json:"card_prepared"`
	IDs       []int    `json:"ids"`
	B         []int    `json:"ids_b"`
	C         []int    `json:"ids_c"`
	NoSpecial []int    `json:"ids_no_special"`
	CardIDs   []int    `json:"card_ids"`
	Tokens    []string `json:"tokens"`
}

func openBPE(t testing.TB, parts ...string) *BPE {
	t.Helper()
	b, err := ReadBPE(readFile(t, kit(t, "bpe", parts...)))
	require.NoError(t, err)
	return b
}

func tokensOf(b *BPE, ids []int) []string {
	texts := []string{}
	for _, id := range ids {
		texts = append(texts, b.texts[id])
	}
	return texts
}

func TestByteLevelMatchesTheKit(t *testing.T) {
	enginetest.Parity(t)
	k := readJSON[byteKit](t, kit(t, "bpe", "bytelevel", "cases.json"))
	b := openBPE(t, "bytelevel", "tokenizer.json")
	require.NotEmpty(t, k.Cases)
	for _, c := range k.Cases {
		ids := append([]int{}, b.Encode(c.Text, false)...)
		special := b.Encode(c.Text, true)
		assert.Equal(t, c.IDs, ids, "%q", c.Text)
		assert.Equal(t, c.Tokens, tokensOf(b, ids), "%q", c.Text)
		assert.Equal(t, c.Special, append([]int{}, special...), "%q", c.Text)
		assert.Equal(t, c.Decode, b.Decode(c.IDs, true), "%q", c.Text)
		assert.Equal(t, c.SkipSpecial, b.Decode(c.Special, false), "%q", c.Text)
		pieces := []string{}
		split(b.splitters, c.Text, func(part string) { pieces = append(pieces, part) })
		assert.Equal(t, c.Pieces, pieces, "%q", c.Text)
	}
	t.Logf("%d texts", len(k.Cases))
}

func TestMultilingualMatchesTheKit(t *testing.T) {
	enginetest.Parity(t)
	k := readJSON[multiKit](t, kit(t, "bpe", "multilingual", "cases.json"))
	a := openBPE(t, "multilingual", "tokenizer.json")
	b := openBPE(t, "multilingual", "tokenizer_b.json")
	c := openBPE(t, "multilingual", "tokenizer_c.json")
	check := func(text string, want multiCase) {
		t.Helper()
		assert.Equal(t, want.IDs, a.Encode(text, true), "A: %q", text)
		assert.Equal(t, want.C, c.Encode(text, true), "C: %q", text)
	}
	require.NotEmpty(t, k.Cases)
	for _, want := range k.Cases {
		check(want.Prepared, want)
		assert.Equal(t, want.B, b.Encode(strings.ReplaceAll(want.Prepared, " ", "[SPACE]"), true), "B: %q", want.Prepared)
		assert.Equal(t, want.Tokens, tokensOf(a, want.IDs))
		assert.Equal(t, want.NoSpecial, a.Encode(want.Prepared, false), "%q", want.Prepared)
		assert.Equal(t, want.CardIDs, a.Encode(want.Card, true), "%q", want.Card)
	}
	for _, want := range k.Raw {
		check(want.Text, want)
		assert.Equal(t, want.B, b.Encode(want.Text, true), "B: %q", want.Text)
	}
	t.Logf("%d prepared and %d plain texts, 3 tokenizers", len(k.Cases), len(k.Raw))
}
