package transcribe

import (
	"context"
	"fmt"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/jobs"
	"github.com/voicewright/voicewright/backend/transcribe/finder"
)

// DefaultQueueLimit is how many transcriptions may wait.
const DefaultQueueLimit = 256

// Service transcribes one recording at a time. It is safe for concurrent use.
type Service struct {
	Speakers *finder.Finder
	o        Options
	folder   *folder
	sources  *sources
	resolver *resolver

	jobs *jobs.Runner[*job] // by transcript
	line *jobs.Line[*job]
	ends *jobs.Later[*job, outcome]

	leaving context.Context //nolint:containedctx // ends when Close waits no longer
	leave   context.CancelFunc
}

// New recovers from a crash and starts the worker. Close stops it.
func New(ctx context.Context, o Options) (*Service, error) {
	s := &Service{o: o, folder: &folder{o}, sources: &sources{o}, resolver: &resolver{o}}
	s.Speakers = newFinder(ctx, s)
	s.jobs = jobs.New[*job](ctx, jobs.Options{Things: "transcriptions", Closed: errClosed, Limit: o.QueueLimit, Log: o.Log})
	s.line = s.jobs.NewLine(nil)
	s.ends = jobs.NewLater(s.jobs, s.storeEnd)
	s.leaving, s.leave = context.WithCancel(context.WithoutCancel(ctx))
	if err := s.recover(ctx); err != nil {
		return nil, fmt.Errorf("recover the transcripts: %w", err)
	}
	s.jobs.Start()
	s.Speakers.Start()
	return s, nil
}

func newFinder(ctx context.Context, s *Service) *finder.Finder {
	return finder.New(ctx, finder.Options{
		Store: s.o.Store, Diarizers: s.o.Diarizers, Known: s.o.Known, Codecs: s.o.Codecs, TempDir: s.folder.tempDir,
		Limit: func() func(context.Context, int) error { return s.folder.newLimits().take },
		Busy: func(id string) error {
			if s.jobs.Job(id) != nil {
				return busyError(id)
			}
			return nil
		},
		Publish: func(t backend.Transcript) backend.Transcript {
			t = s.Overlay(t)
			s.notify(t)
			return t
		},
		Pace: s.o.SpeakerPace, QueueLimit: s.o.QueueLimit, Log: s.o.Log,
	})
}

// Transcribe accepts a transcription and waits for its end and that of the search for speakers. When ctx ends, it is cancelled.
// Errors: those of Submit and of the transcription, with params.transcript_id.
func (s *Service) Transcribe(ctx context.Context, r Request) (backend.Transcript, error) {
	j, err := s.submit(ctx, r)
	if err != nil {
		return backend.Transcript{}, err
	}
	return s.wait(ctx, j)
}

// wait waits for the end of a job, and of the search for its speakers, whose failure is an error only where they are needed.
func (s *Service) wait(ctx context.Context, j *job) (backend.Transcript, error) {
	s.jobs.Wait(ctx, j)
	t, err, unfound := j.snapshot(), j.failure(), j.unfound
	if err == nil && j.search != nil {
		unfound = s.Speakers.Wait(ctx, j.search)
		t, err = s.Transcript(context.WithoutCancel(ctx), j.id)
	}
	if err == nil && j.input.NeedSpeakers {
		err = unfound
	}
	return t, err
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
		s.sources.discard(r)
		return nil, err
	}
	return j, nil
}

// enqueue puts a job into the line, once its row is written.
func (s *Service) enqueue(ctx context.Context, j *job, write func(context.Context) error) error {
	return s.jobs.Enqueue(s.line, j, func() error {
		s.jobs.Assign(ctx, j, func(ctx context.Context) error { return s.perform(ctx, j) }, func(err error) { s.finish(j, err) })
		if !s.jobs.AddNew(j.id, j) {
			return busyError(j.id)
		}
		if err := write(ctx); err != nil {
			s.jobs.Forget(j)
			return err
		}
		s.notify(j.snapshot())
		return nil
	})
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
	j := s.jobs.Job(t.ID)
	if j == nil {
		return s.Speakers.Overlay(t)
	}
	now := j.snapshot()
	t.Status, t.Progress, t.Error, t.Waiting = now.Status, now.Progress, now.Error, now.Waiting
	if !j.again {
		t.Text, t.Segments, t.Language, t.Duration, t.Warnings = now.Text, now.Segments, now.Language, now.Duration, now.Warnings
	}
	return t
}

// Cancel cancels an unfinished transcription and waits until its files are removed, or a search for speakers: the transcript stays.
// Errors: transcript_not_found, not_in_progress.
func (s *Service) Cancel(ctx context.Context, id string) (backend.Transcript, error) {
	j := s.jobs.Job(id)
	if j == nil || j.Ended() {
		if s.Speakers.Stop(id) {
			return s.Transcript(ctx, id)
		}
		t, err := s.o.Store.Transcript(ctx, id)
		if err != nil {
			return t, err
		}
		return t, backend.E(backend.CodeNotInProgress, "This transcription has already ended.", "There is nothing to cancel.")
	}
	s.jobs.Stop(j)
	select {
	case <-j.Done():
		return s.Transcript(ctx, id)
	case <-ctx.Done():
		return j.snapshot(), backend.ErrCancelled.WithCause(ctx.Err())
	}
}

var errClosed = backend.E(backend.CodeInterrupted, "Voicewright was closed before this was transcribed.", "Retry it.")

// Close accepts no new work, ends waiting jobs, lets the running one finish until ctx ends, then interrupts it: it keeps its audio,
// so that it can be transcribed again. A job that hangs is left behind. Another call does nothing.
func (s *Service) Close(ctx context.Context) error {
	if s.jobs.Closing().Err() != nil {
		return nil
	}
	defer s.leave()
	context.AfterFunc(ctx, func() { time.AfterFunc(jobs.CloseTimeout, s.leave) })
	s.jobs.Close(ctx)
	s.Speakers.Close(ctx)
	s.ends.Flush(s.leaving)
	return nil
}

func (s *Service) notify(t backend.Transcript) {
	if t = s.Speakers.Overlay(t); s.o.Notify != nil {
		backend.Protect(s.o.Log, "the event of a transcript", func() { s.o.Notify(t) })
	}
}
