package generations

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// retryEnds is the interval at which results that could not be stored are retried.
const retryEnds = 5 * time.Second

// ends are the results of generations that could not be stored, for example on a full disk. Their jobs stay live, so that
// clients see the result before it is stored. The zero value is ready.
type ends struct {
	writeMu sync.Mutex // held while results are stored, so that none is stored twice
	mu      sync.Mutex
	pending map[*Job]func(*backend.Generation)
	notes   map[string]*backend.Failure // why changes of finished generations failed, by id
	trying  bool                        // a goroutine retries
}

// fail stores the result of a job that did not complete. Streams and waiters are released even if that fails.
func (s *Service) fail(j *Job, cause error) (written bool) {
	e := backend.LogFailure(backend.WithRequestID(context.Background(), j.request), s.o.Log, cause, "a generation", "id", j.Row.ID)
	status := backend.StatusFailed
	if e.Code == backend.CodeCancelled {
		status = backend.StatusCancelled
	}
	partial := s.partialOf(j, j.Snapshot().Partial)
	failure := e.Failure()
	end := func(g *backend.Generation) {
		g.Status, g.Error, g.Progress, g.Wait, g.Partial = status, failure, 0, nil, partial
		if j.Hosted != nil && j.Hosted.Spent != nil {
			g.Credits = j.Hosted.Spent
		}
	}
	err := s.Move(context.Background(), j, end)
	if err != nil {
		s.o.Log.Warn("write the end of a generation, will be tried again", "id", j.Row.ID, "error", err)
		s.Notify(j.Set(end))
		s.endLater(j, end)
	}
	j.mu.Lock()
	j.err = e
	j.mu.Unlock()
	return err == nil
}

// endLater keeps a result until it can be stored. After Close the next start stores it, see recover.
func (s *Service) endLater(j *Job, end func(*backend.Generation)) {
	s.ends.mu.Lock()
	defer s.ends.mu.Unlock()
	if s.ends.pending == nil {
		s.ends.pending = map[*Job]func(*backend.Generation){}
	}
	s.ends.pending[j] = end
	s.retryEnds()
}

// noteLater keeps why the change of a generation failed until that can be stored; Overlay shows it. nil forgets it.
func (s *Service) noteLater(id string, failure *backend.Failure) {
	s.ends.mu.Lock()
	defer s.ends.mu.Unlock()
	if failure == nil {
		delete(s.ends.notes, id)
		return
	}
	if s.ends.notes == nil {
		s.ends.notes = map[string]*backend.Failure{}
	}
	s.ends.notes[id] = failure
	s.retryEnds()
}

// noted returns why the change of a generation failed, where that could not be stored yet.
func (s *Service) noted(id string) *backend.Failure {
	s.ends.mu.Lock()
	defer s.ends.mu.Unlock()
	return s.ends.notes[id]
}

// retryEnds starts the goroutine that stores what is kept, unless it runs. The caller holds ends.mu.
func (s *Service) retryEnds() {
	if s.ends.trying {
		return
	}
	ctx, done, err := s.Begin(s.closing)
	if err != nil {
		return
	}
	s.ends.trying = true
	go backend.Protect(s.o.Log, "the ends of generations", func() {
		defer done()
		tick := time.NewTicker(retryEnds)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
			s.writeEnds(ctx)
			s.ends.mu.Lock()
			s.ends.trying = len(s.ends.pending)+len(s.ends.notes) > 0
			trying := s.ends.trying
			s.ends.mu.Unlock()
			if !trying {
				return
			}
		}
	})
}

// writeEnds tries to store all remaining results.
func (s *Service) writeEnds(ctx context.Context) {
	s.ends.writeMu.Lock()
	defer s.ends.writeMu.Unlock()
	s.ends.mu.Lock()
	pending, notes := maps.Clone(s.ends.pending), maps.Clone(s.ends.notes)
	s.ends.mu.Unlock()
	for id, failure := range notes {
		s.noteFailure(ctx, id, failure)
	}
	for j, end := range pending {
		err := s.Move(ctx, j, end)
		if err == nil || backend.CodeOf(err) == backend.CodeGenerationNotFound {
			s.ends.mu.Lock()
			delete(s.ends.pending, j)
			s.ends.mu.Unlock()
			s.forget(j)
		}
	}
}
