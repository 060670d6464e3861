package generations

import (
	"context"
	"errors"
	"sync"

	"github.com/voicewright/voicewright/backend"
)

// recalled is the generation, stopped or failed, whose finished chunks somebody listened to last. They are in a temporary file,
// joined as in the complete audio, until another one is heard or its chunks are used or removed.
type recalled struct {
	mu  sync.Mutex
	job *Job               // which listeners follow; nil without one
	end context.CancelFunc // of the work that joins them
}

// audible returns the job whose audio can be heard for a generation: the running one, or its finished chunks up to the first that is
// missing. Errors: generation_not_found, not_in_progress if there is neither, which wraps ErrComplete if it is complete.
func (s *Service) audible(ctx context.Context, id string) (*Job, error) {
	if j := s.jobs.Job(id); j != nil {
		return j, nil
	}
	g, err := s.o.Store.Generation(ctx, id)
	if err != nil {
		return nil, err
	}
	if !g.Status.Ended() || g.Partial == nil {
		return nil, notRunning(g)
	}
	return s.recall(ctx, g)
}

// ErrComplete is why a complete generation is not heard as a running one.
var ErrComplete = errors.New("the generation is complete")

func notRunning(g backend.Generation) error {
	err := errNotRunning.With("generation_id", g.ID)
	if g.Status == backend.StatusComplete {
		return err.WithCause(ErrComplete)
	}
	return err
}

var errNotRunning = backend.E(backend.CodeNotInProgress, "This generation is not running.", "Play its audio_url if it is complete.")

func (s *Service) recall(ctx context.Context, g backend.Generation) (*Job, error) {
	s.recalled.mu.Lock()
	defer s.recalled.mu.Unlock()
	if j := s.recalled.job; j != nil && j.Row.ID == g.ID && j.failure() == nil {
		return j, nil
	}
	s.dropRecalled()
	j, err := s.recorded(ctx, g)
	if err != nil {
		return nil, err
	}
	work, end, err := s.Begin(s.jobs.Closing())
	if err != nil {
		return nil, err
	}
	work, s.recalled.end = context.WithCancel(work)
	s.recalled.job = j
	go func() {
		defer end()
		err := backend.Contain(func() error { return j.Maker.Replay(work, j) })
		if err != nil {
			s.o.Log.Warn("read the finished chunks of a generation", "id", g.ID, "error", err)
		}
		j.mu.Lock()
		j.err = err
		j.mu.Unlock()
		if j.Live.Sound != nil {
			j.Live.Sound.End()
		}
		j.Live.Begin(nil)
		j.Finish()
	}()
	return j, nil
}

// forgetRecalled removes the temporary audio of a generation that runs again, or whose chunks are removed.
func (s *Service) forgetRecalled(id string) {
	s.recalled.mu.Lock()
	defer s.recalled.mu.Unlock()
	if j := s.recalled.job; j != nil && j.Row.ID == id {
		s.dropRecalled()
	}
}

// dropRecalled removes the temporary audio, if there is any. The caller holds the lock.
func (s *Service) dropRecalled() {
	j := s.recalled.job
	if j == nil {
		return
	}
	s.recalled.end()
	<-j.Done()
	if j.Live.Sound != nil {
		s.synth.Drop(j.Live.Sound)
	}
	s.recalled.job = nil
}

// recorded returns the job of an ended generation.
func (s *Service) recorded(ctx context.Context, g backend.Generation) (*Job, error) {
	if g.Source == backend.SourceLocal {
		return s.local.Recorded(ctx, g)
	}
	if s.maker == nil {
		return nil, ErrNoHosted
	}
	return s.maker.Recorded(ctx, g)
}
