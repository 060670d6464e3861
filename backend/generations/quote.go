package generations

import (
	"cmp"
	"context"

	"github.com/voicewright/voicewright/backend"
)

// QuoteRequest returns the price of a request, planned as Submit does. Local voices cost nothing. A request without a profile
// means the default voice. Errors: those of Submit.
func (s *Service) QuoteRequest(ctx context.Context, r Request) (backend.HostedQuote, error) {
	profile, err := s.ProfileOrDefault(ctx, r)
	if err != nil {
		return backend.HostedQuote{}, err
	}
	j, err := s.Prepare(ctx, r, profile)
	if err != nil {
		return backend.HostedQuote{}, err
	}
	return s.Quote(ctx, SpeechesOf([]*Job{j}), r.AcceptCredits)
}

// Profile returns the profile of a request. Error: profile_not_found.
func (s *Service) Profile(ctx context.Context, r Request) (backend.Profile, error) {
	return s.o.Store.Profile(ctx, r.ProfileID)
}

// ProfileOrDefault is Profile; a request without one means the default voice.
func (s *Service) ProfileOrDefault(ctx context.Context, r Request) (backend.Profile, error) {
	if r.ProfileID == "" {
		return backend.Profile{VoiceType: backend.VoiceDefault, Language: cmp.Or(r.Language, "en"), Speed: 1}, nil
	}
	return s.Profile(ctx, r)
}

// Quote returns the price of speeches together.
func (s *Service) Quote(ctx context.Context, speeches []backend.HostedSpeech, accepted *int64) (backend.HostedQuote, error) {
	if len(speeches) == 0 {
		return backend.HostedQuote{Credits: new(int64)}, nil
	}
	return s.maker.Quote(ctx, speeches, accepted)
}
