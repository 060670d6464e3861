package speech

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// The time after which a preview is cancelled: its sentence takes about three seconds, and a cloned voice has to be prepared.
const (
	previewLimit      = 15 * time.Second
	clonePreviewLimit = 2 * time.Minute
)

// Preview returns a short sentence in a profile's voice as a WAV file, at the usual level. It waits in the queue like a
// generation, is not recorded in the history and downloads nothing.
// Errors: profile_not_found, model_not_downloaded, queue_full and those of speaking.
func (s *Service) Preview(ctx context.Context, profileID string) ([]byte, error) {
	profile, err := s.o.Store.Profile(ctx, profileID)
	if err != nil {
		return nil, err
	}
	if profile.VoiceType == backend.VoiceHosted {
		return s.hostedPreview(ctx, profile)
	}
	v, err := s.resolve(backend.GenerateOptions{}, profile)
	if err != nil {
		return nil, err
	}
	if err := s.checkClone(ctx, v); err != nil {
		return nil, err
	}
	var wav []byte
	err = s.inTurn(ctx, "preview", func(ctx context.Context) (err error) {
		wav, err = s.speakPreview(ctx, profile, v)
		return err
	})
	return wav, err
}

func (s *Service) speakPreview(ctx context.Context, profile backend.Profile, v voice) ([]byte, error) {
	made, err := s.speakSentence(ctx, profile, v)
	if err != nil {
		return nil, err
	}
	if heard, err := audio.Normalize(ctx, made); err != nil {
		return nil, err
	} else if !heard {
		return nil, errSilent
	}
	return audio.PCM16(audio.WAVHeader(made.Rate, made.Channels, uint32(2*len(made.Samples))), made.Samples), nil
}

// speakSentence returns the preview sentence as the engine makes it.
func (s *Service) speakSentence(ctx context.Context, profile backend.Profile, v voice) (audio.Buffer, error) {
	loaded, err := s.o.Models.AcquireDownloaded(ctx, v.model)
	if err != nil {
		return audio.Buffer{}, err
	}
	if loaded, err = s.withReference(ctx, loaded, v); err != nil {
		return audio.Buffer{}, err
	}
	defer loaded.Release()
	limit := previewLimit
	if _, cloned := v.cloneOf(); cloned {
		limit = clonePreviewLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	info := loaded.Info()
	made := audio.Buffer{Rate: info.SampleRate, Channels: info.Channels}
	u := engines.Utterance{
		Text: backend.PreviewSentence(v.language), Voice: v.id, Language: v.language, Speed: or(profile.Speed, 1),
	}
	err = speakWhole(ctx, loaded, u, func(b engines.Sound) error {
		made.Samples = append(made.Samples, b.Samples...)
		return nil
	})
	return made, err
}
