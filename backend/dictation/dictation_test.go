package dictation_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/dictation"
	"github.com/voicewright/voicewright/engines"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// desk is a desktop with a microphone, a model, a keyboard and a text field, all of them fakes.
type desk struct {
	dictation.Preferences
	sayNothing  bool
	microphone  error // why it cannot be opened
	model       error
	missing     error    // why there is no model
	faulty      bool     // the search for the model panics
	says        []string // the segments that the model hears
	typist      error
	shortcut    error
	panics      bool
	unplugged   chan struct{}
	transcribed chan struct{} // non-nil: the model waits until it is closed

	mu        sync.Mutex
	open      int // microphones
	opened    int // in all
	shown     bool
	typed     []string
	copied    []string
	released  int // models
	listening map[string]bool
	press     func()
	lift      func()
}

func (d *desk) Insert(_ context.Context, text string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.typed = append(d.typed, text)
	return d.typist
}

func (d *desk) Copy(_ context.Context, text string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.copied = append(d.copied, text)
	return d.typist
}

func (d *desk) Show() { d.show(true) }
func (d *desk) Hide() { d.show(false) }

func (d *desk) show(on bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shown = on
}

type capture struct{ d *desk }

func (c capture) Samples() []float32    { return make([]float32, engines.TranscriberRate) }
func (c capture) Done() <-chan struct{} { return c.d.unplugged }
func (c capture) Stop(context.Context) error {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	c.d.open--
	return nil
}

func (d *desk) capture(context.Context, string) (dictation.Capture, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.microphone != nil {
		return nil, d.microphone
	}
	d.open++
	d.opened++
	return capture{d}, nil
}

func (d *desk) Speech(_ context.Context, samples []float32) ([]engines.Span, error) {
	if d.sayNothing {
		return nil, nil
	}
	return []engines.Span{{Start: 0, End: len(samples)}}, nil
}

type transcriber struct {
	engines.Transcriber
	d *desk
}

func (r transcriber) Transcribe(
	ctx context.Context, _ []float32, _ engines.TranscribeOptions, emit func(backend.Segment) error,
) (string, error) {
	if r.d.panics {
		panic("the model")
	}
	if r.d.transcribed != nil {
		select {
		case <-r.d.transcribed:
		case <-ctx.Done():
			return "", backend.ErrCancelled
		}
	}
	for _, text := range r.d.says {
		if err := emit(backend.Segment{Text: text}); err != nil {
			return "", err
		}
	}
	if len(r.d.says) > 0 {
		return "en", nil
	}
	return "en", errors.Join(emit(backend.Segment{Text: " Hello there,"}), emit(backend.Segment{Text: " ask not."}))
}

func (d *desk) load(context.Context) (*engines.LoadedTranscriber, error) {
	if d.model != nil {
		return nil, d.model
	}
	return &engines.LoadedTranscriber{Transcriber: transcriber{d: d}, Release: func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.released++
	}}, nil
}

func (d *desk) listen(_ context.Context, shortcut string, pressed, released func()) (string, func(), error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shortcut != nil {
		return "", nil, d.shortcut
	}
	d.listening[shortcut], d.press, d.lift = true, pressed, released
	return "Press " + shortcut, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.listening, shortcut)
	}, nil
}

func start(t *testing.T, d *desk) *dictation.Service {
	t.Helper()
	if d.Shortcut == "" {
		d.Preferences = dictation.Preferences{Enabled: true, Shortcut: "F9", Mode: dictation.Hold, Target: dictation.Field}
	}
	d.unplugged, d.listening = make(chan struct{}), map[string]bool{}
	s := dictation.New(dictation.Options{
		Preferences: func() dictation.Preferences { d.mu.Lock(); defer d.mu.Unlock(); return d.Preferences },
		Ready: func(context.Context) error {
			if d.faulty {
				panic("no models")
			}
			return d.missing
		},
		Capture: d.capture, Transcriber: d.load, Speech: d, Typist: d, Indicator: d, Listen: d.listen,
		Now: func() time.Time { return time.Unix(1000, 0) }, Log: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(s.Close)
	s.Apply(t.Context())
	return s
}

func (d *desk) texts() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.typed...)
}

func until(t *testing.T, s *dictation.Service, status backend.DictationStatus) {
	t.Helper()
	require.Eventually(t, func() bool { return s.State().Status == status }, time.Minute, time.Millisecond, status)
}

func TestHoldAndSpeak(t *testing.T) {
	d := &desk{}
	s := start(t, d)
	require.Equal(t, backend.Dictation{Status: backend.DictationIdle, Shortcut: "Press F9"}, s.State())
	for range 2 {
		d.press()
		until(t, s, backend.DictationRecording)
		require.True(t, d.shown)
		require.Equal(t, 1, d.open)
		d.lift()
		until(t, s, backend.DictationIdle)
	}
	require.Equal(t, []string{"Hello there, ask not.", "Hello there, ask not."}, d.texts())
	require.False(t, d.shown)
	require.Zero(t, d.open)
	require.Equal(t, 2, d.released)
	last, err := s.Last()
	require.NoError(t, err)
	require.Equal(t, backend.DictatedText{Text: "Hello there, ask not.", At: time.Unix(1000, 0).UTC()}, last)
}

func TestToggle(t *testing.T) {
	d := &desk{Preferences: dictation.Preferences{Enabled: true, Shortcut: "F9", Mode: dictation.Toggle, Target: dictation.Clipboard}}
	s := start(t, d)
	d.press()
	d.lift()
	until(t, s, backend.DictationRecording)
	d.press()
	d.lift()
	until(t, s, backend.DictationIdle)
	require.Equal(t, []string{"Hello there, ask not."}, d.copied)
	require.Empty(t, d.texts())
}

func TestDictateByAPI(t *testing.T) {
	d := &desk{}
	s := start(t, d)
	_, err := s.Stop(t.Context())
	require.Equal(t, backend.CodeNotInProgress, backend.CodeOf(err))
	require.NoError(t, s.Start(t.Context(), "", dictation.Page))
	require.Equal(t, backend.CodeRecordingBusy, backend.CodeOf(s.Start(t.Context(), "", "")))
	text, err := s.Stop(t.Context())
	require.NoError(t, err)
	require.Equal(t, "Hello there, ask not.", text.Text)
	require.Empty(t, d.texts(), "the page inserts it")
}

func TestOffByDefault(t *testing.T) {
	d := &desk{Preferences: dictation.Preferences{Shortcut: "F9", Mode: dictation.Hold, Target: dictation.Field}}
	s := start(t, d)
	require.Empty(t, d.listening)
	require.Equal(t, backend.DictationOff, s.State().Status)
	require.Equal(t, backend.CodeDictationOff, backend.CodeOf(s.Start(t.Context(), "", "")))
	require.Zero(t, d.open)
}

func TestSettingsApplyAtOnce(t *testing.T) {
	d := &desk{}
	s := start(t, d)
	set := func(p dictation.Preferences) {
		d.mu.Lock()
		d.Preferences = p
		d.mu.Unlock()
		s.Apply(t.Context())
	}
	set(dictation.Preferences{Enabled: true, Shortcut: "F8", Mode: dictation.Hold, Target: dictation.Field})
	require.Equal(t, map[string]bool{"F8": true}, d.listening)
	require.NoError(t, s.Start(t.Context(), "", ""))
	set(dictation.Preferences{Shortcut: "F8", Mode: dictation.Hold, Target: dictation.Field})
	require.Empty(t, d.listening)
	require.Zero(t, d.open, "the microphone is closed when dictation is switched off")
	require.Empty(t, d.texts())
}

func TestNothingSaid(t *testing.T) {
	d := &desk{sayNothing: true}
	s := start(t, d)
	require.NoError(t, s.Start(t.Context(), "", ""))
	text, err := s.Stop(t.Context())
	require.NoError(t, err)
	require.Empty(t, text.Text)
	require.Empty(t, d.texts())
}

func TestUnpluggedMicrophone(t *testing.T) {
	d := &desk{}
	s := start(t, d)
	d.press()
	until(t, s, backend.DictationRecording)
	close(d.unplugged)
	until(t, s, backend.DictationIdle)
	require.Equal(t, []string{"Hello there, ask not."}, d.texts())
	d.lift()
}

func TestErrorsOfDictation(t *testing.T) {
	for code, d := range map[backend.Code]*desk{
		backend.CodeNoAudioDevice:      {microphone: backend.E(backend.CodeNoAudioDevice, "None.", "")},
		backend.CodeModelNotDownloaded: {model: backend.E(backend.CodeModelNotDownloaded, "Missing.", "")},
		backend.CodeTypingUnavailable:  {typist: backend.E(backend.CodeTypingUnavailable, "No field.", "")},
		backend.CodeInternal:           {panics: true},
	} {
		s := start(t, d)
		d.press()
		d.lift()
		require.Eventually(t, func() bool { f := s.State().Error; return f != nil && f.Code == code }, time.Minute, time.Millisecond, code)
		until(t, s, backend.DictationIdle)
		require.Zero(t, d.open)
		require.False(t, d.shown)
		if code == backend.CodeTypingUnavailable {
			last, err := s.Last()
			require.NoError(t, err, "the text is not lost")
			require.Equal(t, "Hello there, ask not.", last.Text)
		}
	}
}

// TestControlCharacters: what a model hears never presses a key of its own, whatever the target.
func TestControlCharacters(t *testing.T) {
	d := &desk{says: []string{" rm -rf ~\n", "\x1b[2J ls\r\n\ty", "\u202ex\u2066\x00 ", "\u0085\x7f", "a\u2028b."}}
	s := start(t, d)
	for _, target := range []string{dictation.Field, dictation.Clipboard, dictation.Page} {
		require.NoError(t, s.Start(t.Context(), "", target))
		text, err := s.Stop(t.Context())
		require.NoError(t, err)
		require.Equal(t, "rm -rf ~ [2J ls y x a b.", text.Text)
	}
	require.Equal(t, []string{"rm -rf ~ [2J ls y x a b."}, d.texts())
	require.Equal(t, d.texts(), d.copied)
}

// TestMissingModel is found before the microphone opens, by the API and by the shortcut.
func TestMissingModel(t *testing.T) {
	d := &desk{missing: backend.E(backend.CodeModelNotDownloaded, "Missing.", "Download it.")}
	s := start(t, d)
	require.Equal(t, backend.CodeModelNotDownloaded, backend.CodeOf(s.Start(t.Context(), "", dictation.Page)))
	require.Equal(t, backend.CodeModelNotDownloaded, s.State().Error.Code)
	d.press()
	d.lift()
	require.Eventually(t, func() bool { f := s.State().Error; return f != nil && f.Remedy == "Download it." }, time.Minute, time.Millisecond)
	until(t, s, backend.DictationIdle)
	d.mu.Lock()
	defer d.mu.Unlock()
	require.Zero(t, d.opened, "the microphone was never open")
	require.False(t, d.shown)
}

func TestPanicBeforeTheMicrophoneOpens(t *testing.T) {
	d := &desk{faulty: true}
	s := start(t, d)
	require.Equal(t, backend.CodeInternal, backend.CodeOf(s.Start(t.Context(), "", dictation.Page)))
	d.faulty = false
	require.NoError(t, s.Start(t.Context(), "", dictation.Page), "the next one can start")
}

func TestTakenShortcut(t *testing.T) {
	d := &desk{shortcut: backend.E(backend.CodeShortcutUnavailable, "Taken.", "")}
	s := start(t, d)
	require.Equal(t, backend.CodeShortcutUnavailable, s.State().Error.Code)
	require.NoError(t, s.Start(t.Context(), "", ""), "the page can still dictate")
}

func TestCancel(t *testing.T) {
	d := &desk{transcribed: make(chan struct{})}
	s := start(t, d)
	require.NoError(t, s.Start(t.Context(), "", ""))
	require.NoError(t, s.Cancel())
	require.NoError(t, s.Start(t.Context(), "", ""))
	stopping, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err := s.Stop(stopping) // while it is transcribed
	require.ErrorIs(t, err, backend.ErrCancelled)
	require.Nil(t, s.State().Error)
	require.Empty(t, d.texts())
	_, err = s.Last()
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(err))
}

func TestCloseWhileDictating(t *testing.T) {
	d := &desk{transcribed: make(chan struct{})}
	s := start(t, d)
	d.press()
	until(t, s, backend.DictationRecording)
	s.Close()
	require.Zero(t, d.open)
	require.Empty(t, d.listening)
	require.ErrorIs(t, s.Start(t.Context(), "", ""), backend.ErrCancelled)
}
