// Package speech generates speech: it splits a text into chunks, synthesizes them with an engine, joins and levels the
// audio, and stores it as a file and a row of the history. One generation runs at a time; others wait in a bounded queue.
package speech

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/queue"
	"github.com/voicewright/voicewright/engines"
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
	// ReviseGeneration is UpdateGeneration that also stores what change replaces, in the place of an earlier version.
	ReviseGeneration(ctx context.Context, id string, change func(*backend.Generation) error) (backend.Generation, error)
	// UndoRevision restores the version that ReviseGeneration stored. Error: nothing_to_undo.
	UndoRevision(ctx context.Context, id string) (backend.Generation, error)
	FormerVersion(ctx context.Context, id string) (v backend.FormerVersion, ok bool, err error)
	FormerPaths(ctx context.Context) ([]string, error) // the audio of former versions
	DeleteGenerations(ctx context.Context, ids []string) ([]backend.Generation, error)
	// ExpireGenerations is like DeleteGenerations but keeps favourites and unfinished generations.
	ExpireGenerations(ctx context.Context, ids []string) ([]backend.Generation, error)
	// DropTurns is like ExpireGenerations but also keeps the turns of scripts and of their previous versions.
	DropTurns(ctx context.Context, ids []string) ([]backend.Generation, error)
	Recover(ctx context.Context) ([]backend.Generation, error)
	// KeepPartials removes what is said to be stored of unfinished generations, except these.
	KeepPartials(ctx context.Context, ids []string) error
	AudioPaths(ctx context.Context) (map[string]string, error)
	VoiceLevel(ctx context.Context, model, voice string) (level backend.VoiceLevel, ok bool, err error)
	SetVoiceLevel(ctx context.Context, model, voice string, level backend.VoiceLevel) error
	CreateScript(ctx context.Context, s backend.Script) (backend.Script, error)
	Script(ctx context.Context, id string) (backend.Script, error)
	Scripts(ctx context.Context, page backend.Page) (backend.List[backend.Script], error)
	UpdateScript(ctx context.Context, id string, change func(*backend.Script) error) (backend.Script, error)
	// SetSpareTurns stores the spare turns of a script, and leaves its updated_at.
	SetSpareTurns(ctx context.Context, id string, spare []string) error
	DeleteScript(ctx context.Context, id string) (backend.Script, error)
}

// Models finds models by name or preset voice, and loads them. Errors of Acquire: model_unknown, model_corrupt,
// runtime_missing, out_of_memory.
type Models interface {
	Model(name string) (engines.Model, error)
	ModelOf(engine, voiceID string) (engines.Model, error)
	Acquire(ctx context.Context, name string, phase func(backend.Status)) (*engines.Loaded, error)
	// AcquireDownloaded is like Acquire but downloads nothing. Error: model_not_downloaded.
	AcquireDownloaded(ctx context.Context, name string) (*engines.Loaded, error)
	// AcquireTranscriber loads a transcription model, and downloads it first if it is missing. Errors: those of Acquire,
	// engine_mismatch for a speech model.
	AcquireTranscriber(ctx context.Context, name string, phase func(backend.Status)) (*engines.LoadedTranscriber, error)
	// Installed returns why a model would have to be downloaded first, nil where it would not. Errors: model_unknown,
	// model_not_downloaded.
	Installed(name string) error
	// AcquireTranscriberDownloaded is like AcquireTranscriber but downloads nothing. Error: model_not_downloaded.
	AcquireTranscriberDownloaded(ctx context.Context, name string) (*engines.LoadedTranscriber, error)
	// Download starts the download of a missing model. accept accepts its licence, also of an installed one.
	Download(ctx context.Context, name string, accept bool) (backend.ModelProgress, error)
}

// Encoder converts between WAV and other formats; rate is in Hz, 0 as it is decoded. Errors: runtime_missing, unsupported_media.
type Encoder interface {
	Ready(ctx context.Context, format string) error
	Encode(ctx context.Context, from, to, format string, meta map[string]string) error
	DecodeFile(ctx context.Context, from, to string, rate int) error
	// StreamMono calls emit with the audio of a file as mono samples at rate Hz.
	StreamMono(ctx context.Context, path string, rate int, emit func(samples []float32) error) error
}

// Options are what a Service is built from.
type Options struct {
	Dir          string                               // of the audio files
	Store        Store                                //
	Models       Models                               //
	Hosted       Hosted                               // nil = no hosted service
	Clones       Clones                               // nil = no profile of a cloned voice can speak
	Encoder      Encoder                              //
	BuiltIn      string                               // model name of the built-in engine
	BuiltInVoice func(language string) (string, bool) // the built-in voice of a BCP 47 language
	DefaultVoice func() (voice string, set bool)      // MODEL:VOICE of the settings, and whether the user chose it
	Pauses       func() backend.Pauses                // of requests without their own
	Verify       func() VerifyOptions                 // of proof-listening; nil = never by itself
	Retention    func() time.Duration                 // the age at which history is deleted, negative = never
	Notify       func(backend.Generation)             // called after every change; may be nil
	Expired      func(n int)                          // called with the number of generations that were deleted by themselves; may be nil
	Words        func(context.Context) ([]backend.Pronunciation, error)
	Memory       func() (total, free int64, ok bool) // bytes
	// Phonemes returns the phonemes of a text for an engine, in IPA or its own symbols.
	Phonemes func(ctx context.Context, engine, language, text string) (string, error)
	// Unread reports whether a model cannot pronounce characters of another script, or symbols.
	Unread     func(ctx context.Context, model engines.Model, language, characters string) (bool, error)
	QueueLimit int // how many may wait
	Version    string
	Now        func() time.Time
	NewID      func() string
	NewSeed    func() int64 // 0..2^31-1
	Log        *slog.Logger
}

// DefaultQueueLimit is how many generations may wait.
const DefaultQueueLimit = 256

// Service generates speech. It is safe for concurrent use.
type Service struct {
	o     Options
	queue *queue.Queue[*job]
	work  sync.WaitGroup

	hosted hostedQueue

	mu   sync.Mutex
	live map[string]*job // unfinished jobs by generation; work on takes by generation/id

	closed bool

	closing context.Context //nolint:containedctx // ends when Close begins
	stopped context.CancelFunc

	ends  ends
	words dictionaries

	verifier verifier

	recalled recalled
	paces    paces

	files   locks // of generations and scripts whose file is replaced or removed
	scripts holds // scripts that are being generated
}

// New recovers from a crash and starts the worker. Close stops it.
func New(ctx context.Context, o Options) (*Service, error) {
	if o.Verify == nil {
		o.Verify = func() VerifyOptions { return VerifyOptions{Model: func(string) (string, bool) { return "", false }} }
	}
	s := &Service{o: o, queue: newQueue(o), hosted: hostedQueue{Queue: newQueue(o)}, live: map[string]*job{}, verifier: newVerifier()}
	s.closing, s.stopped = context.WithCancel(context.WithoutCancel(ctx))
	interrupted, err := s.recover(ctx)
	if err != nil {
		return nil, fmt.Errorf("recover the history: %w", err)
	}
	s.work.Go(func() {
		for j, ok := s.queue.Next(); ok; j, ok = s.queue.Next() {
			j.drop(backend.Contain(j.work))
		}
	})
	s.work.Go(s.runChecks)
	s.work.Go(s.runHosted)
	s.resumeHosted(ctx, interrupted)
	return s, nil
}

func newQueue(o Options) *queue.Queue[*job] {
	return queue.New[*job](o.QueueLimit, "generations", errStopped)
}

// Generate accepts a generation and waits for its end. When ctx ends, the generation is cancelled.
// Errors: those of Submit and of the generation, with params.generation_id.
func (s *Service) Generate(ctx context.Context, r Request) (backend.Generation, error) {
	j, err := s.submit(ctx, r, false)
	if err != nil {
		return backend.Generation{}, err
	}
	return s.wait(ctx, j)
}

func (s *Service) wait(ctx context.Context, j *job) (backend.Generation, error) {
	select {
	case <-j.done:
	case <-ctx.Done():
		s.stop(j)
		<-j.done
	}
	g, err := j.snapshot(), j.failure()
	if err == nil && orPointer(g.Request.Verify, false) {
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
	return j.snapshot(), nil
}

func (s *Service) submit(ctx context.Context, r Request, streamed bool) (*job, error) {
	// Errors in the request come before those of missing things.
	if err := checkText(strings.TrimSpace(r.Text)); err != nil {
		return nil, err
	}
	profile, err := s.profile(ctx, r)
	if err != nil {
		return nil, err
	}
	j, err := s.prepare(ctx, r, profile)
	if err != nil {
		return nil, err
	}
	if err := s.checkHosted(ctx, r.AcceptCredits, j); err != nil {
		return nil, err
	}
	j.live.streamed = streamed
	return j, s.enqueue(ctx, j, s.create)
}

// create writes the row of a new job.
func (s *Service) create(ctx context.Context, j *job) error {
	_, err := s.o.Store.CreateGeneration(ctx, j.g)
	return err
}

// enqueue reserves a place in the queue first, so that a full queue leaves no row, then writes the row.
func (s *Service) enqueue(ctx context.Context, j *job, write func(context.Context, *job) error) error {
	q := s.queueOf(j)
	if err := q.Reserve(1); err != nil {
		return err
	}
	if err := write(ctx, j); err != nil {
		q.GiveBack(1)
		return err
	}
	s.accept(ctx, j)
	return nil
}

// accept puts a job with a stored row into its reserved place.
func (s *Service) accept(ctx context.Context, j *job) {
	// The work outlives its request: only cancel ends it.
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j.cancel, j.request = cancel, backend.RequestID(ctx)
	j.work = func() error { return s.perform(work, j) }
	if j.hosted != nil {
		j.work = func() error { return s.performHosted(work, j) }
	}
	j.drop = func(err error) { s.finish(j, err) }
	s.mu.Lock()
	s.live[j.g.ID] = j
	s.mu.Unlock()
	s.forgetRecalled(j.g.ID)
	s.notify(j.snapshot())
	s.push(work, j)
}

// push puts a job into its reserved place. work ends when the job is cancelled.
func (s *Service) push(work context.Context, j *job) {
	switch {
	case !s.queueOf(j).Push(j): // closed meanwhile
		j.drop(errStopped)
	case work.Err() != nil: // cancelled before it was in the queue, where stop did not find it
		s.stop(j)
	case j.hosted != nil:
		s.publishPlaces()
	}
}

// Generation returns a generation as it is now, with live progress while it runs.
func (s *Service) Generation(ctx context.Context, id string) (backend.Generation, error) {
	before := s.job(id)
	g, err := s.o.Store.Generation(ctx, id)
	if err == nil && before != nil && s.job(id) != before { // it ended meanwhile: the row can be older than its end
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
	if j := s.job(g.ID); j != nil && (j.revises || !g.Status.Ended()) {
		now := j.snapshot()
		g.Status, g.Progress, g.Error, g.Partial = now.Status, now.Progress, now.Error, now.Partial
		g.ChunksDone, g.ChunksBehind, g.ChunksTotal = now.ChunksDone, now.ChunksBehind, now.ChunksTotal
		g.ETASeconds, g.Wait = now.ETASeconds, now.Wait
	}
	return g
}

func (s *Service) job(id string) *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[id]
}

// jobs returns the live jobs of a generation.
func (s *Service) jobs(id string) []*job {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*job
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
	for _, c := range s.verifier.queue.Close() {
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

// notify reports that a generation has changed.
func (s *Service) notify(g backend.Generation) {
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
