package generations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestPeaks(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	g := l.Speak(l.Request("Here is sound. [pause 2s] Here is sound."))
	peaks, err := l.Generations.Archive.Peaks(t.Context(), g.ID, 100)
	require.NoError(t, err)
	require.Len(t, peaks, 100)
	middle := peaks[int(100*(g.Chunks[0].End+1)/g.Duration)]
	require.Zero(t, middle.Max)
	require.Greater(t, peaks[5].Max, float32(0.1))
	require.Less(t, peaks[5].Min, float32(-0.1))
}
