package models

import (
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
)

// Progress returns the progress of a model's download. Errors: model_unknown.
func (m *downloader) Progress(name string) (backend.ModelProgress, error) {
	m.refresh()
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	if err != nil {
		return backend.ModelProgress{}, err
	}
	return md.progress, nil
}

// setProgress stores the hub's progress for one repository of about size bytes; before and after are the bytes of the others.
func (m *downloader) setProgress(md *model, p hub.Progress, size, before, after int64) {
	m.mu.Lock()
	defer m.unlock()
	if p.Total > 0 {
		size = p.Total
	}
	r := &md.progress
	r.Current = max(r.Current, before+p.Current)
	r.Total = max(before+size+after, r.Current)
	r.Filename, r.BytesPerSecond, r.ETASeconds = p.Filename, int64(p.BytesPerSecond), nil
	if p.ETA > 0 {
		r.ETASeconds = new(p.ETA.Seconds())
	}
	r.Status, r.Retry = backend.DownloadStatus(p.Status), retryOf(p.Retry)
	m.advanced(md)
}

// retryOf converts the hub's retry.
func retryOf(r *hub.Retry) *backend.ModelRetry {
	if r == nil {
		return nil
	}
	e := backend.AsError(r.Err)
	return &backend.ModelRetry{Attempt: r.Attempt, Of: r.Of, WaitSeconds: r.Wait.Seconds(), Code: e.Code, Detail: e.Detail}
}
