package speech_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
)

// TestFinishedChunksAreHeard hears a stopped generation: it is the beginning of what a retry completes, pauses included, also after a
// restart.
func TestFinishedChunksAreHeard(t *testing.T) {
	t.Parallel()
	l, _, g := stoppedAt(t, 4, func(l *lab) generations.Request {
		r := passages(l)
		r.Normalize = new(false)
		return r
	})
	got := <-l.listen(t.Context(), g.ID, 0, 0)
	require.NoError(t, got.err)
	peaks, err := l.service.Generations.LivePeaks(t.Context(), g.ID, 0)
	require.NoError(t, err)
	require.InDelta(t, float64(len(got.pcm))/48000, peaks.Seconds, 0.001)
	part := <-l.listen(t.Context(), g.ID, 1, 0.25)
	require.Equal(t, got.pcm[48000:60000], part.pcm)

	require.NoError(t, l.service.Close(t.Context()))
	require.Empty(t, l.leftovers())
	l.start()
	again := <-l.listen(t.Context(), g.ID, 0, 0)
	require.True(t, bytes.Equal(got.pcm, again.pcm))

	_, err = l.service.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	done := l.becomes(g.ID, backend.StatusComplete)
	edge := 48 * int(20*time.Millisecond/time.Millisecond) // what follows may change it
	require.True(t, bytes.HasPrefix(pcmOf(t, done), got.pcm[:len(got.pcm)-edge]))
	for i, c := range peaks.Chunks {
		require.InDelta(t, done.Chunks[i].Start, c.Start, 1e-6)
		require.InDelta(t, done.Chunks[i].End, c.End, 1e-6)
	}
	require.Greater(t, len(peaks.Chunks), 2)
	require.Eventually(t, func() bool { return len(l.files()) == 1 }, waitLimit, waitStep, "%v", l.files())
}

// TestDroppedChunksAreNotHeard removes what somebody listened to.
func TestDroppedChunksAreNotHeard(t *testing.T) {
	t.Parallel()
	l, _, g := stoppedAt(t, 4, passages)
	require.NotEmpty(t, (<-l.listen(t.Context(), g.ID, 0, 0)).pcm)
	_, err := l.service.Generations.Cancel(t.Context(), g.ID)
	require.NoError(t, err)
	require.Empty(t, l.files())
	_, err = l.service.Generations.Live(t.Context(), g.ID, 0, 0)
	requireCode(t, backend.CodeNotInProgress, err)
	_, err = l.service.Generations.LivePeaks(t.Context(), g.ID, 0)
	requireCode(t, backend.CodeNotInProgress, err)
}

// TestPaidPartsAreHeard hears what is there of a hosted generation that was stopped.
func TestPaidPartsAreHeard(t *testing.T) {
	l, f := hostedLab(t)
	f.heldPart(t, 2)
	r := l.hosted(ann, threeParts)
	r.Format = "wav"
	g, err := l.service.Generations.Submit(t.Context(), r)
	require.NoError(t, err)
	running := <-l.listen(t.Context(), g.ID, 0, 1.0001)
	require.NoError(t, running.err)
	_, err = l.service.Generations.Stop(t.Context(), g.ID)
	require.NoError(t, err)
	got := <-l.listen(t.Context(), g.ID, 0, 0)
	require.NoError(t, got.err)
	require.True(t, bytes.HasPrefix(got.pcm, running.pcm))
	peaks, err := l.service.Generations.LivePeaks(t.Context(), g.ID, 0)
	require.NoError(t, err)
	require.Len(t, peaks.Chunks, 2)
}
