package tags_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/enhance"
	"github.com/voicewright/voicewright/backend/service/tags"
)

func TestOnlyInserted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		original, enhanced string
		want               bool
	}{
		{"Hello world.", "Hello world.", true},
		{"Hello world.", "[happy] Hello world.", true},
		{"Hello world.", "Hello [sighs] world.", true},
		{"Hello world.", "Hello world. [laughs]", true},
		{"Hello world.", "[a] [b] Hello [c d] world.", true},
		{"“Run!”", "“[shouts] Run!”", true},
		{"終わり。始め", "終わり。[sad] 始め", true},
		{"a\n\nb", "a\n\n[sad] b", true},
		{"[laughs] Hi", "[laughs] Hi", true},
		{"[laughs] Hi", "[laughs] [happy] Hi", true},
		{"[laughs] Hi", "[laughs] [laughs] Hi", true},
		{"[laughs] Hi", "Hi", false},
		{"[laughs] Hi", "[cries] Hi", false},
		{"See [1].", "See [2].", false},
		{"open [ bracket", "[sad] open [ bracket", true},
		{"open ] bracket", "open ] [sad] bracket", true},
		{"Hello", "Hel[sad]lo", false},
		{"Hello", "Hel [sad] lo", false},
		{"e\u0301a", "e[sad]\u0301a", false},
		{"Hello", "Hello ", false},
		{"Hello", "hello", false},
		{"Hello world", "Hello  world", false},
		{"Hello", "[] Hello", false},
		{"Hello", "[sad Hello", false},
		{"Hello", "[sad\n] Hello", false},
		{"Hello", "", false},
		{"Hello", "[Hello]", false},
	} {
		assert.Equal(t, c.want, tags.OnlyInserted(c.original, c.enhanced), "%q -> %q", c.original, c.enhanced)
	}
}

// The check agrees with the enhancer that the program uses, whatever the text.
func TestOnlyInsertedAcceptsTheEnhancer(t *testing.T) {
	t.Parallel()
	golden, err := filepath.Glob("../enhance/testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, golden)
	for _, path := range golden {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		_, text, _ := strings.Cut(string(raw), "\n")
		for _, v := range []*service.Voice{nil, {Gender: "female", Language: "en"}, {Gender: "male", Language: "de"}, {Gender: "female", Language: "it"}} {
			enhanced, err := enhance.Enhancer{}.Enhance(t.Context(), text, v)
			require.NoError(t, err)
			assert.True(t, tags.OnlyInserted(text, enhanced), enhanced)
		}
	}
	piece := rapid.SampledFrom([]string{
		"Haha!", " ", "[", "]", "[sad]", "“", "”", " she whispered", "?!", "...", "\n", "Um", "ä", "😂", "好", "I'm so happy", ".", "\u0301",
	})
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 1, 30).Draw(rt, "pieces"), "")
		enhanced, err := enhance.Enhancer{}.Enhance(t.Context(), text, nil)
		require.NoError(rt, err)
		require.True(rt, tags.OnlyInserted(text, enhanced), "%q -> %q", text, enhanced)
	})
}

// A changed character is found, wherever it is.
func TestOnlyInsertedFindsChanges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		text := []rune(rapid.StringMatching(`[a-z \[\]]{1,40}`).Draw(rt, "text"))
		at := rapid.IntRange(0, len(text)-1).Draw(rt, "at")
		changed := append([]rune(nil), text...)
		changed[at] = 'X'
		require.False(rt, tags.OnlyInserted(string(text), string(changed)) && utf8.ValidString(string(text)))
	})
}
