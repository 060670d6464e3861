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
	"github.com/voicewright/voicewright/backend/generations/pace"
	"github.com/voicewright/voicewright/backend/jobs"
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
	GenerationsOfBooks(ctx context.Context) ([]string, error) // their ids
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
	Expired   func(n int)                                     // called with how many were deleted by themselves; may be nil
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

// base is what the parts of a Service share.
type base struct {
	o     Options
	synth *speech.Synthesizer
}

// Service holds the generations, and what can be done with the unfinished ones. It is safe for concurrent use.
type Service struct {
	base
	Makers   *Makers
	Player   *Player
	Archive  *Archive
	Previews *Previews
	Checks   *Checks

	jobs     *jobs.Runner[*Job] // by generation; work on takes by generation/id
	lines    *lines
	ends     *ends
	partials *partials
	pace     *pace.Pace

	Interrupted []backend.Generation // that ran when the program ended last
}

// New recovers from a crash. Start starts the workers, Close stops them.
func New(ctx context.Context, synth *speech.Synthesizer, o Options) (*Service, error) {
	b := base{o: o, synth: synth}
	s := &Service{base: b, pace: pace.New(o.Store, o.Log)}
	s.jobs = jobs.New[*Job](ctx, jobs.Options{Things: "generations", Closed: errStopped, Limit: o.QueueLimit, Log: o.Log})
	s.lines, s.ends, s.partials = newLines(s), newEnds(s), &partials{base: b, gens: s}
	s.Player, s.Archive, s.Previews = &Player{base: b, gens: s}, &Archive{base: b, gens: s}, &Previews{base: b, gens: s}
	s.Checks = newChecks(ctx, s)
	s.Makers = &Makers{local: &localMaker{base: b, gens: s}}
	if o.Hosted != nil {
		s.Makers.hosted = o.Hosted(s)
	}
	var err error
	if s.Interrupted, err = s.recover(ctx); err != nil {
		return nil, fmt.Errorf("recover the history: %w", err)
	}
	return s, nil
}

// Start starts the workers.
func (s *Service) Start() { s.jobs.Start() }

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
	s.jobs.Wait(ctx, j)
	g, err := j.Snapshot(), j.failure()
	if err == nil && *cmp.Or(g.Request.Verify, new(false)) {
		g = s.Checks.verified(ctx, g)
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
	j, err := s.Makers.Prepare(ctx, r, profile)
	if err != nil {
		return nil, err
	}
	if err := s.Makers.CheckHosted(ctx, r.AcceptCredits, j); err != nil {
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

// Enqueue reserves a place in the line of a job, writes its row, and accepts it. Errors: queue_full, interrupted, those of write.
func (s *Service) Enqueue(ctx context.Context, j *Job, write func(context.Context, *Job) error) error {
	return s.jobs.Enqueue(s.lines.of(j), j, func() error {
		if err := write(ctx, j); err != nil {
			return err
		}
		s.begin(ctx, j)
		return nil
	})
}

// Reserve reserves places for jobs in their lines, or none. giveBack frees them.
func (s *Service) Reserve(all []*Job) (giveBack func(), err error) { return s.lines.reserve(all) }

// Accept puts a job with a stored row into its reserved place.
func (s *Service) Accept(ctx context.Context, j *Job) {
	s.begin(ctx, j)
	s.jobs.Push(s.lines.of(j), j)
}

// begin makes a job with a stored row live.
func (s *Service) begin(ctx context.Context, j *Job) {
	s.jobs.Assign(ctx, j, func(ctx context.Context) error { return j.Maker.Run(ctx, j) }, func(err error) { s.finish(j, err) })
	s.jobs.Add(j.Row.ID, j)
	s.Player.forget(j.Row.ID)
	s.Notify(j.Snapshot())
}

// Generation returns a generation as it is now, with live progress while it runs.
func (s *Service) Generation(ctx context.Context, id string) (backend.Generation, error) {
	before := s.jobs.Job(id)
	g, err := s.o.Store.Generation(ctx, id)
	if err == nil && before != nil && s.jobs.Job(id) != before { // it ended meanwhile: the row can be older than its end
		g, err = s.o.Store.Generation(ctx, id)
	}
	return s.Overlay(g), err
}

// Overlay returns the stored row of an unfinished generation, or of one that is being changed, with its live progress. Fields
// that a user can change, such as the title, are the row's.
func (s *Service) Overlay(g backend.Generation) backend.Generation {
	g.Verifying = s.Checks.jobs.Job(g.ID) != nil
	if failure, ok := s.ends.failures.Of(g.ID); ok {
		g.Error = failure
	}
	if j := s.jobs.Job(g.ID); j != nil && (j.revises || !g.Status.Ended()) {
		now := j.Snapshot()
		g.Status, g.Progress, g.Error, g.Partial = now.Status, now.Progress, now.Error, now.Partial
		g.ChunksDone, g.ChunksBehind, g.ChunksTotal = now.ChunksDone, now.ChunksBehind, now.ChunksTotal
		g.ETASeconds, g.Wait = now.ETASeconds, now.Wait
	}
	return g
}

// Busy reports whether something works on a generation.
func (s *Service) Busy(id string) bool { return len(s.jobs.Jobs(id)) > 0 }

// Job returns the live job of a generation, nil where there is none.
func (s *Service) Job(id string) *Job { return s.jobs.Job(id) }

var errStopped = backend.E(backend.CodeInterrupted, "Voicewright was closed before this was spoken.", "Retry it.")

// Close accepts no new work, ends waiting jobs, lets the running one finish until ctx ends, then cancels it. A job that
// hangs is left behind.
func (s *Service) Close(ctx context.Context) error {
	var checks sync.WaitGroup
	checks.Go(func() { s.Checks.jobs.Close(ctx) })
	s.jobs.Close(ctx)
	checks.Wait()
	s.Player.close()
	return nil
}

// Notify reports that a generation has changed.
func (s *Service) Notify(g backend.Generation) {
	if g.Status.Ended() {
		s.pace.Forget(g.ProfileID)
	}
	if s.o.Notify != nil {
		g.Verifying = s.Checks.jobs.Job(g.ID) != nil
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
