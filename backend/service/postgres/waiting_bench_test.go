//go:build postgres

package postgres_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/providers"
	"github.com/voicewright/voicewright/backend/service/providers/providertest"
)

// BenchmarkSharedQueue makes calls of two processes, of a provider that takes some milliseconds.
func BenchmarkSharedQueue(b *testing.B) {
	for _, own := range []bool{true, false} {
		for _, took := range []time.Duration{0, 100 * time.Millisecond} {
			for _, callers := range []int{1, 8} {
				b.Run(fmt.Sprintf("own=%v/took=%s/callers=%d", own, took, callers), func(b *testing.B) {
					o := postgres.Options{URL: empty(b)}
					var all sync.WaitGroup
					calls := make(chan struct{})
					for i := range 2 {
						db, name := openWith(b, o), fmt.Sprint(i)
						require.NoError(b, db.Heartbeat(b.Context(), name))
						lane := providers.NewLane(providertest.Func{SpeakFunc: func(context.Context, service.Speech) (audio.Buffer, error) {
							time.Sleep(took)
							return audio.Buffer{}, nil
						}}, providers.LaneOptions{Provider: service.ProviderA, Queue: 100, Shared: &providers.Shared{
							Turns: db, Instance: name, Own: own, Log: slog.New(slog.DiscardHandler),
						}})
						defer func() { require.NoError(b, lane.Close()) }()
						for range callers {
							all.Go(func() {
								for range calls {
									if _, err := lane.Speak(b.Context(), service.Speech{Turns: make([]service.Turn, 1)}); err != nil {
										b.Error(err)
									}
								}
							})
						}
					}
					for b.Loop() {
						calls <- struct{}{}
					}
					close(calls)
					all.Wait()
					b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
				})
			}
		}
	}
}
