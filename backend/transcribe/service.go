package transcribe

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/queue"
)

// DefaultQueueLimit is how many transcriptions may wait.
const DefaultQueueLimit = 256

// Service transcribes one recording at a time. It is safe for concurrent use.
type Service struct {
	o     Options
	queue *queue.Queue[*job]
	work  sync.WaitGroup

	mu   sync.Mutex
	live map[string]*job // unfinished jobs by transcript

	closing context.Context //nolint:containedctx // ends when Close begins
	stopped context.CancelFunc
	leaving context.Context //nolint:containedctx // ends when Close waits no longer
	leave   context.CancelFunc

	ends ends
}

// New recovers from a crash and starts the worker. Close stops it.
func New(ctx context.Context, o Options) (*Service, error) {
	s := &Service{
		o: o, queue: queue.New[*job](o.QueueLimit, "transcriptions", errClosed), live: map[string]*job{},
		ends: newEnds(),
	}
	s.closing, s.stopped = context.WithCancel(context.WithoutCancel(ctx))
	s.leaving, s.leave = context.WithCancel(context.WithoutCancel(ctx))
	if err := s.recover(ctx); err != nil {
		return nil, fmt.Errorf("recover the transcripts: %w", err)
	}
	s.work.Go(func() {
		for j, ok := s.queue.Next(); ok; j, ok = s.queue.Next() {
			j.end(backend.Contain(j.run))
		}
	})
	s.work.Go(func() { backend.Protect(o.Log, "the ends of transcripts", func() { s.storeEnds(s.closing) }) })
	return s, nil
}

// Transcribe accepts a transcription and waits for its end. When ctx ends, it is cancelled.
// Errors: those of Submit and of the transcription, with params.transcript_id.
func (s *Service) Transcribe(ctx context.Context, r Request) (backend.Transcript, error) {
	j, err := s.submit(ctx, r)
	if err != nil {
		return backend.Transcript{}, err
	}
	return s.wait(ctx, j)
}

func (s *Service) wait(ctx context.Context, j *job) (backend.Transcript, error) {
	select {
	case <-j.done:
	case <-ctx.Done():
		s.stop(j)
		<-j.done
	}
	return j.snapshot(), j.failure()
}

// Submit accepts a transcription and returns at once with its row.
// Errors: ValidationError, model_unknown, engine_mismatch, language_not_supported, generation_not_found, not_found (the
// recording), audio_missing, queue_full.
func (s *Service) Submit(ctx context.Context, r Request) (backend.Transcript, error) {
	j, err := s.submit(ctx, r)
	if err != nil {
		return backend.Transcript{}, err
	}
	return j.snapshot(), nil
}

func (s *Service) submit(ctx context.Context, r Request) (*job, error) {
	j, err := s.prepare(ctx, r)
	if err == nil {
		err = s.enqueue(ctx, j, func(ctx context.Context) error {
			_, err := s.o.Store.CreateTranscript(ctx, j.t)
			return err
		})
	}
	if err != nil {
		s.discard(r)
		return nil, err
	}
	return j, nil
}

// enqueue reserves a place in the queue first, so that a full queue changes no row, then writes the row.
func (s *Service) enqueue(ctx context.Context, j *job, write func(context.Context) error) error {
	if err := s.queue.Reserve(1); err != nil {
		return err
	}
	// The work outlives its request: only cancel ends it.
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j.cancel, j.request = cancel, backend.RequestID(ctx)
	j.run = func() error { return s.perform(work, j) }
	j.end = func(err error) { s.finish(j, err) }
	s.mu.Lock()
	_, busy := s.live[j.id]
	if !busy {
		s.live[j.id] = j
	}
	s.mu.Unlock()
	err := error(nil)
	if busy {
		err = busyError(j.id)
	} else if err = write(ctx); err != nil {
		s.forget(j)
	}
	if err != nil {
		cancel()
		s.queue.GiveBack(1)
		return err
	}
	s.notify(j.snapshot())
	switch {
	case !s.queue.Push(j): // closed meanwhile
		j.end(errClosed)
	case work.Err() != nil: // cancelled before it was in the queue, where stop did not find it
		s.stop(j)
	}
	return nil
}

func busyError(id string) error {
	return backend.E(backend.CodeNotInProgress, "This transcript is being transcribed already.",
		"Wait until that has finished, or cancel it.").With("transcript_id", id)
}

// Transcript returns a transcript as it is now: while it is transcribed, with live progress and the segments so far.
func (s *Service) Transcript(ctx context.Context, id string) (backend.Transcript, error) {
	t, err := s.o.Store.Transcript(ctx, id)
	return s.Overlay(t), err
}

// Overlay returns the stored row of an unfinished transcript with its live progress and text. One that is transcribed again
// keeps its text until that has ended. Fields that a user can change, such as the title, are the row's.
func (s *Service) Overlay(t backend.Transcript) backend.Transcript {
	j := s.job(t.ID)
	if j == nil {
		return t
	}
	now := j.snapshot()
	t.Status, t.Progress, t.Error, t.Waiting = now.Status, now.Progress, now.Error, now.Waiting
	if !j.again {
		t.Text, t.Segments, t.Language, t.Duration, t.Warnings = now.Text, now.Segments, now.Language, now.Duration, now.Warnings
	}
	return t
}

func (s *Service) job(id string) *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[id]
}

// Cancel cancels an unfinished transcription and waits until its files are removed.
// Errors: transcript_not_found, not_in_progress.
func (s *Service) Cancel(ctx context.Context, id string) (backend.Transcript, error) {
	j := s.job(id)
	if j == nil || j.hasEnded() {
		t, err := s.o.Store.Transcript(ctx, id)
		if err != nil {
			return t, err
		}
		return t, backend.E(backend.CodeNotInProgress, "This transcription has already ended.", "There is nothing to cancel.")
	}
	s.stop(j)
	select {
	case <-j.done:
		return s.Transcript(ctx, id)
	case <-ctx.Done():
		return j.snapshot(), backend.ErrCancelled.WithCause(ctx.Err())
	}
}

// stop cancels a job: a waiting one ends at once, a running one soon. When the program ends, its clients go away too, which is no
// cancel by the user.
func (s *Service) stop(j *job) {
	if s.closing.Err() == nil {
		j.unwanted.Store(true)
	}
	j.cancel()
	if s.queue.Remove(j) {
		j.end(backend.ErrCancelled)
	}
}

var errClosed = backend.E(backend.CodeInterrupted, "Voicewright was closed before this was transcribed.", "Retry it.")

// closeTimeout is how long a cancelled job may take to end when the program closes.
const closeTimeout = 2 * time.Second

// Close accepts no new work, ends waiting jobs, lets the running one finish until ctx ends, then interrupts it: it keeps its audio,
// so that it can be transcribed again. A job that hangs is abandoned. Another call does nothing.
func (s *Service) Close(ctx context.Context) error {
	if s.closing.Err() != nil {
		return nil
	}
	s.stopped()
	defer s.leave()
	context.AfterFunc(ctx, func() { time.AfterFunc(closeTimeout, s.leave) })
	for _, j := range s.queue.Close() {
		j.end(errClosed)
	}
	ended := make(chan struct{})
	go func() {
		s.work.Wait()
		close(ended)
	}()
	limited, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	select {
	case <-ended:
	case <-ctx.Done():
		s.mu.Lock()
		running := slices.Collect(maps.Values(s.live))
		s.mu.Unlock()
		for _, j := range running {
			j.cancel()
		}
		limited, cancel = context.WithTimeout(limited, closeTimeout)
		defer cancel()
		select {
		case <-ended:
		case <-limited.Done():
			s.o.Log.Warn("a transcription does not end and is left behind")
		}
	}
	s.writeEnds(limited)
	return nil
}

func (s *Service) notify(t backend.Transcript) {
	if s.o.Notify != nil {
		backend.Protect(s.o.Log, "the event of a transcript", func() { s.o.Notify(t) })
	}
}

func withID(err error, id string) error {
	var e *backend.Error
	if !errors.As(err, &e) {
		e = backend.AsError(err)
	}
	return e.With("transcript_id", id)
}
