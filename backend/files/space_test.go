package files_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

func TestSpaceLooksEvery64MB(t *testing.T) {
	free, looks := int64(200_000_000), 0
	disk := func(_ context.Context, dir string) (int64, bool) {
		looks++
		require.Equal(t, "/data", dir)
		return free, true
	}
	space := files.NewSpace(disk, "/data")
	written, err := int64(0), error(nil)
	for ; err == nil && written < 1_000_000_000; written += 1_000_000 {
		if err = space.Use(t.Context(), 1_000_000); err == nil {
			free -= 1_000_000
		}
	}
	require.Equal(t, backend.CodeInsufficientDisk, backend.CodeOf(err))
	require.GreaterOrEqual(t, free, int64(50_000_000), "what others need stays free")
	require.Less(t, looks, 5)
	params := backend.AsError(err).Params
	require.Equal(t, free, params["free"])
	require.Greater(t, params["needed"], free)
}

func TestSpaceOfAnUnknownDisk(t *testing.T) {
	for _, disk := range []files.FreeSpace{nil, func(context.Context, string) (int64, bool) { return 0, false }} {
		require.NoError(t, files.NewSpace(disk, "/data").Use(t.Context(), 1<<40))
	}
}
