package app

import (
	"cmp"
	"context"
	"path/filepath"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/transcribe"
)

// openTranscribe creates the service that transcribes.
func (s *Studio) openTranscribe(
	ctx context.Context, c Config, codecs *audio.Codecs, events *events.Streams,
) (err error) {
	prefs := s.settings
	s.transcribe, err = transcribe.New(ctx, transcribe.Options{
		Dir: filepath.Join(c.Data, "transcripts"), Store: s.db, Models: s.models, Diarizers: s.models, Known: s.voices,
		Codecs: codecs, Detector: s.detector,
		Generations: s.speech.Generations, Recordings: s.recordings,
		DefaultModel: s.transcriber,
		SpeakerPace:  func() backend.SpeakerPace { return backend.SpeakerPace(prefs.String(settings.SpeakersPace)) },
		MaxHours:     func() float64 { return prefs.Number(settings.MaxHours) },
		Free:         freeSpace,
		Retention:    func() time.Duration { return prefs.Duration(settings.Retention) },
		Notify:       func(t backend.Transcript) { events.Transcript(t) },
		Expired:      func(int) { events.Publish("transcription", struct{}{}) }, // the page reads its list again
		QueueLimit:   transcribe.DefaultQueueLimit, Now: time.Now, NewID: newID, Log: c.Log,
	})
	if err != nil {
		return err
	}
	s.onClose(s.transcribe.Close)
	return nil
}

// transcriber returns the model of transcriptions that name none, and whether the user has named it in the settings.
func (s *Studio) transcriber(last string, o backend.TranscribeOptions) (name string, named bool) {
	work := models.Listening{Language: o.Language, Translate: o.Translate}
	if last != "" && s.models.InstalledTranscriber(last, work) == last {
		return last, false
	}
	return s.listener(settings.TranscribeModel, work)
}

// verifier returns the model that listens to speech in a language, and whether the user has named it in the settings.
func (s *Studio) verifier(language string) (name string, named bool) {
	return s.listener(settings.VerifyModel, models.Listening{Language: language})
}

// listener returns the transcription model of a setting, and whether the user has set it: such a model is downloaded where it is
// missing. The default, which nobody chose, is downloaded only where no other model is installed that can do the work.
func (s *Studio) listener(key string, work models.Listening) (name string, named bool) {
	usual := s.settings.String(key)
	if s.settings.IsSet(key) {
		return usual, true
	}
	return cmp.Or(s.models.InstalledTranscriber(usual, work), usual), false
}
