package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/cli"
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

// TestTokenIsGeneratedOnce keeps the first token, and generates another one only when the file is empty.
func TestTokenIsGeneratedOnce(t *testing.T) {
	dir := t.TempDir()
	first, err := serverToken(dir, cli.ServeOptions{})
	require.NoError(t, err)
	require.Len(t, first, 43)
	again, err := serverToken(dir, cli.ServeOptions{})
	require.NoError(t, err)
	require.Equal(t, first, again)
	given, err := serverToken(dir, cli.ServeOptions{Token: "given"})
	require.NoError(t, err)
	require.Equal(t, "given", given)
	none, err := serverToken(dir, cli.ServeOptions{Token: "given", NoToken: true})
	require.NoError(t, err)
	require.Empty(t, none)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "token"), []byte("\n"), 0o600))
	other, err := serverToken(dir, cli.ServeOptions{})
	require.NoError(t, err)
	require.NotEqual(t, first, other)
	require.Len(t, other, 43)
}
