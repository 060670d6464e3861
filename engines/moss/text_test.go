package moss

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/tokens"
)

// textKit is what the makers' scripts made of texts.
type textKit struct {
	Normalize []struct{ Text, Normalized string }
	Chunking  []struct {
		Text     string
		Max      int `json:"max_tokens"`
		Prepared string
		Chunks   []string
		Counts   []int     `json:"token_counts"`
		Pauses   []float64 `json:"pause_seconds_after"`
	}
}

func readTexts[T any](t *testing.T, name string) T {
	t.Helper()
	raw, err := os.ReadFile(kit(t, name))
	require.NoError(t, err)
	var v T
	require.NoError(t, json.Unmarshal(raw, &v))
	return v
}

func kitTokenizer(t testing.TB) *tokens.SentencePiece {
	t.Helper()
	raw, err := os.ReadFile(kit(t, repos, speechRepo, "tokenizer.model"))
	require.NoError(t, err)
	tokenizer, err := tokens.ReadSentencePiece(raw)
	require.NoError(t, err)
	return tokenizer
}

func TestTokenizerMatchesTheKit(t *testing.T) {
	enginetest.Parity(t)
	k := readTexts[struct {
		Size  int `json:"vocab_size"`
		Cases []struct {
			Text, Decode string
			IDs          []int
		}
	}](t, "tokenizer_cases.json")
	tokenizer := kitTokenizer(t)
	assert.Equal(t, k.Size, tokenizer.Size())
	require.NotEmpty(t, k.Cases)
	for _, c := range k.Cases {
		assert.Equal(t, c.IDs, append([]int{}, tokenizer.Encode(c.Text)...), "%q", c.Text)
		assert.Equal(t, c.Decode, tokenizer.Decode(c.IDs), "%q", c.Text)
	}
	t.Logf("%d texts", len(k.Cases))
}

func TestTextMatchesTheKit(t *testing.T) {
	enginetest.Parity(t)
	k := readTexts[textKit](t, "text_cases.json")
	require.NotEmpty(t, k.Normalize)
	require.NotEmpty(t, k.Chunking)
	for _, c := range k.Normalize {
		assert.Equal(t, c.Normalized, normalize(c.Text), "%q", c.Text)
	}
	tokenizer := kitTokenizer(t)
	count := func(text string) int { return len(tokenizer.Encode(text)) }
	for _, c := range k.Chunking {
		parts := append([]string{}, splitter{c.Max, count}.split(c.Text)...)
		assert.Equal(t, c.Chunks, parts, "%q, %d ids", c.Text, c.Max)
		if c.Prepared != "" { // the spaces before a short text never reach a part
			assert.Equal(t, strings.TrimLeft(c.Prepared, " "), prepare(strings.TrimSpace(c.Text)))
		}
		counts, pauses := []int{}, []float64{}
		for _, part := range parts {
			counts, pauses = append(counts, count(part)), append(pauses, pauseAfter(part))
		}
		assert.Equal(t, c.Counts, counts, "%q", c.Text)
		assert.Equal(t, c.Pauses, pauses, "%q", c.Text)
	}
	t.Logf("%d texts normalized, %d split", len(k.Normalize), len(k.Chunking))
}

func TestNamesInsideOfNamesAreRestored(t *testing.T) {
	for text, want := range map[string]string{
		"URL:https://example.com/a_b":  "URL:https://example.com/a_b。",
		"mail:me@example.com, please.": "mail:me@example.com, please.",
		"a ___PROT7___ b":              "a ___PROT7___ b。",
	} {
		assert.Equal(t, want, normalize(text))
	}
}

// A text of many characters is prepared and split in time that grows with its length, not with its square.
func TestLongTexts(t *testing.T) {
	count := func(text string) int { return utf8.RuneCountInString(text) }
	for _, part := range []string{"a", "中", "%", "1.", "@", "#", "《", "《a", "a@b.", "[", "_", " ", "。《x》", "___PROT0___", "\n"} {
		text := strings.Repeat(part, 5_000/len(part))
		parts := splitter{75, count}.split(normalize(text))
		for _, p := range parts {
			assert.LessOrEqual(t, count(p), 76, "%q", part)
		}
	}
}

// FuzzText normalizes and splits any text; every part fits and none is empty.
func FuzzText(f *testing.F) {
	for _, text := range []string{"", "Hello [laugh] world -> 中文abc", "me@x.com #tag_1 r/a .env v1.2 https://a.b/c_d", "《a》。 “b”\n- c"} {
		f.Add(text, 5)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if limit < 1 || limit > 1000 {
			return
		}
		s := splitter{limit, func(text string) int { return utf8.RuneCountInString(strings.Join(strings.Fields(text), " ")) }}
		for _, part := range s.split(normalize(text)) {
			assert.NotEmpty(t, part)
			assert.LessOrEqual(t, s.count(part), limit+1, "%q", part) // a space between two joined parts is not counted
		}
	})
}
