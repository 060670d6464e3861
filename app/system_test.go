package app

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSystemLanguage(t *testing.T) {
	for _, c := range []struct{ all, messages, lang, want string }{
		{"", "", "", "en"},
		{"", "", "C", "en"},
		{"", "", "C.UTF-8", "en"},
		{"", "", "POSIX", "en"},
		{"", "", "de_DE.UTF-8", "de-DE"},
		{"", "", "pt_BR", "pt-BR"},
		{"", "fr_FR.UTF-8", "de_DE.UTF-8", "fr-FR"},
		{"C", "fr_FR.UTF-8", "de_DE.UTF-8", "en"},
		{"es", "", "de_DE", "es"},
		{"", "", "ca_ES@valencia", "ca-ES"},
		{"", "", "de_DE.ISO-8859-15@euro", "de-DE"},
		{"", "", "xx_YY.UTF-8", "en"}, // not a language of the built-in voice
		{"", "", "not a locale", "en"},
	} {
		t.Setenv("LC_ALL", c.all)
		t.Setenv("LC_MESSAGES", c.messages)
		t.Setenv("LANG", c.lang)
		require.Equal(t, c.want, Config{}.builtInLanguage(), c)
	}
}
