package models

import (
	"context"
	"errors"
	"fmt"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Close stops downloads, keeping what they have, and frees every model; the caller has ended the work before. Work that has
// not ended when ctx ends, such as a download that hangs in a file, is left behind. The built-in engine is not the manager's
// to close.
func (m *Manager) Close(ctx context.Context) error {
	m.mu.Lock()
	m.closed = true
	for _, md := range m.models {
		if md.download != nil {
			md.download.halted = true
			md.download.stop(errClosed)
		}
		if md.slot != nil {
			md.slot.revoke(errRevoked)
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
		m.o.Log.Warn("work with models does not end and is left behind")
	}
	m.mu.Lock()
	left := map[string]engines.Speaker{}
	for _, md := range m.models {
		if s := md.slot; s != nil && md.state == backend.ModelLoaded {
			s.wake()
			left[md.entry.Name], md.slot = s.speaker, nil
			m.move(md, backend.ModelUnloading)
			m.move(md, backend.ModelDownloaded)
		}
	}
	m.unlock()
	var errs []error
	for name, speaker := range left {
		if err := engines.Contain("unload", speaker.Close); err != nil {
			errs = append(errs, fmt.Errorf("unload %s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}
