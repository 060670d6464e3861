package signin

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParsePasted: what a user pastes is refused, or has a state and an answer.
func FuzzParsePasted(f *testing.F) {
	for _, seed := range []string{
		"http://127.0.0.1:1/signed-in?code=c&state=s", "?code=c&state=s", "code=c&state=s", "error=access_denied&state=s", "https://evil.example/?code=c&state=s",
		`"<http://127.0.0.1/?state=s&code=c#x>"`, "%zz", "??", "http://[::1?code=c&state=s", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, pasted string) {
		query, err := parsePasted(pasted)
		if err == nil {
			require.True(t, query.Has("state"))
			require.True(t, query.Has("code") || query.Has("error"))
		}
	})
}
