package generations

import (
	"context"
)

// Preview returns a short sentence in a profile's voice as a WAV file, at the usual level. It waits in the queue like a
// generation, is not recorded in the history and downloads nothing.
// Errors: profile_not_found, model_not_downloaded, queue_full and those of speaking.
func (s *Service) Preview(ctx context.Context, profileID string) ([]byte, error) {
	profile, err := s.o.Store.Profile(ctx, profileID)
	if err != nil {
		return nil, err
	}
	m, err := s.makerOf(Request{}, profile)
	if err != nil {
		return nil, err
	}
	return m.Preview(ctx, profile)
}
