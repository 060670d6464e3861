package speech

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// previewLimit is the time after which a preview is cancelled; its sentence takes about three seconds.
const previewLimit = 15 * time.Second

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
	v, err := s.resolve(Request{}, profile)
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
	loaded, err := s.o.Models.AcquireDownloaded(ctx, v.model)
	if err != nil {
		return nil, err
	}
	if loaded, err = s.withReference(ctx, loaded, v); err != nil {
		return nil, err
	}
	defer loaded.Release()
	ctx, cancel := context.WithTimeout(ctx, previewLimit)
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
