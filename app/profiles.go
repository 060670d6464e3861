package app

import (
	"context"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/printable"
	"github.com/voicewright/voicewright/backend/profiles"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/engines"
)

// openProfiles creates the service of voice profiles and their samples.
func (s *Studio) openProfiles(ctx context.Context, c Config, codecs *audio.Codecs, events *events.Streams) error {
	s.profiles = profiles.New(profiles.Options{
		Dir: filepath.Join(c.Data, "voices"), Store: s.db, Models: s.models, Codecs: codecs, Detector: s.detector, Diarizers: s.models,
		Recordings: s.recordings, Listen: s.listen, User: userName, Hosted: s.hostedConfigured, HostedVoice: s.hosted.service.ProfileVoice,
		Changed: func() { events.Publish("profile", struct{}{}) }, Now: time.Now, NewID: newID, Log: c.Log,
	})
	return s.profiles.Sweep(ctx)
}

// userName returns the name of the user's account.
func userName() string {
	u, err := user.Current()
	switch {
	case err != nil:
		return ""
	case u.Name != "":
		return u.Name
	default:
		return u.Username
	}
}

// listen returns what an installed transcription model hears, by preference that of the settings.
// Error: model_not_downloaded where none is installed.
func (s *Studio) listen(ctx context.Context, sound audio.Buffer, language string) (string, error) {
	name := s.models.InstalledTranscriber(s.settings.String(settings.TranscribeModel), models.Listening{Language: language})
	if name == "" {
		return "", backend.E(backend.CodeModelNotDownloaded, "No transcription model for this language is installed.",
			"Download one, such as whisper-base, or write the transcript.").With("language", language)
	}
	loaded, err := s.models.AcquireTranscriberDownloaded(ctx, name)
	if err != nil {
		return "", err
	}
	defer loaded.Release()
	mono, err := sound.MonoAt(ctx, engines.TranscriberRate)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	_, err = loaded.Transcribe(ctx, mono.Samples, engines.TranscribeOptions{Language: language}, func(segment backend.Segment) error {
		text.WriteString(segment.Text)
		return nil
	})
	return printable.OneLine(text.String()), err
}
