package hub_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

func TestCancelKeepsThePartAndDiscardDropsIt(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 1_000_000)
	// stop cancels when some bytes have come, of a download that would never end by itself; the benchmark measures the time.
	stop := func(end int64) (there int64) {
		before := c.Cache().Partial(r)
		s.Storage("model.onnx", 1, hubtest.Slow(50_000, 20*time.Millisecond))
		s.Storage("model.onnx", 1, hubtest.Stall(end))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_, err := c.Download(ctx, r, func(p hub.Progress) {
			if p.Current > before && p.Status == hub.Downloading {
				cancel()
			}
		})
		require.Equal(t, backend.CodeCancelled, backend.CodeOf(err))
		there = c.Cache().Partial(r)
		require.Greater(t, there, before)
		return there
	}
	first := stop(450_000)
	require.Equal(t, first, c.Cache().Usage().Partial)
	second := stop(950_000)
	fetch(t, c, r, files)
	want := []string{"", fmt.Sprintf("bytes=%d-", first), fmt.Sprintf("bytes=%d-", second)}
	require.Equal(t, want, ranges(s), "only what was on its way is lost")

	s, c, r, _ = newFixture(t, 1_000_000)
	stop(450_000)
	require.NoError(t, c.Cache().Discard(r))
	require.Zero(t, c.Cache().Partial(r))
	require.NoError(t, c.Cache().Discard(r), "twice is no error")
}

func TestDiscardOfAnUnpinnedFile(t *testing.T) {
	t.Parallel()
	s, c, r, _ := newFixture(t, 1_000_000)
	s.Storage("model.onnx", hubtest.Always, hubtest.Cut(300_000, 300_000, 300_000, 300_000, 300_000))
	r.Files = []hub.File{{Path: "model.onnx"}}
	failsWith(t, c, r, backend.CodeDownloadFailed)
	require.EqualValues(t, 300_000, c.Cache().Partial(r))
	require.NoError(t, c.Cache().Discard(r))
	require.Zero(t, c.Cache().Partial(r))
	require.Zero(t, c.Cache().Usage().Partial)
}
