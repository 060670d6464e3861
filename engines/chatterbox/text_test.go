package chatterbox

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/python"
	"github.com/voicewright/voicewright/engines/tokens"
)

// readText reads a file of the kit of tokenizers, whose copy is beside package tokens.
func readText(t *testing.T, v any, parts ...string) {
	t.Helper()
	path := filepath.Join(append([]string{textKit(t)}, parts...)...)
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, v))
}

func textKit(t *testing.T) string {
	t.Helper()
	return enginetest.Kit(t, "bpe", filepath.Join("..", "tokens", "testdata", "kit", "bpe"))
}

func TestPunctuationMatchesTheKit(t *testing.T) {
	enginetest.Parity(t)
	var cases []struct{ Text, Turbo, Multilingual, English string }
	readText(t, &cases, "punc_norm.json")
	require.NotEmpty(t, cases)
	english := marksOf{multilingualMarks.replaced, turboMarks.ends} // of the first model, which is not among the editions
	for _, c := range cases {
		assert.Equal(t, c.Turbo, punctuate(c.Text), "%q", c.Text)
		assert.Equal(t, c.Multilingual, multilingualMarks.tidy(c.Text), "%q", c.Text)
		assert.Equal(t, c.English, english.tidy(c.Text), "%q", c.Text)
	}
	t.Logf("%d texts, 3 editions", len(cases))
}

// languageCase is a text at each step of the reference implementation.
type languageCase struct {
	Language       string  `json:"lang"`
	Text           string  `json:"text"`
	Tidy           string  `json:"punc_norm"`
	Lower          string  `json:"lower"`
	NFKD           string  `json:"nfkd"`
	Letters        string  `json:"language"`
	Prepared       string  `json:"prepared"`
	IDs            []int   `json:"ids"`
	WithoutLibrary *string `json:"language_without_library"`
	WithoutIDs     []int   `json:"ids_without_library"`
}

func TestMultilingualTextMatchesTheKit(t *testing.T) {
	enginetest.Parity(t)
	var k struct{ Cases []languageCase }
	readText(t, &k, "multilingual", "cases.json")
	require.NotEmpty(t, k.Cases)
	raw, err := os.ReadFile(filepath.Join(textKit(t), "multilingual", "Cangjie5_TC.json"))
	require.NoError(t, err)
	table, err := readCangjie(raw)
	require.NoError(t, err)
	raw, err = os.ReadFile(filepath.Join(textKit(t), "multilingual", "tokenizer.json"))
	require.NoError(t, err)
	bpe, err := tokens.ReadBPE(raw)
	require.NoError(t, err)
	counts := map[string]int{}
	for _, c := range k.Cases {
		letters, prepared, ids := c.Letters, c.Prepared, c.IDs
		if c.WithoutLibrary != nil {
			letters, prepared, ids = *c.WithoutLibrary, "["+c.Language+"]"+*c.WithoutLibrary, c.WithoutIDs
		}
		assert.Equal(t, c.Tidy, multilingualMarks.tidy(c.Text), "%q", c.Text)
		assert.Equal(t, c.Lower, python.Lower(c.Tidy), "%q", c.Text)
		assert.Equal(t, c.NFKD, tokens.NFKD(c.Lower), "%q", c.Text)
		assert.Equal(t, letters, languageText(c.Language, c.NFKD, table), "%q", c.Text)
		assert.Equal(t, prepared, prepareText(c.Language, c.Text, table), "%q", c.Text)
		assert.Equal(t, ids, bpe.Encode(prepareText(c.Language, c.Text, table), true), "%q", c.Text)
		counts[c.Language]++
	}
	t.Logf("%d texts: %v", len(k.Cases), counts)
}

func TestCangjieTables(t *testing.T) {
	table, err := readCangjie([]byte(`["一\tm", "丨\tm", "丨\tm", "二\tmm\tmore", "二\tnn", "一二\tzz", "x\tq"]`))
	require.NoError(t, err)
	assert.Equal(t, "[cj_m][cj_.][cj_m][cj_1][cj_.][cj_n][cj_n][cj_.]三x", table.spell("一丨二三x"))
	assert.Equal(t, "一", cangjie(nil).spell("一"), "without the table, characters stay as they are")
	for _, damaged := range []string{"", "{}", `["x"]`, `[1]`} {
		_, err := readCangjie([]byte(damaged))
		require.Error(t, err, damaged)
	}
}

// FuzzText reads any table and prepares any text; no text becomes empty.
func FuzzText(f *testing.F) {
	f.Add([]byte(`["一\tm", "丨\tm"]`), "zh", "一丨 ABC … İΣ")
	f.Add([]byte(`[]`), "ko", " 한국어 ")
	f.Fuzz(func(t *testing.T, raw []byte, language, text string) {
		table, err := readCangjie(raw)
		if err != nil {
			table = nil
		}
		assert.NotEmpty(t, punctuate(text))
		assert.Greater(t, len(prepareText(language, text, table)), len("[]"+language))
	})
}
