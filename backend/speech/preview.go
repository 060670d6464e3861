package speech

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
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
		if s.maker == nil {
			return nil, errNoHosted
		}
		return s.maker.preview(ctx, profile)
	}
	v, err := s.synth.resolve(backend.GenerateOptions{}, profile)
	if err != nil {
		return nil, err
	}
	if err := s.synth.checkClone(ctx, v); err != nil {
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
	made, err := s.synth.speakSentence(ctx, profile, v)
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
