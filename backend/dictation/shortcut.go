package dictation

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// Apply follows the settings: it listens to the shortcut while dictation is on. A shortcut that cannot be used is an error in
// State; the page can still dictate.
func (s *Service) Apply(ctx context.Context) {
	s.applying.Lock()
	defer s.applying.Unlock()
	want := s.o.Preferences()
	want.Target = "" // read when the text is there
	s.mu.Lock()
	same, stop := want == s.listened || s.closed, s.stop
	s.mu.Unlock()
	if same {
		return
	}
	if stop != nil {
		stop()
	}
	if !want.Enabled {
		_ = s.Cancel()
	}
	trigger, stop, err := "", nil, error(nil)
	if want.Enabled {
		trigger, stop, err = s.listen(ctx, want)
	}
	s.mu.Lock()
	s.listened, s.trigger, s.stop, s.failure = want, trigger, stop, nil
	if err != nil {
		s.fail(err)
	}
	s.mu.Unlock()
	s.changed()
}

// listen begins to listen to the shortcut. Its functions return at once: the work is done by one goroutine, in their order.
func (s *Service) listen(ctx context.Context, p Preferences) (trigger string, stop func(), err error) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	keys := make(chan bool, 16) // true for a press
	send := func(pressed bool) func() {
		return func() {
			select {
			case keys <- pressed:
			default: // nobody types as fast
			}
		}
	}
	trigger, end, err := s.o.Listen(ctx, p.Shortcut, send(true), send(false))
	if err != nil {
		cancel()
		return "", nil, err
	}
	ended := make(chan struct{})
	s.work.Go(func() {
		defer close(ended)
		for {
			select {
			case pressed := <-keys:
				backend.Protect(s.o.Log, "the shortcut of dictation", func() { s.key(work, p.Mode, pressed) })
			case <-work.Done():
				return
			}
		}
	})
	return trigger, func() { end(); cancel(); <-ended }, nil
}

// key handles a press or a release of the shortcut.
func (s *Service) key(ctx context.Context, mode string, pressed bool) {
	recording := s.State().Status == backend.DictationRecording
	var err error
	switch {
	case pressed && !recording:
		err = s.Start(ctx, "", "")
	case recording && pressed == (mode == Toggle):
		_, err = s.Stop(ctx)
	}
	if err != nil { // State has it
		s.o.Log.Info("dictation by shortcut failed", "code", backend.CodeOf(err))
	}
}

// Close ends the shortcut and a running dictation.
func (s *Service) Close() {
	s.applying.Lock()
	defer s.applying.Unlock()
	s.mu.Lock()
	s.closed = true
	stop := s.stop
	s.stop = nil
	s.mu.Unlock()
	_ = s.Cancel()
	if stop != nil {
		stop()
	}
	s.work.Wait()
}
