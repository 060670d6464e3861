package backend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestCanonicalLanguage(t *testing.T) {
	for in, want := range map[string]string{
		"en": "en", "EN-us": "en-US", "pt_BR": "pt-BR", " pt_br ": "pt-BR", "fa-latn": "fa-Latn", "zh-Hant-TW": "zh-Hant-TW",
		"es-419": "es-419", "cmn": "cmn", "nb": "nb", "en-GB-x-rp": "en-GB-x-rp", "chr_US-Qaaa-x-west": "chr-US-Qaaa-x-west",
		"": "", "e": "", "en-": "", "not a tag": "", "klingon": "", "en-" + strings.Repeat("abcdefgh-", 4) + "x": "",
	} {
		got, ok := backend.CanonicalLanguage(in)
		require.Equal(t, want, got, in)
		require.Equal(t, want != "", ok, in)
	}
	require.True(t, backend.KnownLanguage("pt-BR"))
	for _, tag := range []string{"", "xx", "en-YY", "klingon"} {
		require.False(t, backend.KnownLanguage(tag), tag)
	}
}

func TestMatchesLanguage(t *testing.T) {
	for _, c := range []struct {
		tag, wanted string
		want        bool
	}{
		{"pt-BR", "pt", true},
		{"pt_BR", "pt", true},
		{"pt-BR", "PT_br", true},
		{"pt", "pt-BR", false},
		{"en-GB", "", true},
		{"eng", "en", false},
		{"", "en", false},
	} {
		require.Equal(t, c.want, backend.MatchesLanguage(c.tag, c.wanted), c)
	}
	require.Equal(t, "pt", backend.BaseLanguage("PT_br"))
}
