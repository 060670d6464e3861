package tokens

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

// FuzzReadSentencePiece reads any file and, where it is a model, uses it.
func FuzzReadSentencePiece(f *testing.F) {
	f.Add(smallModel(modelUnigram, true, 'a', 'b'), "ab c")
	f.Add(smallModel(modelUnigram, false, 'a', '▁'), "ab  c")
	f.Add(smallModel(modelBPE, false, 'a', 'b'), "ab c")
	f.Add(withTable(1, endsKey, "a\x00"), "akk")
	f.Fuzz(func(t *testing.T, raw []byte, text string) {
		s, err := ReadSentencePiece(raw)
		if err != nil {
			return
		}
		ids := s.Encode(text)
		for _, id := range ids {
			assert.True(t, id >= 0 && id < s.Size(), "id %d of %d", id, s.Size())
		}
		s.Decode(append(ids, -1, s.Size()))
	})
}

// FuzzSentencePieceText encodes and decodes any text. A model that keeps all spaces and has byte fallback loses nothing.
func FuzzSentencePieceText(f *testing.F) {
	var models []*SentencePiece
	for _, name := range []string{
		"bpe_bytefallback", "unigram_nmt_nfkc", "unigram_identity_suffix", "unigram_identity", "unigram_identity_noprefix",
		"pocket_english",
	} {
		models = append(models, openSentencePiece(f, kit(f, "sentencepiece", "models", name+".model")))
	}
	for _, c := range readJSON[spKit](f, kit(f, "sentencepiece", "cases.json")).Strings {
		f.Add(c.bytes(f))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for i, s := range models {
			decoded := s.Decode(s.Encode(text))
			if i >= 3 && utf8.ValidString(text) && !strings.Contains(text, space) {
				assert.Equal(t, text, decoded)
			}
		}
	})
}

// FuzzReadBPE reads any file and, where it is a tokenizer, uses it.
func FuzzReadBPE(f *testing.F) {
	for _, file := range []string{
		tokenizerJSON(`"pre_tokenizer": {"type": "ByteLevel"}, "decoder": {"type": "ByteLevel"}`),
		tokenizerJSON(`"normalizer": {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": "ab"}`),
		tokenizerJSON(`"pre_tokenizer": {"type": "Split", "pattern": {"String": "a"}, "behavior": "Isolated"}`),
		tokenizerJSON(`"added_tokens": [{"id": 9, "content": "[x]", "lstrip": true, "single_word": true, "normalized": true}]`),
	} {
		f.Add([]byte(file), "ab [x] Äc")
	}
	f.Fuzz(func(t *testing.T, raw []byte, text string) {
		b, err := ReadBPE(raw)
		if err != nil {
			return
		}
		ids := b.Encode(text, true)
		for _, id := range ids {
			assert.Contains(t, b.texts, id)
		}
		b.Decode(append(ids, -1, maxTokenID), true)
	})
}

// FuzzBPEText encodes and decodes any text. A model at byte level loses nothing.
func FuzzBPEText(f *testing.F) {
	bytes := openBPE(f, "bytelevel", "tokenizer.json")
	a := openBPE(f, "multilingual", "tokenizer.json")
	c := openBPE(f, "multilingual", "tokenizer_c.json")
	for _, want := range readJSON[byteKit](f, kit(f, "bpe", "bytelevel", "cases.json")).Cases {
		f.Add(want.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		assert.Equal(t, strings.ToValidUTF8(text, "\uFFFD"), bytes.Decode(bytes.Encode(text, false), true))
		a.Decode(a.Encode(text, true), true)
		c.Decode(c.Encode(text, true), true)
	})
}
