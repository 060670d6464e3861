package providers

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/sony/gobreaker/v2"
)

// Metrics returns the lane's gauges for Prometheus: callers that wait, whether a call runs, whether the breaker is open.
func (l *Lane) Metrics() []prometheus.Collector {
	gauge := func(name, help string, value func(LaneState) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "voicewright_provider_" + name, Help: help,
			ConstLabels: prometheus.Labels{"provider": string(l.options.Provider)},
		}, func() float64 { return value(l.State()) })
	}
	flag := func(on bool) float64 {
		if on {
			return 1
		}
		return 0
	}
	return []prometheus.Collector{
		gauge("waiting", "Callers of this process that wait for the provider.", func(s LaneState) float64 { return float64(s.Waiting) }),
		gauge("running", "1 while this process has calls of the provider that run.", func(s LaneState) float64 { return flag(s.Running) }),
		gauge("breaker_open", "1 while the circuit breaker of the provider is open.", func(s LaneState) float64 {
			return flag(s.Breaker == gobreaker.StateOpen.String())
		}),
	}
}
