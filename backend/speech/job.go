package speech

import (
	"context"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

// job is a generation on its way. The fields above mu do not change after it was accepted.
type job struct {
	voice     voice
	plan      []text.Piece
	normalize bool
	crossfade time.Duration
	maxChars  int
	takes     map[int]backend.ReceiptTake // of texts of the plan that are spoken as they were before
	streamed  bool
	cancel    context.CancelFunc
	run       func()
	drop      func(error)   // ends it instead of run
	done      chan struct{} // closed when it has ended and nothing of it is left to do
	started   chan struct{} // closed when the first samples are in the spool, or when it has ended

	mu    sync.Mutex
	g     backend.Generation
	err   error
	spool *spool
	begun bool
}

func (j *job) snapshot() backend.Generation {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.g
}

// failure is why it ended, with params.generation_id; nil when it is complete.
func (j *job) failure() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		return nil
	}
	return withID(j.err, j.g.ID)
}

// begin lets streams start to read.
func (j *job) begin(sp *spool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if sp != nil && j.spool == nil {
		j.spool = sp
		if j.streamed {
			sp.retain() // for the stream, which may come when the writer has long left
		}
	}
	if !j.begun {
		j.begun = true
		close(j.started)
	}
}

// set changes the row in memory, for progress.
func (j *job) set(change func(*backend.Generation)) backend.Generation {
	j.mu.Lock()
	defer j.mu.Unlock()
	change(&j.g)
	return j.g
}

// move changes the row in the store, then in memory, and tells about it.
func (s *Service) move(ctx context.Context, j *job, change func(*backend.Generation)) error {
	// What is already true must be written down even when the work was just cancelled.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	g, err := s.o.Store.UpdateGeneration(ctx, j.snapshot().ID, func(g *backend.Generation) error {
		change(g)
		return nil
	})
	if err != nil {
		return err
	}
	j.set(func(old *backend.Generation) { *old = g })
	s.notify(g)
	return nil
}

// finish ends a job that has not completed: the row says why, streams and waiters go on.
func (s *Service) finish(j *job, cause error) {
	e := backend.AsError(cause)
	if e != nil {
		status := backend.StatusFailed
		if e.Code == backend.CodeCancelled {
			status = backend.StatusCancelled
		}
		failure := &backend.Failure{Code: e.Code, Detail: e.Detail, Remedy: e.Remedy, Params: e.Params}
		end := func(g *backend.Generation) { g.Status, g.Error, g.Progress = status, failure, 0 }
		if err := s.move(context.Background(), j, end); err != nil {
			// A row that could not be written is mended at the next start; who waits must hear of the end now.
			s.o.Log.Warn("write down the end of a generation", "id", j.g.ID, "error", err)
			s.notify(j.set(end))
		}
		if e.Code == backend.CodeInternal {
			s.o.Log.Error("generation failed", "id", j.g.ID, "error", cause)
		}
		j.mu.Lock()
		j.err = e
		j.mu.Unlock()
	}
	s.mu.Lock()
	if s.live[j.g.ID] == j { // a retry may stand there already
		delete(s.live, j.g.ID)
	}
	s.mu.Unlock()
	j.cancel()
	j.begin(nil)
	close(j.done)
}
