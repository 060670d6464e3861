package providers_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
	"github.com/voicewright/voicewright/backend/service/providers/providertest"
)

// BenchmarkLane measures what a lane adds to a call. Goal: less than 1 ms.
func BenchmarkLane(b *testing.B) {
	lane := providers.NewLane(providertest.Func{SpeakFunc: func(context.Context, service.Speech) (audio.Buffer, error) {
		return audio.Buffer{}, nil
	}}, providers.LaneOptions{Provider: service.ProviderB, Queue: 8})
	for b.Loop() {
		_, err := lane.Speak(b.Context(), speech("a", false))
		require.NoError(b, err)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "us/call")
}

// BenchmarkOpenBreaker measures the answer of an open breaker. Goal: less than 5 ms.
func BenchmarkOpenBreaker(b *testing.B) {
	lane := providers.NewLane(providertest.Func{SpeakFunc: func(context.Context, service.Speech) (audio.Buffer, error) {
		return audio.Buffer{}, errBroken
	}}, providers.LaneOptions{Provider: service.ProviderB, Queue: 8})
	for range 5 {
		_, err := lane.Speak(b.Context(), speech("a", false))
		require.ErrorIs(b, err, errBroken)
	}
	for b.Loop() {
		_, err := lane.Speak(b.Context(), speech("a", false))
		require.Equal(b, service.CodeProviderBusy, service.CodeOf(err))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "us/answer")
}
