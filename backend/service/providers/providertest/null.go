// Package providertest has providers of speech for tests and benchmarks.
package providertest

import (
	"context"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
)

// Rate is the sample rate of the sound of Null.
const Rate = 24_000

// Null is a provider that returns one second of a tone at once, whatever it is asked to speak.
type Null struct{ Provider service.ProviderID }

var _ service.Provider = Null{}

// Voices returns one voice, named null.
func (n Null) Voices(context.Context) ([]service.Voice, error) {
	return []service.Voice{{
		ID: service.VoiceID(n.Provider, "null"), Native: "null", Name: "Null", Gender: "female", Provider: n.Provider,
		Language: "en", Category: "narrator",
	}}, nil
}

// Speak returns one second of a tone.
func (n Null) Speak(context.Context, service.Speech) (audio.Buffer, error) {
	samples := make([]float32, Rate)
	for i := range samples {
		samples[i] = 0.25 * float32(1-i/50%2*2)
	}
	return audio.Buffer{Samples: samples, Rate: Rate, Channels: 1}, nil
}

// Func is a provider that speaks with a function and has the voice of Null.
type Func struct {
	Null
	SpeakFunc func(ctx context.Context, s service.Speech) (audio.Buffer, error)
}

var _ service.Provider = Func{}

// Speak calls SpeakFunc.
func (f Func) Speak(ctx context.Context, s service.Speech) (audio.Buffer, error) {
	return f.SpeakFunc(ctx, s)
}
