package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestSecretsOfClients: a secret goes with the client that it belongs to, and with no other.
func TestSecretsOfClients(t *testing.T) {
	t.Parallel()
	found := backend.Login{Issuer: "https://theirs.example", ClientID: "theirs", ClientSecret: "their secret"}
	for name, c := range map[string]struct {
		given backend.Login
		want  string
	}{
		"only the service's":              {backend.Login{}, "their secret"},
		"no client of one's own":          {backend.Login{ClientSecret: "own secret"}, "their secret"},
		"the service's issuer":            {backend.Login{ClientID: "own", ClientSecret: "own secret"}, "own secret"},
		"no secret for one's own client":  {backend.Login{ClientID: "own"}, ""},
		"the service's client":            {backend.Login{Issuer: "https://own.example", ClientSecret: "own secret"}, "their secret"},
		"one's own client and its issuer": {backend.Login{Issuer: "https://own.example", ClientID: "own", ClientSecret: "own secret"}, "own secret"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, complete(c.given, found).ClientSecret)
		})
	}
}
