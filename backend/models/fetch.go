package models

import (
	"context"
	"errors"
	"fmt"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
)

// downloadFiles downloads the files and creates the profiles. cause is why the download was stopped, nil when it was not.
func (m *downloader) downloadFiles(ctx context.Context, md *model, d *download) (cause, err error) {
	if err := m.fetch(ctx, md, d); err != nil {
		cause := context.Cause(ctx)
		if errors.Is(cause, errDiscarded) {
			if _, err := m.wipe(md, d.before); err != nil {
				m.o.Log.Warn("remove the files of a cancelled download", "model", md.entry.Name, "error", err)
			}
		}
		return cause, err
	}
	// The download is complete, even if it was stopped meanwhile.
	if _, err := m.o.Presets.AddPresets(context.WithoutCancel(ctx), presets(md.entry)); err != nil {
		return nil, fmt.Errorf("make the profiles of %s: %w", md.entry.Name, err)
	}
	m.share(context.WithoutCancel(ctx), md)
	return nil, nil
}

// fetchOnce downloads the files, from a mirror when the model's repository fails.
func (m *downloader) fetchOnce(ctx context.Context, md *model) error {
	if err := m.waitGate(ctx, md); err != nil {
		return err
	}
	release, err := acquireSlot(ctx, m.slots)
	if err != nil {
		return err
	}
	defer release()
	if err := m.acquireFiles(ctx); err != nil {
		return err
	}
	defer m.releaseFiles()
	var first error
	for _, source := range sources(md.variant) {
		err := m.fetchFrom(ctx, md, source)
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case first == nil:
			first = err
		default:
			m.o.Log.Warn("a mirror could not deliver the model either", "model", md.entry.Name, "error", err)
		}
		if !mirrorMayHelp(err) {
			break
		}
	}
	return first
}

// mirrorMayHelp reports whether a mirror may succeed after this error.
func mirrorMayHelp(err error) bool {
	switch backend.CodeOf(err) {
	case backend.CodeDownloadFailed, backend.CodeChecksumMismatch, backend.CodeHubRateLimited, backend.CodeHubGated:
		return true
	default:
		return false
	}
}

// waitGate waits until the model is no longer being unloaded or deleted.
func (m *downloader) waitGate(ctx context.Context, md *model) error {
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

// fetchFrom downloads the files from one repository or mirror.
func (m *downloader) fetchFrom(ctx context.Context, md *model, source int) error {
	var before, after int64
	all := m.groups(md.variant, source)
	for _, g := range all {
		after += g.bytes
	}
	for _, g := range all {
		after -= g.bytes
		s, err := m.o.Hub.Download(ctx, g.Request, func(p hub.Progress) { m.setProgress(md, p, g.bytes, before, after) })
		if err != nil {
			return err
		}
		for _, f := range s.Files {
			before += f.Size
		}
	}
	return nil
}

// fetch downloads the files. Without a network it waits, while other downloads may run, and resumes when the network is back.
// Callers that wait for the model then get an error at once.
func (m *downloader) fetch(ctx context.Context, md *model, d *download) error {
	var outage *hub.Outage
	var had int64
	for {
		err := m.fetchOnce(ctx, md)
		if ctx.Err() != nil || !hub.IsNetworkLost(err) {
			return err
		}
		if got := m.startOutage(md, d, err); outage == nil || got > had {
			outage, had = hub.NewOutage(), got
		}
		if err := m.o.Hub.WaitForNetwork(ctx, outage, err, func(r *hub.Retry) { m.setRetry(md, r) }); err != nil {
			return err
		}
		m.endOutage(d)
	}
}
