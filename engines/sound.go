package engines

import (
	"context"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// Sound is a piece of an engine's output: samples, and the words in them with times from their start.
type Sound struct {
	audio.Buffer
	Words []backend.Word
}

// Shifted returns words that are later by some seconds.
func Shifted(words []backend.Word, by float64) []backend.Word {
	out := slices.Clone(words)
	for i := range out {
		out[i].Start += by
		out[i].End += by
	}
	return out
}

// SpeakAt synthesizes at any speed: by the engine within its range, beyond it by time-stretching at equal pitch.
func SpeakAt(ctx context.Context, sp Speaker, u Utterance, emit func(Sound) error) error {
	info := sp.Info()
	wanted := u.Speed
	u.Speed = min(max(wanted, info.MinSpeed), info.MaxSpeed)
	if u.Speed == wanted {
		return speakWords(ctx, sp, u, emit)
	}
	var whole Sound
	err := speakWords(ctx, sp, u, func(s Sound) error {
		whole.Words = append(whole.Words, Shifted(s.Words, seconds(int64(len(whole.Samples)/info.Channels), info.SampleRate))...)
		whole.Samples = append(whole.Samples, s.Samples...)
		return nil
	})
	if err != nil {
		return err
	}
	factor := wanted / u.Speed
	whole.Samples, err = audio.Stretch(ctx, whole.Samples, info.SampleRate, info.Channels, factor)
	if err != nil {
		return err
	}
	for i := range whole.Words {
		whole.Words[i].Start /= factor
		whole.Words[i].End /= factor
	}
	whole.Rate, whole.Channels = info.SampleRate, info.Channels
	return emit(whole)
}

// speakWords synthesizes with word times if the engine has them.
func speakWords(ctx context.Context, sp Speaker, u Utterance, emit func(Sound) error) error {
	if loaded, ok := sp.(*Loaded); ok {
		sp = loaded.Speaker
	}
	return Contain("speak", func() error {
		if aligned, ok := sp.(Aligned); ok {
			return aligned.SpeakWords(ctx, u, func(b audio.Buffer, words []backend.Word) error { return emit(Sound{b, words}) })
		}
		return sp.Speak(ctx, u, func(b audio.Buffer) error { return emit(Sound{Buffer: b}) })
	})
}

func seconds(frames int64, rate int) float64 { return float64(frames) / float64(rate) }
