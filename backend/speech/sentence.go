package speech

import (
	"cmp"
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

// SpeakSentence returns the preview sentence as the engine makes it.
func (s *Synthesizer) SpeakSentence(ctx context.Context, profile backend.Profile, v Voice) (audio.Buffer, error) {
	loaded, err := s.o.Models.AcquireDownloaded(ctx, v.Model)
	if err != nil {
		return audio.Buffer{}, err
	}
	if loaded, err = s.WithReference(ctx, loaded, v); err != nil {
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
	sound := audio.Buffer{Rate: info.SampleRate, Channels: info.Channels}
	u := engines.Utterance{
		Text: backend.PreviewSentence(v.Language), Voice: v.ID, Language: v.Language, Speed: cmp.Or(profile.Speed, 1),
	}
	err = SpeakWhole(ctx, loaded, u, func(b engines.Sound) error {
		sound.Samples = append(sound.Samples, b.Samples...)
		return nil
	})
	return sound, err
}
