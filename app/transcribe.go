package app

import (
	"context"
	"path/filepath"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/transcribe"
)

// openTranscribe creates the service that transcribes.
func (s *Studio) openTranscribe(
	ctx context.Context, c Config, codecs *audio.Codecs, events *httpapi.Events,
) (err error) {
	prefs := s.settings
	s.transcribe, err = transcribe.New(ctx, transcribe.Options{
		Dir: filepath.Join(c.Data, "transcripts"), Store: s.db, Models: s.models, Codecs: codecs, Detector: s.detector,
		Generations: s.speech, Recordings: s.recordings,
		DefaultModel: func() string { return prefs.String(settings.TranscribeModel) },
		MaxHours:     func() float64 { return prefs.Number(settings.MaxHours) },
		Free:         freeSpace,
		Retention:    func() time.Duration { return prefs.Duration(settings.Retention) },
		Notify:       func(t backend.Transcript) { events.Transcript(t) },
		Expired:      func(int) { events.Publish("transcription", struct{}{}) }, // the page reads its list again
		QueueLimit:   transcribe.DefaultQueueLimit, Now: time.Now, NewID: newID, Log: c.Log,
	})
	return err
}
