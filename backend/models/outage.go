package models

import (
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
)

// startOutage wakes the callers that wait for the model, and returns the downloaded bytes.
func (m *downloader) startOutage(md *model, d *download, err error) int64 {
	m.mu.Lock()
	defer m.unlock()
	e := backend.AsError(err)
	d.networkErr = backend.E(e.Code, e.Detail, "Check the network connection. The download continues when the network is back.").WithCause(err)
	close(d.offline)
	return md.progress.Current
}

// endOutage lets callers wait for the download again.
func (m *downloader) endOutage(d *download) {
	m.mu.Lock()
	defer m.unlock()
	d.offline, d.networkErr = make(chan struct{}), nil
}

// setRetry reports a pause without a network; nil is its end.
func (m *downloader) setRetry(md *model, r *hub.Retry) {
	m.mu.Lock()
	defer m.unlock()
	p := &md.progress
	p.Status, p.BytesPerSecond, p.ETASeconds = backend.DownloadRunning, 0, nil
	if p.Retry = retryOf(r); p.Retry != nil {
		p.Retry.NetworkLost = true
	}
	m.advanced(md)
}

// networkError returns why a download waits for the network, nil when it does not.
func (m *downloader) networkError(d *download) error {
	m.mu.Lock()
	defer m.unlock()
	if d == nil || d.networkErr == nil {
		return nil
	}
	return d.networkErr
}
