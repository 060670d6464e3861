package speech

import (
	"context"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

// job is an accepted generation. The fields above mu do not change after that.
type job struct {
	hosted    *hostedJob // nil for a local voice; then the fields up to takes are not used but voice
	voice     voice
	plan      []text.Piece
	normalize bool
	limit     bool // with the limiter; only where normalize is set
	crossfade time.Duration
	maxChars  int
	pauses    *backend.Pauses             // nil where they do not follow the structure of the text
	takes     map[int]backend.ReceiptTake // of texts of the plan that keep an earlier take
	seeds     []int64                     // of the others in a revision; nil where they follow from the seed of the job
	streamed  bool
	revises   bool   // it changes a complete generation, which stays complete in the store
	request   string // the id under which its failures are logged; may be empty
	cancel    context.CancelFunc
	work      func() error
	drop      func(error)   // ends it, with the error of work or instead of work
	done      chan struct{} // closed when everything is done
	started   chan struct{} // closed when there are samples, or when it has ended
	audible   chan struct{} // the same of the first sentence

	mu    sync.Mutex
	g     backend.Generation
	err   error
	sound sound
	begun bool
	heard bool       // audible is closed
	spans []lineSpan // of the chunks that can be heard
	live  *level     // of all its listeners; nil before the first one

	newFrom int64 // the frame at which the first new passage of a revision begins

	discard bool             // its finished chunks are removed when it ends
	ran     bool             // partial is what is stored of it now, else its row says it
	partial *backend.Partial // replaced, not changed, once it is shown
}

// seedOf returns the seed of a text of the plan that keeps no take.
func (j *job) seedOf(n int) int64 {
	if j.seeds != nil {
		return j.seeds[n]
	}
	return chunkSeed(j.g.Seed, n)
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

// begin lets streams start to read.
func (j *job) begin(made sound) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if made != nil && j.sound == nil {
		j.sound = made
		if j.streamed {
			made.retain() // for the stream, which may start after the writer has finished
		}
	}
	if !j.begun {
		j.begun = true
		close(j.started)
	}
	if made == nil {
		j.hear()
	}
}

// letListen lets listeners start to read.
func (j *job) letListen() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.hear()
}

// listenFrom lets the listeners of a revision start to read. Its first new passage begins at a frame.
func (j *job) listenFrom(made sound, frame int64) {
	j.begin(made)
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.heard {
		j.newFrom = frame
	}
	j.hear()
}

// hear is letListen for a caller who holds j.mu.
func (j *job) hear() {
	if !j.heard {
		j.heard = true
		close(j.audible)
	}
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

// finish ends a job with an error and releases streams and waiters.
func (s *Service) finish(j *job, cause error) {
	if cause == nil || s.fail(j, cause) {
		s.forget(j)
	}
	j.cancel()
	j.begin(nil)
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
