package recordings

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

const (
	// SampleRate of recorded files, in Hz.
	SampleRate = 48_000
	// MaxDuration is when a recording ends by itself.
	MaxDuration = 4 * time.Hour

	openTimeout  = 10 * time.Second // for a sound system that does not respond
	closeTimeout = 5 * time.Second
)

// Options are the dependencies of a Service.
type Options struct {
	Dir         string // of the files; created by the first recording
	Microphones Microphones
	Notify      func(r backend.Recording, changed bool) // every level value; changed reports a new status
	NewID       func() string
	Now         func() time.Time
	Log         *slog.Logger
}

// Service records from one microphone at a time. It is safe for concurrent use.
type Service struct {
	opts Options
	work sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	busy    bool     // a microphone is open or is being opened
	current *session // nil while it is being opened
	ended   map[string]backend.Recording
}

// New returns a service after removing files that nothing has used for a day, and those of dictation. It does not connect to
// the sound system.
func New(o Options) (*Service, error) {
	s := &Service{opts: o, ended: map[string]backend.Recording{}}
	return s, s.tidy()
}

// Close stops the running recording; its audio stays. It waits a few seconds for a sound system that does not respond.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	current := s.current
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if current != nil {
		_, _ = current.move(ctx, backend.RecordingStopped) // the failure of a recording is in its state
	}
	ended := make(chan struct{})
	go backend.Protect(s.opts.Log, "stopping recordings", func() {
		s.work.Wait()
		close(ended)
	})
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// Devices returns the microphones. Error: no_audio_device if the sound system does not respond.
func (s *Service) Devices(ctx context.Context) ([]backend.AudioDevice, error) {
	return await(ctx, s, func() ([]backend.AudioDevice, error) { return s.opts.Microphones.List() }, func([]backend.AudioDevice) {})
}

// Start starts a recording into a file. An empty device is the system's default. Errors: recording_busy, no_audio_device,
// insufficient_disk.
func (s *Service) Start(ctx context.Context, device string, purpose backend.RecordingPurpose) (backend.Recording, error) {
	r := backend.Recording{ID: s.opts.NewID(), Purpose: purpose, Device: device}
	started, err := s.start(ctx, plan{recording: r, rate: SampleRate, limit: MaxDuration, listed: true, create: func() (sink, error) {
		if err := os.MkdirAll(s.opts.Dir, 0o700); err != nil {
			return nil, fileError("create the folder of recordings", err)
		}
		return createFile(s.path(r))
	}})
	if err != nil {
		return backend.Recording{}, err
	}
	return started.view(), nil
}

// start opens and starts a microphone, and runs the session until its end.
func (s *Service) start(ctx context.Context, p plan) (*session, error) {
	if err := s.reserve(); err != nil {
		return nil, err
	}
	return await(ctx, s, func() (started *session, err error) {
		err = backend.Contain(func() (err error) {
			started, err = s.open(p)
			return err
		})
		if err != nil {
			s.release()
		}
		return started, err
	}, func(abandoned *session) {
		_, _ = abandoned.move(context.Background(), backend.RecordingStopped)
		_ = s.remove(p.recording.ID) // nobody knows its id
	})
}

func (s *Service) open(p plan) (*session, error) {
	in := newInput()
	mic, err := s.opts.Microphones.Open(p.recording.Device, p.rate, in)
	if err != nil {
		return nil, err
	}
	out, err := p.create()
	if err != nil {
		mic.Close()
		return nil, err
	}
	if err := mic.Start(); err != nil {
		mic.Close()
		return nil, errors.Join(err, out.discard())
	}
	started := newSession(p, mic, in, out)
	if p.listed {
		started.notify = s.opts.Notify
	}
	s.mu.Lock()
	closed := s.closed
	if !closed {
		s.current = started
	}
	s.mu.Unlock()
	if closed { // Close has not seen it
		mic.Close()
		return nil, errors.Join(errClosed, out.discard())
	}
	started.notify(started.view(), true)
	s.work.Go(func() { started.run(s.opts.Log, func() { s.finish(started) }) })
	return started, nil
}

// await runs work that may block for as long as the sound system does, and returns its result. When ctx ends or the sound
// system does not respond, it returns an error at once, and undo is called with a result that comes later.
func await[T any](ctx context.Context, s *Service, work func() (T, error), undo func(T)) (T, error) {
	type result struct {
		value T
		err   error
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	results := make(chan result)
	s.work.Go(func() {
		backend.Protect(s.opts.Log, "the sound system", func() {
			var r result
			r.err = backend.Contain(func() (err error) {
				r.value, err = work()
				return err
			})
			select {
			case results <- r:
			case <-ctx.Done():
				if r.err == nil {
					undo(r.value)
				}
			}
		})
	})
	var none T
	select {
	case r := <-results:
		return r.value, r.err
	case <-ctx.Done():
		if caller.Err() != nil {
			return none, backend.ErrCancelled.WithCause(caller.Err())
		}
		return none, errNoResponse.WithCause(ctx.Err())
	}
}

// reserve claims the right to open a microphone. Errors: recording_busy with the id of the running recording, interrupted.
func (s *Service) reserve() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	if s.busy {
		if s.current == nil {
			return errBusy
		}
		return errBusy.With("id", s.current.view().ID)
	}
	s.busy = true
	return nil
}

func (s *Service) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy = false
}

// finish records the final state of a session and frees the microphone for the next.
func (s *Service) finish(ended *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := ended.view()
	if ended.listed {
		s.ended[r.ID] = r
	}
	s.busy, s.current = false, nil
}

// running returns the session of a recording that has not ended.
func (s *Service) running(id string) (*session, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil || s.current.view().ID != id {
		return nil, false
	}
	return s.current, true
}

// Get returns a recording. Error: not_found.
func (s *Service) Get(_ context.Context, id string) (backend.Recording, error) {
	if current, ok := s.running(id); ok {
		return current.view(), nil
	}
	s.mu.Lock()
	r, ok := s.ended[id]
	s.mu.Unlock()
	if ok {
		return r, nil
	}
	return s.stored(id)
}

// Pause pauses a recording; a paused one stays paused. Errors: not_found, not_in_progress after its end, no_audio_device.
func (s *Service) Pause(ctx context.Context, id string) (backend.Recording, error) {
	return s.move(ctx, id, backend.RecordingPaused)
}

// Resume continues a paused recording. Errors as Pause; no_audio_device ends the recording.
func (s *Service) Resume(ctx context.Context, id string) (backend.Recording, error) {
	return s.move(ctx, id, backend.RecordingRunning)
}

// Stop ends a recording and returns when its file is complete. One that has ended stays as it is. Error: not_found.
func (s *Service) Stop(ctx context.Context, id string) (backend.Recording, error) {
	return s.move(ctx, id, backend.RecordingStopped)
}

func (s *Service) move(ctx context.Context, id string, to backend.RecordingStatus) (backend.Recording, error) {
	if current, ok := s.running(id); ok {
		return current.move(ctx, to)
	}
	r, err := s.Get(ctx, id)
	if err == nil && !to.Ended() {
		err = errEnded(r)
	}
	return r, err
}

// DeleteRecording stops a recording if it is running, and removes its audio. Error: not_found.
func (s *Service) DeleteRecording(ctx context.Context, id string) error {
	if current, ok := s.running(id); ok {
		if _, err := current.move(ctx, backend.RecordingStopped); err != nil {
			return fmt.Errorf("stop a recording: %w", err)
		}
	}
	return s.remove(id)
}
