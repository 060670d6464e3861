package recordings

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

const (
	// meterInterval is between two level values. It is longer than the interval in which event streams merge changes, so that
	// readers see each of them.
	meterInterval = 130 * time.Millisecond
	// lostAfter is how long a microphone may deliver nothing, as when a wireless one starts. Some sound systems do not report
	// that it was disconnected.
	lostAfter = 5 * time.Second
	ringSize  = 1 << 19 // samples: 11 s at 48 kHz, in which a busy disk can catch up
)

// sink is where the samples of a recording are stored.
type sink interface {
	write(samples []float32) error
	close() error
	discard() error // instead of close: nothing is stored
}

// plan is what a recording is to be.
type plan struct {
	recording backend.Recording // ID, Purpose and Device
	rate      int               // in Hz
	limit     time.Duration     // the longest duration
	listed    bool              // the API has it
	create    func() (sink, error)
}

// session is one recording from its start to its end. Its goroutine owns the microphone and the sink; commands reach it through
// a channel.
type session struct {
	mic      Microphone
	input    *input
	sink     sink
	rate     int
	limit    int // samples
	listed   bool
	notify   func(r backend.Recording, changed bool)
	commands chan command
	done     chan struct{} // closed at the end, after the sink

	mu    sync.Mutex
	state backend.Recording

	// used by the goroutine only
	meter   meter
	stored  int
	heardAt time.Time // when samples last arrived
	block   []float32
}

// command moves a recording to another state.
type command struct {
	to     backend.RecordingStatus
	result chan error
}

// input is the side of a session that the sound system calls.
type input struct {
	*ring
	lost chan struct{}
}

func newInput() *input { return &input{ring: newRing(ringSize), lost: make(chan struct{}, 1)} }

// Samples implements Input.
func (in *input) Samples(samples []float32) { in.put(samples) }

// Lost implements Input.
func (in *input) Lost() {
	select {
	case in.lost <- struct{}{}:
	default: // reported already
	}
}

// newSession returns a session for a started microphone.
func newSession(p plan, mic Microphone, in *input, out sink) *session {
	now := p.recording
	now.Status, now.LevelDB, now.PeakDB = backend.RecordingRunning, silenceDB, silenceDB
	return &session{
		mic: mic, input: in, sink: out, rate: p.rate, limit: int(p.limit.Seconds() * float64(p.rate)), listed: p.listed, state: now,
		notify: func(backend.Recording, bool) {}, commands: make(chan command), done: make(chan struct{}), block: make([]float32, 1<<14),
	}
}

// view returns the present state.
func (s *session) view() backend.Recording {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// run records until the end. The microphone has been started. finish is called when everything is stored and closed.
func (s *session) run(log *slog.Logger, finish func()) {
	defer close(s.done)
	defer finish()
	err := backend.Contain(s.record)
	backend.Protect(log, "closing a microphone", s.mic.Close)
	// What the sound system delivered before it was closed still belongs to the recording.
	err = firstError(err, backend.Contain(s.drain), backend.Contain(s.sink.close))
	s.end(err, log)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// record returns nil when the recording was stopped or has reached the longest duration.
func (s *session) record() error {
	tick := time.NewTicker(meterInterval)
	defer tick.Stop()
	s.heardAt = time.Now()
	for s.stored < s.limit {
		select {
		case c := <-s.commands:
			ended, err := s.obey(c.to)
			c.result <- err
			if ended {
				return err
			}
		case <-s.input.lost:
			return errDisconnected
		case <-tick.C:
			if err := s.drain(); err != nil {
				return err
			}
			if s.view().Status == backend.RecordingRunning && time.Since(s.heardAt) > lostAfter {
				return errDisconnected
			}
			s.show(s.view().Status)
		}
	}
	return nil
}

// obey carries out a command and reports whether the recording has ended by it.
func (s *session) obey(to backend.RecordingStatus) (ended bool, err error) {
	switch to {
	case backend.RecordingPaused:
		if err = s.mic.Pause(); err == nil {
			err = s.drain()
		}
	case backend.RecordingRunning:
		s.heardAt = time.Now()
		err = s.mic.Start()
	default:
		return true, nil
	}
	if err != nil {
		return true, errDisconnected.WithCause(err)
	}
	s.show(to)
	return false, nil
}

// drain stores what has arrived, up to the longest duration.
func (s *session) drain() error {
	for s.stored < s.limit {
		n := s.input.take(s.block[:min(len(s.block), s.limit-s.stored)])
		if n == 0 {
			return nil
		}
		s.heardAt = time.Now()
		s.meter.add(s.block[:n])
		if err := s.sink.write(s.block[:n]); err != nil {
			return err
		}
		s.stored += n
	}
	return nil
}

// show publishes the state with the level since the last call.
func (s *session) show(status backend.RecordingStatus) {
	level, peak := s.meter.next()
	s.mu.Lock()
	changed := s.state.Status != status
	s.state.Status, s.state.LevelDB, s.state.PeakDB, s.state.Clipped = status, level, peak, s.meter.clipped
	s.state.Seconds = float64(s.stored) / float64(s.rate)
	s.state.Dropped = float64(s.input.dropped.Load()) / float64(s.rate)
	now := s.state
	s.mu.Unlock()
	s.notify(now, changed)
}

// end publishes the final state. A full disk stops a recording, everything else that ends it is a failure; what was recorded is
// stored in both cases.
func (s *session) end(err error, log *slog.Logger) {
	status := backend.RecordingStopped
	if err != nil {
		e := backend.LogFailure(context.Background(), log, err, "a recording")
		if e.Code != backend.CodeInsufficientDisk {
			status = backend.RecordingFailed
		}
		s.mu.Lock()
		s.state.Error = backend.FailureOf(e)
		s.mu.Unlock()
	}
	s.show(status)
}

// move brings the session into a state and returns the state that it is in then. A final state, and the state that it is in
// already, are no error: the recording may have ended by itself meanwhile. Error: not_in_progress.
func (s *session) move(ctx context.Context, to backend.RecordingStatus) (backend.Recording, error) {
	now := s.view()
	if now.Status == to || to.Ended() && now.Status.Ended() {
		return now, nil
	}
	if !now.Status.CanMove(to) {
		return now, errEnded(now)
	}
	c := command{to: to, result: make(chan error, 1)}
	select {
	case s.commands <- c:
	case <-s.done:
		return s.move(ctx, to)
	case <-ctx.Done():
		return now, backend.ErrCancelled.WithCause(ctx.Err())
	}
	var err error
	select {
	case err = <-c.result:
	case <-ctx.Done():
		return now, backend.ErrCancelled.WithCause(ctx.Err())
	}
	if to.Ended() {
		select {
		case <-s.done:
		case <-ctx.Done():
			return now, backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
	return s.view(), err
}

func errEnded(r backend.Recording) error {
	return backend.E(backend.CodeNotInProgress, "The recording has ended.", "Start a new one.").With("status", string(r.Status)).
		WithCause(fmt.Errorf("recording %s is %s", r.ID, r.Status))
}
