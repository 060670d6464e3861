package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"

	"github.com/voicewright/voicewright/app/voicewright-service/local"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
	"github.com/voicewright/voicewright/backend/service/providers/openai"
	"github.com/voicewright/voicewright/backend/service/turns"
)

// speaker is who speaks for a provider, and what limits its calls.
type speaker struct {
	service.Provider
	limits providers.LaneOptions
	own    bool // with the engines of this process
}

// openProviders returns who speaks for each provider of the contract.
func (p *runningService) openProviders(
	ctx context.Context, v checkedOptions, codecs *audio.Codecs, log *slog.Logger,
) (map[service.ProviderID]speaker, error) {
	file, err := readProviders(v, log)
	if err != nil {
		return nil, err
	}
	p.longest = file.Longest(v.queueTimeout) + service.ChargeTimeout
	local, err := p.openLocal(ctx, file, v.models, log)
	if err != nil {
		return nil, err
	}
	all := map[service.ProviderID]speaker{}
	for id, entry := range file {
		s := speaker{
			Provider: local[id], own: entry.Adapter == providers.Local,
			limits: providers.LaneOptions{Provider: id, Queue: entry.Queue, QueueTimeout: v.queueTimeout, Timeout: entry.Timeout},
		}
		if entry.Adapter == providers.OpenAI {
			s.Provider, err = openai.New(openai.Options{
				Provider: id, URL: entry.URL, APIKey: entry.APIKey, Model: entry.Model, Timeout: entry.Timeout, Voices: entry.Voices, Codecs: codecs,
			})
			if err != nil {
				return nil, usagef("--providers: %s: %w", id, err)
			}
		}
		all[id] = s
	}
	return all, nil
}

// openLanes puts each speaker behind its queue, which this process shares with the others on the store where that has one.
func (p *runningService) openLanes(
	speakers map[service.ProviderID]speaker, store service.Store, instance string, log *slog.Logger,
) map[service.ProviderID]service.Provider {
	shared, many := store.(turns.Store)
	all := map[service.ProviderID]service.Provider{}
	for id, s := range speakers {
		if many {
			s.limits.Shared = &providers.Shared{Turns: shared, Instance: instance, Own: s.own, Log: log}
		}
		lane := providers.NewLane(s.Provider, s.limits)
		p.onClose(lane.Close)
		p.metrics.Register(lane.Metrics()...)
		all[id] = lane
	}
	return all
}

// openLocal returns the engines of this machine for the providers of the file that speak with them.
func (p *runningService) openLocal(
	ctx context.Context, file providers.File, models string, log *slog.Logger,
) (map[service.ProviderID]service.Provider, error) {
	isLocal := func(e providers.Entry) bool { return e.Adapter == providers.Local }
	if !slices.ContainsFunc(slices.Collect(maps.Values(file)), isLocal) {
		return nil, nil
	}
	engines, err := local.Open(ctx, models, log)
	if err != nil {
		return nil, fmt.Errorf("open the engines: %w", err)
	}
	p.onClose(func() error { return engines.Close(context.WithoutCancel(ctx)) })
	return engines.Providers, nil
}

// warnReadable says that other users can read a file with secrets, if there is one. Its group may: that is how some hand on secrets.
func warnReadable(log *slog.Logger, option, path string) {
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o007 != 0 {
		log.Warn("other users of this machine can read the secrets in a file; restrict it with chmod 600", "option", option)
	}
}

// readProviders reads the file in --providers.
func readProviders(v checkedOptions, log *slog.Logger) (providers.File, error) {
	var content []byte
	if v.providers != "" {
		var err error
		if content, err = readFile(v.providers); err != nil {
			return nil, err
		}
		warnReadable(log, "--providers", v.providers)
	}
	file, err := providers.Parse(bytes.NewReader(content))
	if err != nil {
		return nil, usagef("--providers %s: %w", v.providers, err)
	}
	for id, entry := range file {
		if v.offline && entry.Adapter == providers.OpenAI && !isLoopback(hostOf(entry.URL)) {
			return nil, usagef("--offline opens no connection to other machines, but %s speaks with one in %s; leave out --offline", id, v.providers)
		}
	}
	return file, nil
}
