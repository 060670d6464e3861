package generations

import (
	"context"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/jobs"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/speech/journal"
	"github.com/voicewright/voicewright/engines"
)

// Job is an accepted generation. The fields above mu do not change after that.
type Job struct {
	jobs.Handle
	Maker   maker
	Plan    *speech.Plan // of a local voice, else nil
	Hosted  *HostedPlan  // of a hosted one, else nil
	Live    *speech.Live // what can be heard of it
	revises bool         // it changes a complete generation, which stays complete in the store
	behind  bool         // it waits for what is started by hand, also while it runs

	mu  sync.Mutex
	Row backend.Generation // as it is now; until it is accepted, as it will be stored
	err error

	discard bool             // its finished chunks are removed when it ends
	ran     bool             // partial is what is stored of it now, else its row says it
	partial *backend.Partial // replaced, not changed, once it is shown
}

// NewJob returns a job that is not accepted yet.
func NewJob(g backend.Generation) *Job {
	return &Job{Handle: jobs.NewHandle(), Row: g, Live: speech.NewLive()}
}

// Continues makes the job one of a generation that was stopped or failed, so that nothing is spoken or paid twice.
func (j *Job) Continues(g backend.Generation) {
	j.Row.ID, j.Row.Seed = g.ID, g.Seed
	if j.Plan != nil {
		j.Plan.Seed = g.Seed
	}
	j.Hosted.Of(g.ID)
}

// Snapshot returns the row as it is now.
func (j *Job) Snapshot() backend.Generation {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.Row
}

// failure returns why it did not complete, with params.generation_id; nil if it did.
func (j *Job) failure() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		return nil
	}
	return withID(j.err, j.Row.ID)
}

// setDiscard makes the job remove its finished chunks when it ends.
func (j *Job) setDiscard() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.discard = true
}

// Discarded reports whether the finished chunks of the job are removed when it ends.
func (j *Job) Discarded() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.discard
}

// Set changes the row in memory, for progress.
func (j *Job) Set(change func(*backend.Generation)) backend.Generation {
	j.mu.Lock()
	defer j.mu.Unlock()
	change(&j.Row)
	return j.Row
}

// Move changes the row in the store, then in memory, and notifies.
func (s *Service) Move(ctx context.Context, j *Job, change func(*backend.Generation)) error {
	// The state is stored even if the work was just cancelled.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	var g backend.Generation
	err := backend.Contain(func() (err error) {
		g, err = s.o.Store.UpdateGeneration(ctx, j.Snapshot().ID, func(g *backend.Generation) error {
			change(g)
			return nil
		})
		return err
	})
	if err != nil {
		return err
	}
	s.Notify(j.Set(func(old *backend.Generation) {
		if !g.Status.Ended() { // the counts are not stored
			g.ChunksDone, g.ChunksBehind, g.ChunksTotal = old.ChunksDone, old.ChunksBehind, old.ChunksTotal
		}
		*old = g
	}))
	return nil
}

// report writes how much of a text is spoken into its job.
func (s *Service) report(j *Job) func(p speech.Progress, changed bool) {
	return func(p speech.Progress, changed bool) {
		g := j.Set(func(g *backend.Generation) {
			g.Progress = max(g.Progress, 0.95*p.Done)
			g.ChunksDone, g.ChunksBehind, g.ChunksTotal, g.ETASeconds = p.Chunks, p.Behind, p.Total, p.Left
		})
		if changed {
			s.Notify(g)
		}
	}
}

// RunOf returns the run of the plan of a job.
func (s *Service) RunOf(j *Job, loaded *engines.Loaded, stored *journal.Journal) speech.Run {
	run := speech.Run{ID: j.Row.ID, Plan: j.Plan, Live: j.Live, Loaded: loaded, Journal: stored, Progress: s.report(j)}
	if j.behind {
		run.Turn = s.lines.turn
	}
	return run
}

// finish ends a job with an error and releases streams and waiters.
func (s *Service) finish(j *Job, cause error) {
	if cause == nil || s.ends.fail(j, cause) {
		s.jobs.Forget(j)
	}
	j.Live.Begin(nil)
	s.jobs.Finish(j)
}
