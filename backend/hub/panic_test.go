package hub_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
)

// TestPanicInACallback panics in what the client calls, from its own goroutines too: only that download fails.
func TestPanicInACallback(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"voice.bin": noise(1, 300_000)}
	s := startHub(t, files)
	var armed atomic.Bool
	bomb := func() {
		if armed.Load() {
			panic("on demand")
		}
	}
	for name, at := range map[string]struct{ offline, first, later func() }{
		"offline":      {bomb, func() {}, func() {}},
		"first report": {func() {}, bomb, func() {}},
		"later report": {func() {}, func() {}, bomb},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := hub.New(hub.NewCache(t.TempDir(), ""), hub.Options{
				Endpoint: s.URL(), Offline: func() bool {
					at.offline()
					return false
				},
			})
			require.NoError(t, err)
			defer client.Close()
			var reports atomic.Int64
			report := func(hub.Progress) {
				if reports.Add(1) == 1 {
					at.first()
				} else {
					at.later()
				}
			}
			armed.Store(true)
			_, err = client.Download(t.Context(), pinned(s, files), report)
			var panicked *backend.PanicError
			require.ErrorAs(t, err, &panicked)
			require.Equal(t, backend.CodeInternal, backend.CodeOf(err))
			armed.Store(false)
			got, err := client.Download(t.Context(), pinned(s, files), report)
			require.NoError(t, err)
			require.FileExists(t, got.Path("voice.bin"))
		})
	}
}
