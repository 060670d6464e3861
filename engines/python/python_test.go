package python

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLower(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "ABC": "abc", "Straße": "straße", "İstanbul IŞIK": "i\u0307stanbul işik",
		"ΟΔΟΣ": "οδος", "ΟΔΟΣ.": "οδος.", "Σ": "σ", "ΣΑΣ ΑΣ'Α ΑΣ'": "σας ασ'α ας'", "Α\u0301Σ": "α\u0301ς", "1Σ": "1σ",
		"ǅ": "ǆ", "Ꭰ": "ꭰ",
	} {
		assert.Equal(t, want, Lower(in), "%q", in)
	}
}

func TestCapitalize(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "ab": "Ab", "Ab": "Ab", "ß x": "SS x", "ﬁ": "FI", "ŉ": "ʼN", "ΐ": "\u0399\u0308\u0301", "ǆ": "Ǆ", "ı": "I", "ǅ": "ǅ", "1a": "1a",
		"ª": "ª", "ⓐ": "Ⓐ", "中": "中",
	} {
		assert.Equal(t, want, Capitalize(in), "%q", in)
	}
}

func TestSpaces(t *testing.T) {
	assert.Equal(t, []string{"a", "b", "c\u200bd"}, Fields("\x1c a\x1f\u00a0b\u2003\tc\u200bd\n"))
	assert.Empty(t, Fields(" \u3000"))
	assert.Equal(t, "a b", TrimSpace("\x1d\u0085a b\u3000\n"))
	assert.Equal(t, []string{"a", "", "b", "c", "d", "e"}, Lines("a\n\r\nb\u2028c\x1cd\re"))
	assert.Equal(t, []string{"a"}, Lines("a\n"))
	assert.Empty(t, Lines(""))
}

func TestIsAlphanumeric(t *testing.T) {
	for _, r := range "aÄß中1½²Ⅳ٣" {
		assert.True(t, IsAlphanumeric(r), "%c", r)
	}
	for _, r := range "_.- \u0301😀" {
		assert.False(t, IsAlphanumeric(r), "%c", r)
	}
}
