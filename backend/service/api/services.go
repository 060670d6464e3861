package api

import (
	"context"
	"io"

	"github.com/voicewright/voicewright/backend/service"
)

// Service is what the API calls, implemented by *service.Service. Its errors are answers where they are a *service.Error.
type Service interface {
	KeyCaller(ctx context.Context, key string) (service.Caller, error)
	TokenCaller(ctx context.Context, who service.Identity) (service.Caller, error)

	Synthesize(ctx context.Context, caller service.Caller, q service.SynthesizeRequest) (service.Result, error)
	SynthesizeDialogue(ctx context.Context, caller service.Caller, q service.DialogueRequest) (service.Result, error)
	Enhance(ctx context.Context, caller service.Caller, q service.EnhanceRequest) (service.Enhanced, error)
	EnhanceDialogue(ctx context.Context, caller service.Caller, turns []service.EnhanceTurn) ([]service.EnhanceTurn, bool, error)

	Voices(ctx context.Context) ([]service.Voice, error)
	Filters(ctx context.Context) (service.Filters, error)
	Models() []service.Model
	SupportedModels(v service.Voice) []string
	Favourites(ctx context.Context, caller service.Caller) ([]service.Voice, error)
	ToggleFavourite(ctx context.Context, caller service.Caller, voiceID string) (bool, error)

	CheckRenewal(ctx context.Context, caller service.Caller) (service.Renewal, error)
	Usage(ctx context.Context, caller service.Caller, cursor string, limit int) ([]service.Usage, string, error)
	CreateKey(ctx context.Context, caller service.Caller, name string) (string, service.Key, error)
	Keys(ctx context.Context, caller service.Caller) ([]service.Key, error)
	RevokeKey(ctx context.Context, caller service.Caller, id string) error

	OpenFile(ctx context.Context, name string) (io.ReadSeekCloser, service.File, error)
	Preview(ctx context.Context, voiceID string) (io.ReadSeekCloser, int64, error)
	Ready(ctx context.Context) error
}

var _ Service = (*service.Service)(nil)

// Tokens checks JWTs, implemented by identity.Verifier.
type Tokens interface {
	// Verify returns the user that a token names. Errors: a *service.Error with its answer, such as 503 where the token cannot
	// be checked now; any other error means that the token is not valid.
	Verify(ctx context.Context, token string) (service.Identity, error)
}
