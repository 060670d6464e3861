package models

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Unload frees a model: new work waits, running work finishes, or is cancelled with force. A model that is not loaded is
// no error. Errors: model_unknown, cancelled when ctx ends before.
func (m *Manager) Unload(ctx context.Context, name string, force bool) (backend.ModelFreed, error) {
	md, freed, err := m.drain(ctx, name, force, nil)
	if err != nil {
		return backend.ModelFreed{}, err
	}
	return backend.ModelFreed{ModelName: md.entry.Name, FreedMB: freed}, nil
}

// drain closes a model for new work, waits for the running work, frees the memory, does what is to be done meanwhile, and opens
// the model again. It gives the MB of memory that were freed.
func (m *Manager) drain(ctx context.Context, name string, force bool, meanwhile func(*model) error) (*model, int, error) {
	md, err := m.shut(ctx, name)
	if err != nil {
		return nil, 0, err
	}
	defer m.reopen(md)
	if err := m.emptied(ctx, md, force); err != nil {
		return nil, 0, err
	}
	before := m.o.Resident()
	m.mu.Lock()
	s := md.slot
	if s != nil {
		if m.closed {
			m.unlock()
			return nil, 0, backend.ErrCancelled
		}
		m.retire(md)
	}
	m.unlock()
	freed := 0
	if s != nil {
		m.free(md, s)
		freed = megabytes(max(0, before-m.o.Resident()))
	}
	if meanwhile != nil {
		err = meanwhile(md)
	}
	return md, freed, err
}

// shut closes the gate of a model, after whoever has closed it before.
func (m *Manager) shut(ctx context.Context, name string) (*model, error) {
	for {
		m.mu.Lock()
		md, err := m.find(name)
		if err != nil || md.gate == nil {
			if err == nil {
				md.gate = make(chan struct{})
			}
			m.unlock()
			return md, err
		}
		gate := md.gate
		m.unlock()
		select {
		case <-gate:
		case <-ctx.Done():
			return nil, backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}

func (m *Manager) reopen(md *model) {
	m.mu.Lock()
	defer m.unlock()
	close(md.gate)
	md.gate = nil
	if md.slot != nil {
		m.rest(md, md.slot)
	}
}

// emptied waits until nobody uses the model; its gate is closed. After it, a model that is in memory is so until it is retired.
func (m *Manager) emptied(ctx context.Context, md *model, force bool) error {
	for {
		m.mu.Lock()
		s := md.slot
		if s == nil || md.state == backend.ModelLoaded && s.users == 0 {
			m.unlock()
			return nil
		}
		if force {
			s.revoke(errRevoked)
			s.renew()
		}
		var wait <-chan struct{}
		switch md.state {
		case backend.ModelLoading:
			wait = s.ready
		case backend.ModelUnloading:
			wait = s.gone
		default:
			if s.empty == nil {
				s.empty = make(chan struct{})
			}
			wait = s.empty
		}
		m.unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}

// retire takes a loaded model that nobody uses out of service; mu is held, m is not closed or waits for the caller, and free
// follows.
func (m *Manager) retire(md *model) {
	md.slot.wake()
	m.move(md, backend.ModelUnloading)
	m.work.Add(1) // Close waits for it
}

// closeSpeaker closes a speaker and gives its memory back to the system.
func (m *Manager) closeSpeaker(s engines.Speaker) error {
	return engines.Contain("unload", func() error {
		err := s.Close()
		if m.o.AfterFree != nil {
			m.o.AfterFree()
		}
		return err
	})
}

// free gives the memory of a retired model back.
func (m *Manager) free(md *model, s *slot) {
	defer m.work.Done()
	s.revoke(nil)
	if err := m.closeSpeaker(s.speaker); err != nil {
		m.o.Log.Warn("unload a model", "model", md.entry.Name, "error", err)
	}
	m.mu.Lock()
	defer m.unlock()
	md.slot = nil
	m.settle(md)
	close(s.gone)
}
