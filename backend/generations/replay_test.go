package generations_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
)

// TestFinishedChunksAreHeard hears a stopped generation: it is the beginning of what a retry completes, pauses included, also after a
// restart.
func TestFinishedChunksAreHeard(t *testing.T) {
	t.Parallel()
	l, _, g := stoppedAt(t, 4, func(l *studiotest.Lab) generations.Request {
		r := passages(l)
		r.Normalize = new(false)
		return r
	})
	got := <-l.Listen(t.Context(), g.ID, 0, 0)
	require.NoError(t, got.Err)
	peaks, err := l.Generations.Player.LivePeaks(t.Context(), g.ID, 0)
	require.NoError(t, err)
	require.InDelta(t, float64(len(got.PCM))/48000, peaks.Seconds, 0.001)
	part := <-l.Listen(t.Context(), g.ID, 1, 0.25)
	require.Equal(t, got.PCM[48000:60000], part.PCM)

	require.NoError(t, l.Close(t.Context()))
	require.Empty(t, l.Leftovers())
	l.Start()
	again := <-l.Listen(t.Context(), g.ID, 0, 0)
	require.True(t, bytes.Equal(got.PCM, again.PCM))

	_, err = l.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	done := l.Becomes(g.ID, backend.StatusComplete)
	edge := 48 * int(20*time.Millisecond/time.Millisecond) // what follows may change it
	require.True(t, bytes.HasPrefix(studiotest.PCM(t, done), got.PCM[:len(got.PCM)-edge]))
	for i, c := range peaks.Chunks {
		require.InDelta(t, done.Chunks[i].Start, c.Start, 1e-6)
		require.InDelta(t, done.Chunks[i].End, c.End, 1e-6)
	}
	require.Greater(t, len(peaks.Chunks), 2)
	require.Eventually(t, func() bool { return len(l.Files()) == 1 }, studiotest.WaitLimit, studiotest.WaitStep, "%v", l.Files())
}

// TestDroppedChunksAreNotHeard removes what somebody listened to.
func TestDroppedChunksAreNotHeard(t *testing.T) {
	t.Parallel()
	l, _, g := stoppedAt(t, 4, passages)
	require.NotEmpty(t, (<-l.Listen(t.Context(), g.ID, 0, 0)).PCM)
	_, err := l.Generations.Cancel(t.Context(), g.ID)
	require.NoError(t, err)
	require.Empty(t, l.Files())
	_, err = l.Generations.Player.Live(t.Context(), g.ID, 0, 0)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	_, err = l.Generations.Player.LivePeaks(t.Context(), g.ID, 0)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
}

// TestPaidPartsAreHeard hears what is there of a hosted generation that was stopped.
func TestPaidPartsAreHeard(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	f.HoldFrom(t, 2)
	r := l.HostedRequest(studiotest.Ann, studiotest.ThreeParts)
	r.Format = "wav"
	g, err := l.Generations.Submit(t.Context(), r)
	require.NoError(t, err)
	running := <-l.Listen(t.Context(), g.ID, 0, 1.0001)
	require.NoError(t, running.Err)
	_, err = l.Generations.Stop(t.Context(), g.ID)
	require.NoError(t, err)
	got := <-l.Listen(t.Context(), g.ID, 0, 0)
	require.NoError(t, got.Err)
	require.True(t, bytes.HasPrefix(got.PCM, running.PCM))
	peaks, err := l.Generations.Player.LivePeaks(t.Context(), g.ID, 0)
	require.NoError(t, err)
	require.Len(t, peaks.Chunks, 2)
}
