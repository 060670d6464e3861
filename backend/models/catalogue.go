package models

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// catalogue is the public collection of voices as it was read last.
type catalogue struct {
	mu    sync.Mutex
	items []registry.CatalogueItem
	at    time.Time
}

// catalogueAge is how long a catalogue is given without asking the hub again.
const catalogueAge = time.Hour

// maxCatalogue is the largest catalogue that is fetched, in bytes; the published one has less than 1 MB.
const maxCatalogue = 16 << 20

// Catalogue lists the voices of an engine's public collection that can be registered. It is fetched once and kept for
// offline use. Errors: ValidationError for another engine than piper, those of a download.
func (m *Manager) Catalogue(ctx context.Context, engine, search, language string) ([]registry.CatalogueItem, error) {
	if engine != "piper" {
		return nil, backend.Invalid("enum", "Only piper has a catalogue", "query", "engine")
	}
	all, err := m.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	items := registry.Search(all, search, language)
	m.mu.Lock()
	defer m.unlock()
	for i := range items {
		_, err := m.find(items[i].ModelName())
		items[i].Registered = err == nil
	}
	return items, nil
}

// catalogue gives what was read less than an hour ago, else asks the hub, else gives what an earlier download left.
func (m *Manager) catalogue(ctx context.Context) ([]registry.CatalogueItem, error) {
	c := &m.voices
	c.mu.Lock()
	items, age := c.items, m.o.Now().Sub(c.at)
	c.mu.Unlock()
	if items != nil && age >= 0 && age < catalogueAge {
		return items, nil
	}
	items, err := m.readCatalogue(ctx)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.items, c.at = items, m.o.Now()
	return items, nil
}

func (m *Manager) readCatalogue(ctx context.Context) ([]registry.CatalogueItem, error) {
	if err := m.useFiles(ctx); err != nil {
		return nil, err
	}
	defer m.leaveFiles()
	r := hub.Request{
		Repo: registry.PiperRepo, Revision: registry.Branch, Files: []hub.File{{Path: registry.PiperVoices}}, MaxBytes: maxCatalogue,
	}
	s, err := m.o.Hub.Download(ctx, r, nil)
	if err != nil {
		kept, here := m.o.Hub.Cache().Snapshot(r)
		if !here || ctx.Err() != nil || kept.Files[0].Size > maxCatalogue {
			return nil, err
		}
		m.o.Log.Info("the catalogue of voices is given as it was kept", "error", err)
		s = kept
	}
	raw, err := os.ReadFile(s.Path(registry.PiperVoices))
	if err != nil {
		return nil, backend.FileError("read the catalogue", "the models directory", err)
	}
	items, err := registry.ParseVoices(raw)
	if err != nil {
		return nil, backend.E(backend.CodeDownloadFailed, "The catalogue of voices is not readable.", "Try again later.").WithCause(err)
	}
	return items, nil
}
