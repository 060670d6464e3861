package folder

import (
	"fmt"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service"
)

// storageError wraps err with its operation; a full disk matches service.ErrStoreBusy.
func storageError(op string, err error) error {
	if backend.DiskFull(err) {
		return fmt.Errorf("%s: %w: %w", op, service.ErrStoreBusy, err)
	}
	return fmt.Errorf("%s: %w", op, err)
}
