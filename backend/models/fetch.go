package models

import (
	"context"
	"errors"
	"fmt"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
)

// bringHere fetches the files and makes the profiles. cause is why the download was stopped, nil when it was not.
func (m *Manager) bringHere(ctx context.Context, md *model, d *download) (cause, err error) {
	if err := m.fetch(ctx, md, d); err != nil {
		cause := context.Cause(ctx)
		if errors.Is(cause, errDiscarded) {
			if _, err := m.wipe(md, d.before); err != nil {
				m.o.Log.Warn("drop a cancelled download", "model", md.entry.Name, "error", err)
			}
		}
		return cause, err
	}
	// Whatever was asked meanwhile, the files are here.
	if _, err := m.o.Presets.AddPresets(context.WithoutCancel(ctx), presets(md.entry)); err != nil {
		return nil, fmt.Errorf("make the profiles of %s: %w", md.entry.Name, err)
	}
	m.share(context.WithoutCancel(ctx), md)
	return nil, nil
}

// fetchOnce downloads the files, from a mirror when the model's own repository cannot give them.
func (m *Manager) fetchOnce(ctx context.Context, md *model) error {
	if err := m.opened(ctx, md); err != nil {
		return err
	}
	leave, err := take(ctx, m.places)
	if err != nil {
		return err
	}
	defer leave()
	if err := m.useFiles(ctx); err != nil {
		return err
	}
	defer m.leaveFiles()
	var first error
	for _, source := range sources(md.variant) {
		err := m.fetchFrom(ctx, md, source)
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case first == nil:
			first = err
		default:
			m.o.Log.Warn("a mirror could not give the model either", "model", md.entry.Name, "error", err)
		}
		if !elsewhere(err) {
			break
		}
	}
	return first
}

// elsewhere reports whether a mirror may have what a repository could not give.
func elsewhere(err error) bool {
	switch backend.CodeOf(err) {
	case backend.CodeDownloadFailed, backend.CodeChecksumMismatch, backend.CodeHubRateLimited, backend.CodeHubGated:
		return true
	default:
		return false
	}
}

// opened waits until nobody unloads or deletes the model.
func (m *Manager) opened(ctx context.Context, md *model) error {
	for {
		m.mu.Lock()
		gate := md.gate
		m.unlock()
		if gate == nil {
			return nil
		}
		select {
		case <-gate:
		case <-ctx.Done():
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}

func (m *Manager) fetchFrom(ctx context.Context, md *model, source int) error {
	var before, after int64
	all := groups(md.variant, source)
	for _, g := range all {
		after += g.bytes
	}
	for _, g := range all {
		after -= g.bytes
		s, err := m.o.Hub.Download(ctx, g.Request, func(p hub.Progress) { m.advance(md, p, g.bytes, before, after) })
		if err != nil {
			return err
		}
		for _, f := range s.Files {
			before += f.Size
		}
	}
	return nil
}

// fetch downloads the files. When the network is lost it waits, without a place that other downloads could have, and goes on
// when the network is back; those who need the model now are told at once.
func (m *Manager) fetch(ctx context.Context, md *model, d *download) error {
	var outage *hub.Outage
	var had int64
	for {
		err := m.fetchOnce(ctx, md)
		if ctx.Err() != nil || !hub.IsNetworkLost(err) {
			return err
		}
		if got := m.lose(md, d, err); outage == nil || got > had {
			outage, had = hub.NewOutage(), got
		}
		if err := m.o.Hub.WaitForNetwork(ctx, outage, err, func(r *hub.Retry) { m.waits(md, r) }); err != nil {
			return err
		}
		m.regain(d)
	}
}
