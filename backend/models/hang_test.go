package models_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// hangingPresets blocks and ignores its context, as a file on a dead disk does.
type hangingPresets struct {
	presetStore
	entered, leave chan struct{}
}

func (h hangingPresets) AddPresets(ctx context.Context, presets []backend.Preset) ([]backend.Profile, error) {
	if presets[0].Model == "alpha" {
		close(h.entered)
		<-h.leave
	}
	return h.presetStore.AddPresets(ctx, presets)
}

// TestCloseWithAHangingDownload: Close returns as soon as its context ends.
func TestCloseWithAHangingDownload(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}), make(chan struct{})
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		l.options.Presets = hangingPresets{l.db, entered, leave}
	})
	l.imported("a", "x")
	l.acquire("a").Release()
	_, err := l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	<-entered
	now, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, l.manager.Close(now))
	require.Zero(t, l.driver.inMemory(), "the other models are unloaded")
	close(leave)
}
