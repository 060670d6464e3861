package hosts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hosts"
)

func TestPlainOrigin(t *testing.T) {
	for given, want := range map[string]string{
		"https://Page.Example": "https://page.example", "https://page.example/": "https://page.example",
		"https://page.example:443": "https://page.example", "http://page.example:80": "http://page.example",
		"http://page.example:443": "http://page.example:443", "http://[::1]:80": "http://[::1]", "tauri://localhost": "tauri://localhost",
	} {
		got, ok := hosts.PlainOrigin(given)
		require.True(t, ok, given)
		require.Equal(t, want, got)
	}
	for _, given := range []string{
		"", "page.example", "https://", "https://a/b", "https://a?b", "https://a#b", "https://u@a", "https://*.a", "*", "null",
		"https://a:99999", "https://[::::]", "https://a b",
	} {
		_, ok := hosts.PlainOrigin(given)
		require.False(t, ok, given)
	}
}

func TestSplitHost(t *testing.T) {
	for given, want := range map[string][2]string{
		"Name": {"name", ""}, "name:8080": {"name", "8080"}, "[::1]": {"::1", ""}, "[FE80::1]:07": {"fe80::1", "7"},
	} {
		name, port, ok := hosts.Split(given)
		require.True(t, ok, given)
		require.Equal(t, want, [2]string{name, port})
	}
	for _, given := range []string{"", ":1", "a:", "a:99999", "[::::]", "[::1", "[1.2.3.4]", "a/b", "a@b", "a b", "::1", "*"} {
		_, _, ok := hosts.Split(given)
		require.False(t, ok, given)
	}
}
