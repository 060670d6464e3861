package models

import (
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
)

// lose ends the waiting of those who need the model now, and returns the bytes that are here.
func (m *Manager) lose(md *model, d *download, err error) int64 {
	m.mu.Lock()
	defer m.unlock()
	e := backend.AsError(err)
	d.lostErr = backend.E(e.Code, e.Detail, "Check the network connection. The download continues when the network is back.").WithCause(err)
	close(d.lost)
	return md.progress.Current
}

// regain lets others wait for the download again.
func (m *Manager) regain(d *download) {
	m.mu.Lock()
	defer m.unlock()
	d.lost, d.lostErr = make(chan struct{}), nil
}

// waits notes a pause without a network; nil is its end.
func (m *Manager) waits(md *model, r *hub.Retry) {
	m.mu.Lock()
	defer m.unlock()
	p := &md.progress
	p.Status, p.BytesPerSecond, p.ETASeconds = backend.DownloadRunning, 0, nil
	if p.Retry = retryOf(r); p.Retry != nil {
		p.Retry.NetworkLost = true
	}
	m.advanced(md)
}

// lostOf returns why a download that waits for the network cannot give a model soon, nil when it may.
func (m *Manager) lostOf(d *download) error {
	m.mu.Lock()
	defer m.unlock()
	if d == nil || d.lostErr == nil {
		return nil
	}
	return d.lostErr
}
