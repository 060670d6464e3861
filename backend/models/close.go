package models

import (
	"context"
	"errors"
	"fmt"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/cancellable"
	"github.com/voicewright/voicewright/engines"
)

// Close stops downloads, whose files stay, and unloads every model; the caller has ended all other work. Close does not wait for
// work that still runs when ctx ends, such as a download that hangs in a file. It does not close the built-in engine.
func (m *Manager) Close(ctx context.Context) error {
	m.mu.Lock()
	m.closed = true
	for _, md := range m.models {
		if md.download != nil {
			md.download.stopping = true
			md.download.stop(errClosed)
		}
		if md.slot != nil {
			md.slot.cancel(cancellable.ErrUnloaded)
		}
	}
	m.unlock()
	ended := make(chan struct{})
	go func() {
		m.work.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		m.o.Log.Warn("work with models does not end; closing without it")
	}
	m.mu.Lock()
	left := map[string]engines.Engine{}
	for _, md := range m.models {
		if s := md.slot; s != nil && md.state == backend.ModelLoaded {
			s.stopIdleTimer()
			left[md.entry.Name], md.slot = s.engine, nil
			m.setState(md, backend.ModelUnloading)
			m.setState(md, backend.ModelDownloaded)
		}
	}
	m.unlock()
	var errs []error
	for name, engine := range left {
		m.o.Devices.Unloaded(name)
		if err := engines.Contain("unload", engine.Close); err != nil {
			errs = append(errs, fmt.Errorf("unload %s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}
