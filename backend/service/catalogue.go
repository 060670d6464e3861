package service

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

const (
	catalogueAge     = time.Second     // after which the providers are asked again, so that new models are noticed
	catalogueTimeout = 5 * time.Second // for the lists of all providers
)

// voiceList is the active voices at one time.
type voiceList struct {
	voices []Voice // sorted by provider, name and id
	byID   map[string]Voice
	failed bool // a provider could not list its voices
	at     time.Time
}

// catalogue is what the service speaks with: the active voices of all providers, and its models.
type catalogue struct {
	o    *Config
	turn chan struct{} // full while one caller reads or renews the list
	list voiceList
}

func newCatalogue(o *Config) *catalogue { return &catalogue{o: o, turn: make(chan struct{}, 1)} }

// read returns the active voices, at most catalogueAge old. Callers must not change them.
func (c *catalogue) read(ctx context.Context) (voiceList, error) {
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return voiceList{}, ctx.Err()
	}
	defer func() { <-c.turn }()
	if age := c.o.Now().Sub(c.list.at); c.list.byID == nil || age < 0 || age >= catalogueAge {
		c.list = c.fetch(context.WithoutCancel(ctx)) // for other callers too, so that one who leaves does not spoil it
	}
	return c.list, nil
}

// fetch lists the voices of all providers at the same time. A provider that fails is logged and left out.
func (c *catalogue) fetch(ctx context.Context) voiceList {
	ctx, cancel := context.WithTimeout(ctx, catalogueTimeout)
	defer cancel()
	list := voiceList{byID: map[string]Voice{}}
	var (
		wg sync.WaitGroup
		mu sync.Mutex
	)
	for id, provider := range c.o.Providers {
		wg.Go(func() {
			var voices []Voice
			err := backend.Contain(func() (err error) {
				voices, err = provider.Voices(ctx)
				return err
			})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				c.o.Log.WarnContext(ctx, "a provider can't list its voices", "provider", id, "error", err)
				list.failed = true
				return
			}
			for _, v := range voices {
				list.byID[v.ID] = v
			}
		})
	}
	wg.Wait()
	list.voices = slices.SortedFunc(maps.Values(list.byID), func(a, b Voice) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	list.at = c.o.Now()
	return list
}

// Voices returns the active voices of all providers.
func (c *catalogue) Voices(ctx context.Context) ([]Voice, error) {
	list, err := c.read(ctx)
	return slices.Clone(list.voices), err
}

// voice returns an active voice. Error: ErrNotFound; PROVIDER_BUSY where it may belong to a provider that fails.
func (c *catalogue) voice(ctx context.Context, id string) (Voice, error) {
	list, err := c.read(ctx)
	if err != nil {
		return Voice{}, err
	}
	id, ok := canonicalID(id)
	if !ok {
		return Voice{}, ErrNotFound
	}
	v, ok := list.byID[id]
	switch {
	case ok:
		return v, nil
	case list.failed:
		return Voice{}, errVoicesBusy
	default:
		return Voice{}, ErrNotFound
	}
}

// Filters returns the values that the active voices have.
func (c *catalogue) Filters(ctx context.Context) (Filters, error) {
	list, err := c.read(ctx)
	if err != nil {
		return Filters{}, err
	}
	values := func(of func(Voice) string) []string {
		seen := map[string]bool{}
		for _, v := range list.voices {
			seen[of(v)] = true
		}
		delete(seen, "")
		return slices.AppendSeq([]string{}, slices.Values(slices.Sorted(maps.Keys(seen)))) // [] in JSON, not null
	}
	return Filters{
		Providers:  values(func(v Voice) string { return string(v.Provider) }),
		Genders:    values(func(v Voice) string { return v.Gender }),
		Languages:  values(func(v Voice) string { return v.Language }),
		Accents:    values(func(v Voice) string { return v.Accent }),
		Categories: values(func(v Voice) string { return v.Category }),
	}, nil
}
