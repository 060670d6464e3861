// Package generations holds the history of what is spoken while it is made: rows, the queue, stop, retry, recovery, and what listeners
// hear meanwhile. A Maker makes the audio: with an engine on this machine, or with the hosted service.
package generations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/queue"
	"github.com/voicewright/voicewright/backend/speech"
)

// Store stores profiles and generations. UpdateGeneration calls change and checks the state table in one
// transaction. Errors: profile_not_found, generation_not_found.
type Store interface {
	Profile(ctx context.Context, id string) (backend.Profile, error)
	CreateGeneration(ctx context.Context, g backend.Generation) (backend.Generation, error)
	Generation(ctx context.Context, id string) (backend.Generation, error)
	Generations(ctx context.Context, f backend.GenerationFilter) (backend.List[backend.GenerationHit], error)
	// GenerationsByID returns those of the ids that exist, in no order; brief ones are as backend.Generation.Brief says.
	GenerationsByID(ctx context.Context, ids []string, brief bool) ([]backend.Generation, error)
	UpdateGeneration(ctx context.Context, id string, change func(*backend.Generation) error) (backend.Generation, error)
	FormerPaths(ctx context.Context) ([]string, error) // the audio of former versions
	DeleteGenerations(ctx context.Context, ids []string) ([]backend.Generation, error)
	// ExpireGenerations is like DeleteGenerations but keeps favourites and unfinished generations.
	ExpireGenerations(ctx context.Context, ids []string) ([]backend.Generation, error)
	Recover(ctx context.Context) ([]backend.Generation, error)
	// KeepPartials removes what is said to be stored of unfinished generations, except these.
	KeepPartials(ctx context.Context, ids []string) error
	AudioPaths(ctx context.Context) (map[string]string, error)
	Script(ctx context.Context, id string) (backend.Script, error)
}

// DefaultQueueLimit is how many generations may wait.
const DefaultQueueLimit = 256

// Options are what a Service is built from.
type Options struct {
	Dir     string // of the audio files
	Store   Store
	Models  speech.Models
	Encoder speech.Encoder
	// Hosted returns what speaks with the voices of the hosted service; nil without one.
	Hosted    func(*Service) Hosted
	Pauses    func() backend.Pauses                           // of requests without their own
	Verify    func() bool                                     // whether requests that do not say so are heard
	Retention func() time.Duration                            // the age at which history is deleted, negative = never
	Notify    func(backend.Generation)                        // called after every change; may be nil
	Expired   func(n int)                                     // called with the number of generations that were deleted by themselves; may be nil
	Removed   func(ctx context.Context, g backend.Generation) // called when a generation was deleted, for files of others; may be nil
	// Phonemes returns the phonemes of a text for an engine, in IPA or its own symbols.
	Phonemes   func(ctx context.Context, engine, language, text string) (string, error)
	QueueLimit int // how many may wait
	Version    string
	Now        func() time.Time
	NewID      func() string
	NewSeed    func() int64 // 0..2^31-1
	Log        *slog.Logger
}

// Service generates speech. It is safe for concurrent use.
type Service struct {
	o     Options
	synth *speech.Synthesizer
	local *localMaker
	maker Hosted // nil without a hosted service
	queue *queue.Queue[*Job]
	work  sync.WaitGroup

	hosted hostedQueue

	mu   sync.Mutex
	live map[string]*Job // unfinished jobs by generation; work on takes by generation/id

	closed bool

	closing context.Context //nolint:containedctx // ends when Close begins
	stopped context.CancelFunc

	ends     ends
	checks   checks
	recalled recalled
	paces    paces

	files       locks                // of generations and scripts whose file is replaced or removed
	Interrupted []backend.Generation // that ran when the program ended last
}

// New recovers from a crash. Start starts the workers, Close stops them.
func New(ctx context.Context, synth *speech.Synthesizer, o Options) (*Service, error) {
	s := &Service{o: o, synth: synth, queue: newQueue(o.QueueLimit), hosted: hostedQueue{Queue: newQueue(o.QueueLimit)}, live: map[string]*Job{}, checks: newChecks()}
	s.local = &localMaker{s, synth}
	s.closing, s.stopped = context.WithCancel(context.WithoutCancel(ctx))
	if o.Hosted != nil {
		s.maker = o.Hosted(s)
	}
	var err error
	if s.Interrupted, err = s.recover(ctx); err != nil {
		return nil, fmt.Errorf("recover the history: %w", err)
	}
	return s, nil
}

// Start starts the workers.
func (s *Service) Start() {
	s.work.Go(func() {
		for j, ok := s.queue.Next(); ok; j, ok = s.queue.Next() {
			j.drop(backend.Contain(j.work))
		}
	})
	s.work.Go(s.runHosted)
}

func newQueue(limit int) *queue.Queue[*Job] {
	return queue.New[*Job](limit, "generations", errStopped)
}

// Generate accepts a generation and waits for its end. When ctx ends, the generation is cancelled.
// Errors: those of Submit and of the generation, with params.generation_id.
func (s *Service) Generate(ctx context.Context, r Request) (backend.Generation, error) {
	j, err := s.submit(ctx, r, false)
	if err != nil {
		return backend.Generation{}, err
	}
	return s.Wait(ctx, j)
}

// Wait waits for the end of a job, and cancels it when ctx ends. Errors: why it did not complete, with params.generation_id.
func (s *Service) Wait(ctx context.Context, j *Job) (backend.Generation, error) {
	select {
	case <-j.done:
	case <-ctx.Done():
		s.stop(j)
		<-j.done
	}
	g, err := j.Snapshot(), j.failure()
	if err == nil && *cmp.Or(g.Request.Verify, new(false)) {
		g = s.verified(ctx, g)
	}
	return g, err
}

// Submit accepts a generation and returns at once with its row.
// Errors: ValidationError, profile_not_found, model_unknown, engine_mismatch, language_not_supported,
// nothing_to_speak, runtime_missing (the format), queue_full.
func (s *Service) Submit(ctx context.Context, r Request) (backend.Generation, error) {
	j, err := s.submit(ctx, r, false)
	if err != nil {
		return backend.Generation{}, err
	}
	return j.Snapshot(), nil
}

func (s *Service) submit(ctx context.Context, r Request, streamed bool) (*Job, error) {
	// Errors in the request come before those of missing things.
	if err := speech.CheckText(strings.TrimSpace(r.Text)); err != nil {
		return nil, err
	}
	profile, err := s.Profile(ctx, r)
	if err != nil {
		return nil, err
	}
	j, err := s.Prepare(ctx, r, profile)
	if err != nil {
		return nil, err
	}
	if err := s.CheckHosted(ctx, r.AcceptCredits, j); err != nil {
		return nil, err
	}
	j.Live.Streamed = streamed
	return j, s.Enqueue(ctx, j, s.Create)
}

// Create writes the row of a new job.
func (s *Service) Create(ctx context.Context, j *Job) error {
	_, err := s.o.Store.CreateGeneration(ctx, j.Row)
	return err
}

// Enqueue reserves a place in the queue first, so that a full queue leaves no row, then writes the row.
func (s *Service) Enqueue(ctx context.Context, j *Job, write func(context.Context, *Job) error) error {
	q := s.queueOf(j)
	if err := q.Reserve(1); err != nil {
		return err
	}
	if err := write(ctx, j); err != nil {
		q.GiveBack(1)
		return err
	}
	s.Accept(ctx, j)
	return nil
}

// Accept puts a job with a stored row into its reserved place.
func (s *Service) Accept(ctx context.Context, j *Job) {
	// The work outlives its request: only cancel ends it.
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j.cancel, j.request = cancel, backend.RequestID(ctx)
	j.work = func() error { return j.Maker.Run(work, j) }
	j.drop = func(err error) { s.finish(j, err) }
	s.mu.Lock()
	s.live[j.Row.ID] = j
	s.mu.Unlock()
	s.forgetRecalled(j.Row.ID)
	s.Notify(j.Snapshot())
	s.push(work, j)
}

// push puts a job into its reserved place. work ends when the job is cancelled.
func (s *Service) push(work context.Context, j *Job) {
	switch {
	case !s.queueOf(j).Push(j): // closed meanwhile
		j.drop(errStopped)
	case work.Err() != nil: // cancelled before it was in the queue, where stop did not find it
		s.stop(j)
	case j.Hosted != nil:
		s.publishPlaces()
	}
}

// Generation returns a generation as it is now, with live progress while it runs.
func (s *Service) Generation(ctx context.Context, id string) (backend.Generation, error) {
	before := s.Job(id)
	g, err := s.o.Store.Generation(ctx, id)
	if err == nil && before != nil && s.Job(id) != before { // it ended meanwhile: the row can be older than its end
		g, err = s.o.Store.Generation(ctx, id)
	}
	return s.Overlay(g), err
}

// Overlay returns the stored row of an unfinished generation, or of one that is being changed, with its live progress. Fields
// that a user can change, such as the title, are the row's.
func (s *Service) Overlay(g backend.Generation) backend.Generation {
	g.Verifying = s.checkOf(g.ID) != nil
	if failure := s.noted(g.ID); failure != nil {
		g.Error = failure
	}
	if j := s.Job(g.ID); j != nil && (j.revises || !g.Status.Ended()) {
		now := j.Snapshot()
		g.Status, g.Progress, g.Error, g.Partial = now.Status, now.Progress, now.Error, now.Partial
		g.ChunksDone, g.ChunksBehind, g.ChunksTotal = now.ChunksDone, now.ChunksBehind, now.ChunksTotal
		g.ETASeconds, g.Wait = now.ETASeconds, now.Wait
	}
	return g
}

// Job returns the live job of a generation, nil where there is none.
func (s *Service) Job(id string) *Job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[id]
}

// jobs returns the live jobs of a generation.
func (s *Service) jobs(id string) []*Job {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*Job
	for key, j := range s.live {
		if key == id || strings.HasPrefix(key, id+"/") {
			out = append(out, j)
		}
	}
	return out
}

var errStopped = backend.E(backend.CodeInterrupted, "Voicewright was closed before this was spoken.", "Retry it.")

// closeTimeout is how long a cancelled job may take to end when the program closes.
const closeTimeout = 2 * time.Second

// Close accepts no new work, ends waiting jobs, lets the running one finish until ctx ends, then cancels it. A job that
// hangs is abandoned.
func (s *Service) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stopped()
	for _, j := range append(s.queue.Close(), s.hosted.Close()...) {
		j.drop(errStopped)
	}
	for _, c := range s.checks.queue.Close() {
		s.endCheck(c)
	}
	ended := make(chan struct{})
	go func() {
		s.work.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		s.mu.Lock()
		for _, j := range s.live {
			j.cancel()
		}
		s.mu.Unlock()
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		select {
		case <-ended:
		case <-limited.Done():
			s.o.Log.Warn("a generation does not end and is left behind")
		}
	}
	s.recalled.mu.Lock()
	defer s.recalled.mu.Unlock()
	s.dropRecalled()
	return nil
}

// Notify reports that a generation has changed.
func (s *Service) Notify(g backend.Generation) {
	if g.Status.Ended() {
		s.paces.forget(g.ProfileID)
	}
	if s.o.Notify != nil {
		g.Verifying = s.checkOf(g.ID) != nil
		backend.Protect(s.o.Log, "the event of a generation", func() { s.o.Notify(g) })
	}
}

func withID(err error, id string) error {
	var e *backend.Error
	if !errors.As(err, &e) {
		e = backend.AsError(err)
	}
	return e.With("generation_id", id)
}
