package transcribe

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// retryEnds is the interval at which results that could not be stored are retried.
const retryEnds = 5 * time.Second

// ends are the results that could not be stored, for example on a full disk. Their jobs stay live, so that clients see the
// result before it is stored.
type ends struct {
	added   chan struct{}
	writeMu sync.Mutex // held while results are stored, so that none is stored twice
	mu      sync.Mutex
	pending map[*job]outcome
}

func newEnds() ends { return ends{added: make(chan struct{}, 1), pending: map[*job]outcome{}} }

func (e *ends) add(j *job, end outcome) {
	e.mu.Lock()
	e.pending[j] = end
	e.mu.Unlock()
	select {
	case e.added <- struct{}{}:
	default: // announced already
	}
}

func (e *ends) all() map[*job]outcome {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.pending)
}

// storeEnds stores results that could not be stored before, until ctx ends. What is left then is lost: the next start marks
// the transcripts as failed, and they keep their audio.
func (s *Service) storeEnds(ctx context.Context) {
	for {
		select {
		case <-s.ends.added:
		case <-ctx.Done():
			return
		}
		tick := time.NewTicker(retryEnds)
		for len(s.ends.all()) > 0 && ctx.Err() == nil {
			select {
			case <-tick.C:
				s.writeEnds(ctx)
			case <-ctx.Done():
			}
		}
		tick.Stop()
	}
}

// writeEnds tries to store all remaining results.
func (s *Service) writeEnds(ctx context.Context) {
	s.ends.writeMu.Lock()
	defer s.ends.writeMu.Unlock()
	for j, end := range s.ends.all() {
		err := s.store(ctx, j, end)
		if err == nil || backend.CodeOf(err) == backend.CodeTranscriptNotFound {
			s.ends.mu.Lock()
			delete(s.ends.pending, j)
			s.ends.mu.Unlock()
			s.forget(j)
		}
	}
}
