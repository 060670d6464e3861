package speech

import (
	"context"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// job is an accepted generation. The fields above mu do not change after that.
type job struct {
	maker   Maker
	plan    *Plan      // of a local voice, else nil
	hosted  *hostedJob // of a hosted one, else nil
	live    *Live      // what can be heard of it
	revises bool       // it changes a complete generation, which stays complete in the store
	request string     // the id under which its failures are logged; may be empty
	cancel  context.CancelFunc
	work    func() error
	drop    func(error)   // ends it, with the error of work or instead of work
	done    chan struct{} // closed when everything is done

	mu  sync.Mutex
	g   backend.Generation
	err error

	discard bool             // its finished chunks are removed when it ends
	ran     bool             // partial is what is stored of it now, else its row says it
	partial *backend.Partial // replaced, not changed, once it is shown
}

// newJob returns a job that is not accepted yet.
func newJob(g backend.Generation) *job { return &job{g: g, live: newLive(), done: make(chan struct{})} }

// continues makes the job one of a generation that was stopped or failed, so that nothing is spoken or paid twice.
func (j *job) continues(g backend.Generation) {
	j.g.ID, j.g.Seed = g.ID, g.Seed
	if j.plan != nil {
		j.plan.seed = g.Seed
	}
	j.hosted.of(g.ID)
}

func (j *job) snapshot() backend.Generation {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.g
}

// failure returns why it did not complete, with params.generation_id; nil if it did.
func (j *job) failure() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		return nil
	}
	return withID(j.err, j.g.ID)
}

// setDiscard makes the job remove its finished chunks when it ends.
func (j *job) setDiscard() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.discard = true
}

// set changes the row in memory, for progress.
func (j *job) set(change func(*backend.Generation)) backend.Generation {
	j.mu.Lock()
	defer j.mu.Unlock()
	change(&j.g)
	return j.g
}

// move changes the row in the store, then in memory, and notifies.
func (s *Service) move(ctx context.Context, j *job, change func(*backend.Generation)) error {
	// The state is stored even if the work was just cancelled.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	var g backend.Generation
	err := backend.Contain(func() (err error) {
		g, err = s.o.Store.UpdateGeneration(ctx, j.snapshot().ID, func(g *backend.Generation) error {
			change(g)
			return nil
		})
		return err
	})
	if err != nil {
		return err
	}
	s.notify(j.set(func(old *backend.Generation) {
		if !g.Status.Ended() { // the counts are not stored
			g.ChunksDone, g.ChunksBehind, g.ChunksTotal = old.ChunksDone, old.ChunksBehind, old.ChunksTotal
		}
		*old = g
	}))
	return nil
}

// report writes how much of a text is spoken into its job.
func (s *Service) report(j *job) func(p Progress, changed bool) {
	return func(p Progress, changed bool) {
		g := j.set(func(g *backend.Generation) {
			g.Progress = max(g.Progress, 0.95*p.Done)
			g.ChunksDone, g.ChunksBehind, g.ChunksTotal, g.ETASeconds = p.Chunks, p.Behind, p.Total, p.Left
		})
		if changed {
			s.notify(g)
		}
	}
}

// run returns the run of the plan of a job.
func (s *Service) run(j *job, loaded *engines.Loaded, stored *journal) Run {
	return Run{ID: j.g.ID, Plan: j.plan, Live: j.live, Loaded: loaded, Journal: stored, Progress: s.report(j)}
}

// finish ends a job with an error and releases streams and waiters.
func (s *Service) finish(j *job, cause error) {
	if cause == nil || s.fail(j, cause) {
		s.forget(j)
	}
	j.cancel()
	j.live.begin(nil)
	close(j.done)
}

// forget removes a job that has ended from the live ones.
func (s *Service) forget(j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live[j.g.ID] == j { // a retry may have replaced it
		delete(s.live, j.g.ID)
	}
}
