// Package dictation types what the user says: a shortcut opens the microphone, its audio is transcribed on this machine, and the
// text goes into the focused text field of any program or onto the clipboard. Nothing is stored.
package dictation

import (
	"cmp"
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/printable"
	"github.com/voicewright/voicewright/engines"
)

// The values of the settings dictation.mode and dictation.target. A dictation of the page has the target Page.
const (
	Hold      = "hold"      // dictate while the shortcut is held
	Toggle    = "toggle"    // the shortcut starts and stops
	Field     = "field"     // the text goes into the focused text field
	Clipboard = "clipboard" // the text goes onto the clipboard
	Page      = "page"      // the caller of Stop gets the text, and nobody else
)

// Capture is an open microphone, which ends by itself when it is unplugged or open for very long. Its audio is in memory.
type Capture interface {
	Samples() []float32 // mono, at engines.TranscriberRate
	Done() <-chan struct{}
	Stop(ctx context.Context) error
}

// Typist inserts text into other programs. Errors: typing_unavailable, runtime_missing, cancelled.
type Typist interface {
	Insert(ctx context.Context, text string) error
	Copy(ctx context.Context, text string) error
}

// Indicator shows that the microphone is open, above all windows.
type Indicator interface {
	Show()
	Hide()
}

// Preferences are the settings of dictation.
type Preferences struct {
	Enabled  bool
	Shortcut string
	Mode     string // Hold or Toggle
	Target   string // Field or Clipboard
}

// Options are what a Service is built from.
type Options struct {
	Preferences func() Preferences
	// Ready returns why Transcriber would fail, before anybody speaks. Errors: model_not_downloaded.
	Ready func(ctx context.Context) error
	// Capture opens the microphone; an empty device is the default. Errors: no_audio_device, recording_busy.
	Capture func(ctx context.Context, device string) (Capture, error)
	// Transcriber returns the model for dictation. Errors: model_not_downloaded and those of a load.
	Transcriber func(ctx context.Context) (*engines.LoadedTranscriber, error)
	Speech      engines.SpeechDetector
	Typist      Typist
	Indicator   Indicator
	// Listen begins to listen to a shortcut and returns how it is typed. Error: shortcut_unavailable.
	Listen  func(ctx context.Context, shortcut string, pressed, released func()) (trigger string, stop func(), err error)
	Changed func(backend.Dictation) // called after each change; may be nil
	Now     func() time.Time
	Log     *slog.Logger
}

// Service dictates. It is safe for concurrent use.
type Service struct {
	o    Options
	work sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	listened Preferences // for which the shortcut is listened to
	stop     func()      // ends the listener, nil without one
	trigger  string
	failure  *backend.Failure
	current  *session
	last     *backend.DictatedText

	applying sync.Mutex // one change of the settings at a time
}

// session is one dictation, from the open microphone to the text.
type session struct {
	target  string // Field, Clipboard or Page
	status  backend.DictationStatus
	capture Capture
	cancel  context.CancelFunc
	ready   chan struct{} // closed when capture is set, or could not be opened
	stopped chan struct{} // closed by Stop
	done    chan struct{} // closed when text or err is set
	once    sync.Once
	text    backend.DictatedText
	err     error
}

// New returns a Service that does not listen yet; Apply begins to.
func New(o Options) *Service { return &Service{o: o} }

// Off is the error of a dictation while it is switched off.
func Off() *backend.Error {
	return backend.E(backend.CodeDictationOff, "Dictation is off.", "Turn it on in Settings.")
}

func errNotDictating() *backend.Error {
	return backend.E(backend.CodeNotInProgress, "Nobody is dictating.", "Start a dictation first.")
}

func errDictating() *backend.Error {
	return backend.E(backend.CodeRecordingBusy, "A dictation is running already.", "Stop or cancel it first.")
}

// State returns what dictation is doing.
func (s *Service) State() backend.Dictation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state()
}

// state is State; mu is held.
func (s *Service) state() backend.Dictation {
	d := backend.Dictation{Status: backend.DictationOff, Shortcut: s.trigger, Error: s.failure}
	if s.o.Preferences().Enabled {
		d.Status = backend.DictationIdle
	}
	if s.current != nil {
		d.Status = s.current.status
	}
	return d
}

// Last returns the text of the last dictation. Error: not_found when there was none since the start of the program.
func (s *Service) Last() (backend.DictatedText, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		return backend.DictatedText{}, backend.E(backend.CodeNotFound, "Nothing was dictated since Voicewright was started.",
			"Dictate something first.")
	}
	return *s.last, nil
}

// Start opens the microphone, unless the model is missing; an empty device is the default, an empty target that of the settings.
// Errors: dictation_off, recording_busy, model_not_downloaded, no_audio_device.
func (s *Service) Start(ctx context.Context, device, target string) error {
	preferences := s.o.Preferences()
	if !preferences.Enabled {
		return Off()
	}
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	current := &session{
		target: cmp.Or(target, preferences.Target), status: backend.DictationRecording, cancel: cancel,
		ready: make(chan struct{}), stopped: make(chan struct{}), done: make(chan struct{}),
	}
	if err := s.reserve(current); err != nil {
		cancel()
		return err
	}
	err := backend.Contain(func() error { return s.open(work, current, device) }) // or a panic would keep it the current one
	close(current.ready)
	if err != nil {
		s.end(current, backend.DictatedText{}, err)
		return err
	}
	s.o.Indicator.Show()
	s.changed()
	s.work.Go(func() {
		var text backend.DictatedText
		err := backend.Contain(func() (err error) {
			if text, err = s.perform(work, current); err != nil {
				return err
			}
			s.remember(text) // so that it is not lost when it cannot be typed
			return s.deliver(work, current.target, text.Text)
		})
		s.end(current, text, err)
	})
	return nil
}

// open opens the microphone of a dictation, once it is known that there is a model to write down what it hears.
func (s *Service) open(ctx context.Context, current *session, device string) (err error) {
	if err := s.o.Ready(ctx); err != nil {
		return err
	}
	current.capture, err = s.o.Capture(ctx, device)
	return err
}

// reserve makes a dictation the current one. Errors: recording_busy, cancelled after Close.
func (s *Service) reserve(next *session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return backend.ErrCancelled
	case s.current != nil:
		return errDictating()
	}
	s.current, s.failure = next, nil
	return nil
}

// perform waits for the end of the speech and returns its text. The model is loaded meanwhile.
func (s *Service) perform(ctx context.Context, current *session) (backend.DictatedText, error) {
	type loading struct {
		model *engines.LoadedTranscriber
		err   error
	}
	loaded := make(chan loading, 1)
	s.work.Go(func() {
		var l loading
		if err := backend.Contain(func() error { l.model, l.err = s.o.Transcriber(ctx); return l.err }); err != nil {
			l.err = err
		}
		loaded <- l
	})
	recordErr := s.record(ctx, current)
	l := <-loaded
	if l.model != nil {
		defer l.model.Release()
	}
	if ctx.Err() != nil {
		return backend.DictatedText{}, backend.ErrCancelled.WithCause(ctx.Err())
	}
	if recordErr != nil {
		return backend.DictatedText{}, recordErr
	}
	if l.err != nil {
		return backend.DictatedText{}, l.err
	}
	text, err := s.transcribe(ctx, l.model, current.capture.Samples())
	if err != nil {
		return backend.DictatedText{}, err
	}
	return backend.DictatedText{Text: text, At: s.o.Now().UTC()}, nil
}

// record waits until the dictation is stopped, cancelled or too long, and closes the microphone.
func (s *Service) record(ctx context.Context, current *session) error {
	defer s.o.Indicator.Hide()
	select {
	case <-current.stopped:
	case <-current.capture.Done(): // what was said until then is transcribed
	case <-ctx.Done():
	}
	err := current.capture.Stop(context.WithoutCancel(ctx))
	s.mu.Lock()
	current.status = backend.DictationTranscribing
	s.mu.Unlock()
	s.changed()
	if err != nil && len(current.capture.Samples()) == 0 {
		return err
	}
	return nil
}

// transcribe returns the text of the speech, on one line. Audio without speech has none, so that models invent nothing.
func (s *Service) transcribe(ctx context.Context, model *engines.LoadedTranscriber, samples []float32) (string, error) {
	spans, err := s.o.Speech.Speech(ctx, samples)
	switch {
	case backend.CodeOf(err) == backend.CodeRuntimeMissing: // then all of it is transcribed
	case err != nil:
		return "", err
	case len(spans) == 0:
		return "", nil
	}
	var parts []string
	_, err = model.Transcribe(ctx, samples, engines.TranscribeOptions{}, func(segment backend.Segment) error {
		parts = append(parts, segment.Text)
		return nil
	})
	// A line break or an escape would be a key press in the focused program, which may be a terminal.
	return printable.OneLine(strings.Join(parts, " ")), err
}

// end records the result of a dictation.
func (s *Service) end(current *session, text backend.DictatedText, err error) {
	current.cancel()
	current.text, current.err = text, err
	s.mu.Lock()
	s.current = nil
	if err != nil && backend.CodeOf(err) != backend.CodeCancelled {
		s.fail(err)
	}
	s.mu.Unlock()
	close(current.done)
	s.changed()
}

// fail keeps an error for State; mu is held.
func (s *Service) fail(err error) {
	s.failure = backend.FailureOf(err)
	s.o.Log.Warn("dictation failed", "error", err)
}

// Stop ends the speech and returns its text, which may be empty. Errors: not_in_progress, those of the model, cancelled.
func (s *Service) Stop(ctx context.Context) (backend.DictatedText, error) {
	current := s.running()
	if current == nil {
		return backend.DictatedText{}, errNotDictating()
	}
	current.once.Do(func() { close(current.stopped) })
	select {
	case <-current.done:
		return current.text, current.err
	case <-ctx.Done():
		current.cancel()
		<-current.done
		return backend.DictatedText{}, backend.ErrCancelled.WithCause(ctx.Err())
	}
}

// Cancel ends a dictation without a text. Error: not_in_progress.
func (s *Service) Cancel() error {
	current := s.running()
	if current == nil {
		return errNotDictating()
	}
	current.cancel()
	<-current.done
	return nil
}

// running returns the current dictation once its microphone is open, or nil.
func (s *Service) running() *session {
	s.mu.Lock()
	current := s.current
	s.mu.Unlock()
	if current != nil {
		<-current.ready
	}
	return current
}

func (s *Service) remember(text backend.DictatedText) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = &text
}

// deliver puts a text where the user wants it. Errors: typing_unavailable, runtime_missing, cancelled.
func (s *Service) deliver(ctx context.Context, target, text string) error {
	switch {
	case text == "" || target == Page:
		return nil
	case target == Clipboard:
		return s.o.Typist.Copy(ctx, text)
	}
	return s.o.Typist.Insert(ctx, text)
}

func (s *Service) changed() {
	if s.o.Changed == nil {
		return
	}
	state := s.State()
	backend.Protect(s.o.Log, "the event of a dictation", func() { s.o.Changed(state) })
}
