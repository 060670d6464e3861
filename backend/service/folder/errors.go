package folder

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/voicewright/voicewright/backend/service"
)

// storageError wraps err with its operation; a full disk matches service.ErrStoreBusy.
func storageError(op string, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%s: %w: %w", op, service.ErrStoreBusy, err)
	}
	return fmt.Errorf("%s: %w", op, err)
}
