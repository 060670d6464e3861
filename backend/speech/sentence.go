package speech

import (
	"cmp"
	"context"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// The time after which a preview is cancelled: a sentence takes about three seconds, and a cloned voice has to be prepared.
const (
	previewLimit      = 15 * time.Second
	clonePreviewLimit = 2 * time.Minute
)

// SpeakSentence returns the preview sentence as the engine makes it.
func (s *Synthesizer) SpeakSentence(ctx context.Context, profile backend.Profile, v Voice) (audio.Buffer, error) {
	lines := []backend.ReceiptChunk{{ReceiptTake: backend.ReceiptTake{Spoken: backend.PreviewSentence(v.Language)}}}
	return s.SpeakLines(ctx, lines, v, cmp.Or(profile.Speed, 1))
}

// SpeakLines returns the few lines of a preview as the engine makes them, with the pauses before them.
func (s *Synthesizer) SpeakLines(ctx context.Context, lines []backend.ReceiptChunk, v Voice, speed float64) (audio.Buffer, error) {
	loaded, err := s.o.Models.AcquireDownloaded(ctx, v.Model)
	if err != nil {
		return audio.Buffer{}, err
	}
	if loaded, err = s.WithReference(ctx, loaded, v); err != nil {
		return audio.Buffer{}, err
	}
	defer loaded.Release()
	limit := previewLimit * time.Duration(len(lines))
	if _, cloned := v.cloneOf(); cloned {
		limit = clonePreviewLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	info := loaded.Info()
	sound := audio.Buffer{Rate: info.SampleRate, Channels: info.Channels}
	for _, l := range lines {
		sound.Samples = append(sound.Samples, make([]float32, int(l.PauseMS)*info.SampleRate/1000*info.Channels)...)
		u := engines.Utterance{Text: l.Spoken, Voice: v.ID, Language: v.Language, Speed: speed}
		if err := SpeakWhole(ctx, loaded, u, func(b engines.Sound) error {
			sound.Samples = append(sound.Samples, b.Samples...)
			return nil
		}); err != nil {
			return audio.Buffer{}, err
		}
	}
	return sound, nil
}
