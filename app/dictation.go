package app

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/app/indicator"
	"github.com/voicewright/voicewright/app/shortcuts"
	"github.com/voicewright/voicewright/app/typing"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/dictation"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/shortcut"
	"github.com/voicewright/voicewright/engines"
)

// openDictation creates the service that types what the user says. It listens to no shortcut before startDictation.
func (s *Studio) openDictation(c Config, speech engines.SpeechDetector, events *events.Streams) {
	prefs := s.settings
	typist := typing.New(c.Log)
	s.dictation = dictation.New(dictation.Options{
		Preferences: func() dictation.Preferences {
			return dictation.Preferences{
				Enabled: prefs.Bool(settings.DictationEnabled), Shortcut: prefs.String(settings.DictationShortcut),
				Mode: prefs.String(settings.DictationMode), Target: prefs.String(settings.DictationTarget),
			}
		},
		Ready: func(context.Context) error {
			name, _ := s.listener(settings.TranscribeModel, models.Listening{})
			err := s.models.CheckDownloaded(name)
			if backend.CodeOf(err) == backend.CodeModelNotDownloaded {
				return backend.AsError(err).With("reason", "dictation")
			}
			return err
		},
		Capture: func(ctx context.Context, device string) (dictation.Capture, error) {
			capture, err := s.recordings.Capture(ctx, device)
			if err != nil { // a nil *Capture would be a non-nil Capture
				return nil, err
			}
			return capture, nil
		},
		Transcriber: func(ctx context.Context) (*engines.LoadedTranscriber, error) {
			name, _ := s.listener(settings.TranscribeModel, models.Listening{})
			return s.models.AcquireTranscriberDownloaded(ctx, name)
		},
		Speech: speech, Typist: typist, Indicator: indicator.New(c.Log),
		Listen: func(ctx context.Context, keys string, pressed, released func()) (string, func(), error) {
			parsed, err := shortcut.Parse(keys)
			if err != nil { // settings are checked when they are set
				return "", nil, err
			}
			listener, err := shortcuts.Listen(ctx, c.Log, shortcuts.Action{
				Name: "dictation", Description: "Voicewright: dictate", Shortcut: parsed, Pressed: pressed, Released: released,
			})
			if err != nil {
				return "", nil, err
			}
			return listener.Trigger(), listener.Close, nil
		},
		Changed: func(d backend.Dictation) { events.Publish("dictation", httpapi.Dictation(d)) },
		Now:     time.Now, Log: c.Log,
	})
	s.onClose(func(context.Context) error { // the microphone, and the shortcut
		s.dictation.Close()
		typist.Close()
		return nil
	})
}

// startDictation listens to the shortcut while the studio runs, and follows the settings.
func (s *Studio) startDictation(ctx context.Context) {
	s.inBackground(ctx, func(ctx context.Context) {
		for {
			backend.Protect(s.log, "the shortcut of dictation", func() { s.dictation.Apply(ctx) })
			select {
			case <-s.changes.dictation:
			case <-ctx.Done():
				return
			}
		}
	})
}
