package models

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/cancellable"
	"github.com/voicewright/voicewright/engines"
)

// Unload frees the memory of a model. New work waits, and running work finishes, or is cancelled with force. A model that is not
// loaded is no error. Errors: model_unknown, cancelled when ctx ends before.
func (m *loader) Unload(ctx context.Context, name string, force bool) (backend.ModelFreed, error) {
	md, freed, err := m.drain(ctx, name, force, nil)
	if err != nil {
		return backend.ModelFreed{}, err
	}
	return backend.ModelFreed{ModelName: md.entry.Name, FreedMB: freed}, nil
}

// drain closes the gate of a model, waits for the running work, frees the memory, calls meanwhile, and opens the gate again. It
// returns the freed memory in MB.
func (m *loader) drain(ctx context.Context, name string, force bool, meanwhile func(*model) error) (*model, int, error) {
	md, err := m.closeGate(ctx, name)
	if err != nil {
		return nil, 0, err
	}
	defer m.openGate(md)
	if err := m.waitUnused(ctx, md, force); err != nil {
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
		m.freeMemory(md, s)
		freed = megabytes(max(0, before-m.o.Resident()))
	}
	if meanwhile != nil {
		err = meanwhile(md)
	}
	return md, freed, err
}

// closeGate closes the gate of a model, so that new work waits. It waits until an earlier caller has opened the gate.
func (m *loader) closeGate(ctx context.Context, name string) (*model, error) {
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

// openGate lets new work begin.
func (m *loader) openGate(md *model) {
	m.mu.Lock()
	defer m.unlock()
	close(md.gate)
	md.gate = nil
	if md.slot != nil {
		m.startIdleTimer(md, md.slot)
	}
}

// waitUnused waits until nobody uses the model, whose gate is closed. A model that is in memory then stays so until retire.
func (m *loader) waitUnused(ctx context.Context, md *model, force bool) error {
	for {
		m.mu.Lock()
		s := md.slot
		if s == nil || md.state == backend.ModelLoaded && s.users == 0 {
			m.unlock()
			return nil
		}
		if force && md.state != backend.ModelUnloading { // then nobody uses it, and freeMemory cancels its context
			s.cancel(cancellable.ErrUnloaded)
			s.newContext()
		}
		var wait <-chan struct{}
		switch md.state {
		case backend.ModelLoading:
			wait = s.ready
		case backend.ModelUnloading:
			wait = s.unloaded
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

// retire sets a loaded model that nobody uses to unloading, before freeMemory; mu is held, and m is not closed or waits for the
// caller.
func (m *loader) retire(md *model) {
	md.slot.stopIdleTimer()
	m.setState(md, backend.ModelUnloading)
	m.work.Add(1) // Close waits for it
}

// closeEngine closes a model and returns its memory to the system, and what is reserved of a GPU.
func (m *loader) closeEngine(model string, e engines.Engine) error {
	defer m.o.Devices.Unloaded(model)
	return engines.Contain("unload", func() error {
		err := e.Close()
		if m.o.AfterFree != nil {
			m.o.AfterFree()
		}
		return err
	})
}

// freeMemory closes a retired model.
func (m *loader) freeMemory(md *model, s *slot) {
	defer m.work.Done()
	s.cancel(nil)
	if err := m.closeEngine(md.entry.Name, s.engine); err != nil {
		m.o.Log.Warn("unload a model", "model", md.entry.Name, "error", err)
	}
	m.mu.Lock()
	defer m.unlock()
	md.slot = nil
	m.endUse(md)
	close(s.unloaded)
}
