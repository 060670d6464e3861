package providers_test

import (
	"testing"
	"testing/synctest"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, other := newBench(service.ProviderB, 8), newBench(service.ProviderC, 8)
		registry := prometheus.NewPedanticRegistry()
		registry.MustRegister(append(b.Metrics(), other.Metrics()...)...)
		values := func() map[string]float64 {
			families, err := registry.Gather()
			require.NoError(t, err)
			values := map[string]float64{}
			for _, f := range families {
				for _, m := range f.GetMetric() {
					if m.GetLabel()[0].GetValue() == "ProviderB" {
						values[f.GetName()] = m.GetGauge().GetValue()
					}
				}
			}
			return values
		}
		first, second := b.call(t.Context(), "first", false), b.call(t.Context(), "second", false)
		require.Equal(t, map[string]float64{
			"voicewright_provider_waiting": 1, "voicewright_provider_running": 1, "voicewright_provider_breaker_open": 0,
		}, values())
		b.results <- nil
		b.results <- nil
		require.NoError(t, <-first)
		require.NoError(t, <-second)
		for range 5 {
			b.fail(t, errBroken)
		}
		require.Equal(t, map[string]float64{
			"voicewright_provider_waiting": 0, "voicewright_provider_running": 0, "voicewright_provider_breaker_open": 1,
		}, values())
	})
}
