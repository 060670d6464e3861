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

// catalogue caches the public collection of voices.
type catalogue struct {
	mu    sync.Mutex
	items []registry.CatalogueItem
	at    time.Time
}

// catalogueAge is how long a cached catalogue is valid.
const catalogueAge = time.Hour

// maxCatalogue is the size limit of a catalogue, in bytes; the published one has less than 1 MB.
const maxCatalogue = 16 << 20

// Catalogue returns the voices of an engine's public collection that can be registered. The collection is downloaded once and
// cached for offline use. Errors: ValidationError for another engine than piper, those of a download.
func (m *listing) Catalogue(ctx context.Context, engine, search, language string) ([]registry.CatalogueItem, error) {
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

// catalogue returns the cached collection when it is less than an hour old, else reads it.
func (m *listing) catalogue(ctx context.Context) ([]registry.CatalogueItem, error) {
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

// readCatalogue downloads the collection. When that fails, it reads the file of an earlier download.
func (m *listing) readCatalogue(ctx context.Context) ([]registry.CatalogueItem, error) {
	if err := m.acquireFiles(ctx); err != nil {
		return nil, err
	}
	defer m.releaseFiles()
	r := hub.Request{
		Repo: registry.PiperRepo, Revision: registry.Branch, Files: []hub.File{{Path: registry.PiperVoices}}, MaxBytes: maxCatalogue,
	}
	s, err := m.o.Hub.Download(ctx, r, nil)
	if err != nil {
		cached, ok := m.o.Hub.Cache().Snapshot(r)
		if !ok || ctx.Err() != nil || cached.Files[0].Size > maxCatalogue {
			return nil, err
		}
		m.o.Log.Info("the catalogue of voices is from an earlier download", "error", err)
		s = cached
	}
	raw, err := os.ReadFile(s.Path(registry.PiperVoices))
	if err != nil {
		return nil, backend.FileError("read the catalogue", "the models directory", err)
	}
	items, err := registry.ParseVoices(raw)
	if err != nil {
		return nil, backend.E(backend.CodeDownloadFailed, "The catalogue of voices is invalid.", "Try again later.").WithCause(err)
	}
	return items, nil
}
