package hosted

import (
	"context"

	"github.com/voicewright/voicewright/backend/hosted/client"
)

// MakeKey makes an API key with the sign-in and stores it; its text leaves the program in no other way. A key that cannot be
// stored is revoked. It returns the key's prefix. Errors: hosted_not_signed_in, secrets_unavailable, those of the service.
func (s *account) MakeKey(ctx context.Context, name string) (prefix string, err error) {
	key, err := s.o.Client.CreateKey(ctx, name)
	if err != nil {
		return "", client.AsError(err)
	}
	prefix, err = s.o.Credentials.SetKey(ctx, key.Key)
	if err == nil {
		return prefix, nil
	}
	if key.APIKey.ID != "" {
		if undoErr := s.o.Client.RevokeKey(context.WithoutCancel(ctx), key.APIKey.ID); undoErr != nil {
			s.o.Log.WarnContext(ctx, "an API key that could not be stored was not revoked", "error", undoErr)
		}
	}
	return "", err
}
