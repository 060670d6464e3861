package hub_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

// TestWaitsAreTold shows each wait while it lasts, and none afterwards.
func TestWaitsAreTold(t *testing.T) {
	t.Parallel()
	reports := make(chan hub.Progress, 1000)
	var retries []hub.Retry
	s, c, r, _ := newFixture(t, 1000, func(o *hub.Options) {
		o.Wait = func(ctx context.Context, d time.Duration) error { // as long as it takes to hear of it
			for {
				select {
				case p := <-reports:
					if p.Retry != nil && p.Retry.Wait == d && p.Retry.Attempt == len(retries)+2 {
						retries = append(retries, *p.Retry)
						return nil
					}
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
	})
	s.Storage("model.onnx", 2, hubtest.Status(http.StatusServiceUnavailable, "Retry-After", "7"))
	var last hub.Progress
	_, err := c.Download(t.Context(), r, func(p hub.Progress) { last = p; reports <- p })
	require.NoError(t, err)
	require.Len(t, retries, 2)
	require.Equal(t, 5, retries[0].Of)
	require.Equal(t, 7*time.Second, retries[0].Wait)
	require.Equal(t, backend.CodeDownloadFailed, backend.CodeOf(retries[0].Err))
	require.Nil(t, last.Retry)
}
