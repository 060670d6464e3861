package hosted

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/tags"
)

// For tests.
var (
	Split        = split
	RemoveOldest = removeOldest
)

// SameWords reports whether enhanced is original with further tags.
func SameWords(original, enhanced string) bool {
	_, same := tags.Added(original, enhanced)
	return same
}

// EnhancedBy returns a text with the tags of an answer to each of its passages.
func EnhancedBy(s string, answer func(passage string) string) Enhanced {
	w := newWork(EnhanceTurn{Text: s})
	for _, p := range w.passages {
		p.use(answer(p.core), false)
	}
	return w.result()
}

// SetStatusTimeout changes how long a status waits.
func (s *Service) SetStatusTimeout(d time.Duration) { s.statusTimeout = d }

// Slot is slot.
func (s *Service) Slot(ctx context.Context, report func(backend.Wait)) (release func(), err error) {
	return s.slot(ctx, report)
}
