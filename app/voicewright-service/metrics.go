package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service/api"
)

// metricsServer serves the metrics alone, on the address in --metrics-addr.
type metricsServer struct {
	listener net.Listener
	http     *http.Server
	ended    chan error
}

// listenMetrics listens on --metrics-addr. It returns nil where there is none.
func listenMetrics(ctx context.Context, addr string) (*metricsServer, error) {
	if addr == "" {
		return nil, nil //nolint:nilnil // no server
	}
	listener, err := listen(ctx, "--metrics-addr", addr)
	if err != nil {
		return nil, err
	}
	return &metricsServer{listener: listener}, nil
}

// serve answers requests until close.
func (m *metricsServer) serve(metrics *api.Metrics) {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	m.http = &http.Server{
		Handler: mux, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
	}
	m.ended = make(chan error, 1)
	go func() { m.ended <- backend.Contain(func() error { return m.http.Serve(m.listener) }) }()
}

// url returns the address of the metrics.
func (m *metricsServer) url() string { return addressOf(m.listener.Addr()) + "/metrics" }

// close ends it at once: what reads the metrics reads them again.
func (m *metricsServer) close() error {
	switch {
	case m == nil:
		return nil
	case m.http == nil:
		return m.listener.Close()
	}
	return errors.Join(m.http.Close(), ignoreClosed(<-m.ended))
}
