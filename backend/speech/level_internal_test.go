package speech

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestFindingTheLevelCanBeCancelled: the passes over hours of sound take seconds.
func TestFindingTheLevelCanBeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := NewSynthesizer(SynthesizerOptions{Dir: t.TempDir()})
	l, err := s.Leveller(ctx, "g", &Plan{Limit: true}, 24000, 1)
	require.NoError(t, err)
	defer l.Close()
	samples := make([]float32, 24000)
	for i := range samples {
		samples[i] = float32(i%200) / 400
	}
	samples[12000] = 1 // the limiter has something to do
	for i := range samples {
		samples[i] *= 0.5
	}
	require.NoError(t, l.Write(samples))
	cancel()
	_, err = l.Find()
	require.Equal(t, backend.CodeCancelled, backend.CodeOf(err))
}
