package identitytest_test

import (
	"testing"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

func TestTokensAreValidForGoOIDC(t *testing.T) {
	for name, issuer := range map[string]*identitytest.Issuer{"port": identitytest.New(t), "memory": identitytest.InMemory(t)} {
		t.Run(name, func(t *testing.T) {
			ctx := oidc.ClientContext(t.Context(), issuer.Client)
			verify := func(token string) (*oidc.IDToken, error) { // with the keys of this moment
				provider, err := oidc.NewProvider(ctx, issuer.URL)
				require.NoError(t, err)
				config := &oidc.Config{ClientID: identitytest.Audience, SupportedSigningAlgs: []string{"RS256", "ES256"}}
				return provider.Verifier(config).Verify(ctx, token)
			}
			old := issuer.Token("ann")
			token, err := verify(old)
			require.NoError(t, err)
			require.Equal(t, "ann", token.Subject)

			issuer.Rotate()
			issuer.RemoveOld()
			_, err = verify(issuer.Token("ben"))
			require.NoError(t, err)
			_, err = verify(old)
			require.Error(t, err)
			require.Positive(t, issuer.Fetches(identitytest.KeysPath))

			issuer.SetDown(true)
			_, err = oidc.NewProvider(ctx, issuer.URL)
			require.Error(t, err)
		})
	}
}
