package secrets

import (
	"context"
	"fmt"
)

// Check returns how secrets are stored, for the doctor, or why their place cannot be used. It uses the keychain without asking the
// user to unlock it. Errors: secrets_unavailable.
func (s *Store) Check(ctx context.Context) (string, error) {
	if err := s.acquire(ctx); err != nil {
		return "", err
	}
	defer s.release()
	if s.damaged != nil {
		return "", s.damaged
	}
	stored := map[string]int{}
	for _, name := range s.names() {
		stored[s.entry(name).Place]++
	}
	if stored[File] > 0 {
		if err := s.places[File].check(ctx); err != nil {
			return "", err
		}
		if stored[Keychain] == 0 {
			return fmt.Sprintf("not needed, %d stored in the encrypted file", stored[File]), nil
		}
	}
	err := s.places[Keychain].check(ctx)
	switch {
	case err == nil && stored[Keychain] == 0:
		return "works, nothing is stored in it", nil
	case err == nil:
		return fmt.Sprintf("works, %d stored in it", stored[Keychain]), nil
	case !s.opts.AllowFile():
		return "", allowFile(err)
	case stored[Keychain] == 0:
		return "cannot be used, the encrypted file is allowed", nil
	}
	return "", err
}
