package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/text"
)

func TestForeign(t *testing.T) {
	for _, c := range []struct {
		text, language string
		want           []string
	}{
		{"Plain text, déjà vu: 15 + 3 = 18.", "en", nil},
		{"Hi😀 and ★, 😀 again", "en", []string{"😀", "★"}},
		{"On १५ अगस्त १९४७ it", "en", []string{"१५", "अगस्त", "१९४७"}},
		{"१५ अगस्त and привет", "hi", []string{"привет"}},
		{"Привет, мир", "ru-RU", nil},
		{"これは日本語です。", "ja", nil},
		{"我爱 한국", "zh", []string{"한국"}},
		{"[[字|word]] and [[字]]", "en", []string{"字"}},
		{"👩‍👩‍👧 there", "de", []string{"👩‍👩‍👧"}},
	} {
		require.Equal(t, c.want, text.Foreign(c.text, text.Scripts(c.language), 9), c.text)
	}
	require.Len(t, text.Foreign("а б в г", text.Scripts("en"), 3), 3)
	require.Empty(t, text.Foreign("а 字", text.Scripts("en", "ru", "ja"), 9))
}
