package tokens

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const smallVocabulary = `"vocab": {"a": 0, "b": 1, "ab": 2, "?": 3, " ": 4}, "unk_token": "?"`

// tokenizerJSON returns a tokenizer.json file with the tokens a, b and ab, and these fields.
func tokenizerJSON(fields string) string {
	return fmt.Sprintf(`{"model": {"type": "BPE", %s, "merges": ["a b"]}, %s}`, smallVocabulary, fields)
}

func modelJSON(fields string) string { return fmt.Sprintf(`{"model": {"type": "BPE", %s}}`, fields) }

func TestDamagedTokenizerFilesAreErrors(t *testing.T) {
	manyTimes := func(n int, s string) string { return strings.TrimSuffix(strings.Repeat(s+",", n), ",") }
	growing := `{"type": "Replace", "pattern": {"String": "a"}, "content": "` + strings.Repeat("a", 500) + `"}`
	for name, c := range map[string]struct{ raw, want string }{
		"empty":                   {"", "JSON"},
		"cut":                     {tokenizerJSON(`"x": 1`)[:60], "JSON"},
		"deep":                    {strings.Repeat("[", 20_000), "depth"},
		"no model":                {"{}", "not supported"},
		"other model":             {`{"model": {"type": "Unigram", "vocab": {}}}`, `"Unigram" are not supported`},
		"no tokens":               {modelJSON(`"vocab": {}`), "no tokens"},
		"dropout":                 {modelJSON(`"vocab": {"a": 0}, "dropout": 0.1`), "dropout"},
		"byte fallback":           {modelJSON(`"vocab": {"a": 0}, "byte_fallback": true`), "byte fallback"},
		"negative id":             {modelJSON(`"vocab": {"a": -1}`), "id -1"},
		"huge id":                 {modelJSON(`"vocab": {"a": 99999999}`), "id 99999999"},
		"id as text":              {modelJSON(`"vocab": {"a": "0"}`), "cannot unmarshal"},
		"an id twice":             {modelJSON(`"vocab": {"a": 7, "b": 7}`), "id 7 occurs twice"},
		"long token":              {modelJSON(`"vocab": {"` + strings.Repeat("x", maxToken+1) + `": 0}`), "bytes"},
		"unknown merge":           {modelJSON(`"vocab": {"a": 0, "b": 1}, "merges": ["a b"]`), "unknown token"},
		"merge of one":            {modelJSON(`"vocab": {"a": 0}, "merges": ["a"]`), "1 parts"},
		"merge of three":          {modelJSON(`"vocab": {"a": 0}, "merges": [["a", "a", "a"]]`), "3 parts"},
		"merge of number":         {modelJSON(`"vocab": {"a": 0}, "merges": [1]`), "neither"},
		"no such unknown":         {modelJSON(`"vocab": {"a": 0}, "unk_token": "?"`), "no token"},
		"added huge id":           {tokenizerJSON(`"added_tokens": [{"id": 99999999, "content": "x"}]`), "id 99999999"},
		"normalizer":              {tokenizerJSON(`"normalizer": {"type": "Strip"}`), `normalizer "Strip"`},
		"normalizer's pattern":    {tokenizerJSON(`"normalizer": {"type": "Replace", "content": "a"}`), "no pattern"},
		"look-ahead":              {tokenizerJSON(`"normalizer": {"type": "Replace", "pattern": {"Regex": "a(?=b)"}}`), "(?="},
		"empty pattern":           {tokenizerJSON(`"normalizer": {"type": "Replace", "pattern": {"String": ""}}`), "empty"},
		"pattern ends in the air": {tokenizerJSON(`"normalizer": {"type": "Replace", "pattern": {"Regex": "a\\"}}`), "backslash"},
		"negated inside brackets": {tokenizerJSON(`"normalizer": {"type": "Replace", "pattern": {"Regex": "[\\S]"}}`), "brackets"},
		"texts that grow and grow": {
			tokenizerJSON(`"normalizer": {"type": "Sequence", "normalizers": [` + manyTimes(8, growing) + `]}`), "too long",
		},
		"too many normalizers": {
			tokenizerJSON(`"normalizer": {"type": "Sequence", "normalizers": [` + manyTimes(9, `{"type": "NFC"}`) + `]}`), "9 steps",
		},
		"sequence in a sequence": {
			tokenizerJSON(`"normalizer": {"type": "Sequence", "normalizers": [{"type": "Sequence"}]}`), `"Sequence"`,
		},
		"pre-tokenizer":      {tokenizerJSON(`"pre_tokenizer": {"type": "Digits"}`), `pre-tokenizer "Digits"`},
		"no split pattern":   {tokenizerJSON(`"pre_tokenizer": {"type": "Split", "behavior": "Removed"}`), "no pattern"},
		"split behaviour":    {tokenizerJSON(`"pre_tokenizer": {"type": "Split", "pattern": {"String": "a"}, "behavior": "Merged"}`), "Merged"},
		"bytes before words": {tokenizerJSON(`"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "ByteLevel"}, {"type": "Whitespace"}]}`), "after ByteLevel"},
		"post-processor":     {tokenizerJSON(`"post_processor": {"type": "Bert"}`), "post-processor"},
		"template without text": {
			tokenizerJSON(`"post_processor": {"type": "TemplateProcessing", "single": []}`), "0 times",
		},
		"template with an unknown token": {
			tokenizerJSON(`"post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "x"}}]}`), `unknown token "x"`,
		},
		"template with a pair": {
			tokenizerJSON(`"post_processor": {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "B"}}]}`), "neither",
		},
		"endless template": {
			tokenizerJSON(`"post_processor": {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A"}}, ` +
				manyTimes(65, `{"SpecialToken": {"id": "x"}}`) + `], "special_tokens": {"x": {"ids": [1]}}}`), "65 ids",
		},
		"decoder": {tokenizerJSON(`"decoder": {"type": "Metaspace"}`), "decoder"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadBPE([]byte(c.raw))
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestStepsOfTokenizerFiles(t *testing.T) {
	for name, c := range map[string]struct {
		fields, text string
		want         []int
	}{
		"nothing":        {`"x": 0`, "ab cb", []int{2, 4, 3, 1}},
		"lower case":     {`"normalizer": {"type": "Lowercase"}`, "AB", []int{2}},
		"regexp":         {`"normalizer": {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}`, "a\u3000\n b", []int{0, 4, 1}},
		"words":          {`"pre_tokenizer": {"type": "Whitespace"}`, " ab?a b", []int{2, 3, 0, 1}},
		"split":          {`"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "a"}, "behavior": "Isolated"}`, "ab", []int{0, 1}},
		"split, removed": {`"pre_tokenizer": {"type": "Split", "pattern": {"String": "a"}, "behavior": "Removed"}`, "abab", []int{1, 1}},
		"split, inverted": {
			`"pre_tokenizer": {"type": "Split", "pattern": {"String": "a"}, "behavior": "Removed", "invert": true}`, "abab", []int{0, 0},
		},
		"spaces beside an added token": {
			`"added_tokens": [{"id": 9, "content": "<x>", "lstrip": true, "rstrip": true}]`, "a <x>  b", []int{0, 9, 1},
		},
		"an added token in a word": {`"added_tokens": [{"id": 9, "content": "ab", "single_word": true}]`, "ab abb", []int{9, 4, 2, 1}},
		"the longest added token":  {`"added_tokens": [{"id": 8, "content": "a"}, {"id": 9, "content": "ab"}]`, "aab", []int{8, 9}},
		"an added token in lower case": {
			`"normalizer": {"type": "Lowercase"}, "added_tokens": [{"id": 9, "content": "<X>", "normalized": true}]`, "A<x>B", []int{0, 9, 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := ReadBPE([]byte(tokenizerJSON(c.fields)))
			require.NoError(t, err)
			assert.Equal(t, c.want, b.Encode(c.text, true))
		})
	}
}

func TestModelOptions(t *testing.T) {
	for fields, want := range map[string][]int{
		`"merges": []`:                        {0, 1, 3, 3},
		`"merges": [], "fuse_unk": true`:      {0, 1, 3},
		`"merges": [], "ignore_merges": true`: {0, 1, 3, 3},
	} {
		b, err := ReadBPE([]byte(modelJSON(smallVocabulary + "," + fields)))
		require.NoError(t, err)
		assert.Equal(t, want, b.Encode("abxy", true), fields)
	}
	b, err := ReadBPE([]byte(modelJSON(smallVocabulary + `, "ignore_merges": true`)))
	require.NoError(t, err)
	assert.Equal(t, []int{2}, b.Encode("ab", true))
	b, err = ReadBPE([]byte(modelJSON(`"vocab": {"a": 0}`)))
	require.NoError(t, err)
	assert.Equal(t, []int{0}, b.Encode("xa", true), "without an unknown token, unknown characters are left out")
	id, ok := b.ID("a")
	assert.True(t, ok)
	assert.Zero(t, id)
	_, ok = b.ID("b")
	assert.False(t, ok)
}

func TestNFKD(t *testing.T) {
	marks := strings.Repeat("\u0301", 40)
	for text, want := range map[string]string{
		"plain":                      "plain",
		"é":                          "e\u0301",
		"ﬁ½":                         "fi1⁄2",
		"한":                          "\u1112\u1161\u11ab",
		"a\u0301\u0323":              "a\u0323\u0301",
		"e" + marks + "\u0323" + "x": "e\u0323" + marks + "x",
	} {
		assert.Equal(t, want, NFKD(text))
	}
}

func TestLossyReplacesEachCutOffCharacterOnce(t *testing.T) {
	for raw, want := range map[string]string{
		"a\xe2\x96b": "a\ufffdb", "\xf0\x9f\x98": "\ufffd", "\xff\xfe": "\ufffd\ufffd", "\xed\xa0\x80": "\ufffd\ufffd\ufffd",
		"\xc0\x80": "\ufffd\ufffd", "é": "é", "\ufffd": "\ufffd",
	} {
		assert.Equal(t, want, lossy(raw), "%q", raw)
	}
}
