package hosted

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// For tests.
var (
	SameWords    = sameWords
	Split        = split
	RemoveOldest = removeOldest
)

// SetStatusTimeout changes how long a status waits.
func (s *Service) SetStatusTimeout(d time.Duration) { s.statusTimeout = d }

// Slot is slot.
func (s *Service) Slot(ctx context.Context, report func(backend.Wait)) (release func(), err error) {
	return s.slot(ctx, report)
}
