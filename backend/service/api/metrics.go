package api

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/voicewright/voicewright/backend/service"
)

// Metrics counts what the service does, for Prometheus, in a registry of its own. No label holds anything of a user. A nil
// *Metrics counts nothing.
type Metrics struct {
	registry *prometheus.Registry
	handler  http.Handler
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec

	syntheses  *prometheus.CounterVec
	seconds    *prometheus.HistogramVec
	characters *prometheus.CounterVec
	credits    *prometheus.CounterVec
	held       prometheus.Gauge
	enhanced   *prometheus.CounterVec
	repaired   prometheus.Counter
}

var (
	_ service.Observer = (*Metrics)(nil)
	_ http.Handler     = (*Metrics)(nil)
)

// NewMetrics returns empty metrics.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry:   prometheus.NewRegistry(),
		requests:   counters("requests", "Requests by route and status.", "route", "status"),
		duration:   times("request_seconds", "Time until the answer was sent.", "route"),
		syntheses:  counters("syntheses", "Calls that reserved credits, by outcome: charged, busy, cancelled, failed.", "provider", "outcome"),
		seconds:    times("synthesis_seconds", "Time of calls that were charged.", "provider"),
		characters: counters("characters", "Characters of calls that were charged.", "provider"),
		credits:    counters("credits", "Credits that were charged or refunded.", "provider", "movement"),
		held: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: prefix + "reservations_held", Help: "Calls of this process whose credits are reserved.",
		}),
		enhanced: counters("enhancements", "Enhanced texts, by outcome: enhanced, fallback.", "outcome"),
		repaired: prometheus.NewCounter(prometheus.CounterOpts{
			Name: prefix + "repaired_total", Help: "Reservations of dead processes that were refunded.",
		}),
	}
	m.registry.MustRegister(
		m.requests, m.duration, m.syntheses, m.seconds, m.characters, m.credits, m.held, m.enhanced, m.repaired,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	m.handler = promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
	return m
}

// ServeHTTP answers with the metrics, whatever the path.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.handler.ServeHTTP(w, r) }

const prefix = "voicewright_"

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: prefix + name + "_total", Help: help}, labels)
}

func times(name, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: prefix + name, Help: help,
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120},
	}, labels)
}

// Register adds metrics of other packages, such as those of the providers.
func (m *Metrics) Register(collectors ...prometheus.Collector) {
	if m != nil {
		m.registry.MustRegister(collectors...)
	}
}

// request counts one request.
func (m *Metrics) request(route string, status int, took time.Duration) {
	if m == nil {
		return
	}
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.duration.WithLabelValues(route).Observe(took.Seconds())
}

// Reserved counts a reservation.
func (m *Metrics) Reserved() {
	if m != nil {
		m.held.Inc()
	}
}

// Synthesis counts the end of a call that had reserved credits.
func (m *Metrics) Synthesis(e service.SynthesisEvent) {
	if m == nil {
		return
	}
	provider := string(e.Provider)
	m.held.Dec()
	m.syntheses.WithLabelValues(provider, outcome(e)).Inc()
	if e.Status != http.StatusOK {
		m.credits.WithLabelValues(provider, "refunded").Add(float64(e.Credits))
		return
	}
	m.credits.WithLabelValues(provider, "charged").Add(float64(e.Credits))
	m.characters.WithLabelValues(provider).Add(float64(e.Characters))
	m.seconds.WithLabelValues(provider).Observe(e.Took.Seconds())
}

// outcome returns how a call ended, for the label of a counter.
func outcome(e service.SynthesisEvent) string {
	switch {
	case e.Status == http.StatusOK:
		return "charged"
	case e.Cancelled:
		return "cancelled"
	case e.Status == http.StatusServiceUnavailable:
		return "busy"
	default:
		return "failed"
	}
}

// Enhancement counts an enhanced text.
func (m *Metrics) Enhancement(fallback bool) {
	switch {
	case m == nil:
	case fallback:
		m.enhanced.WithLabelValues("fallback").Inc()
	default:
		m.enhanced.WithLabelValues("enhanced").Inc()
	}
}

// Repaired counts reservations of dead processes that were refunded.
func (m *Metrics) Repaired(n int) {
	if m != nil {
		m.repaired.Add(float64(n))
	}
}
