package local

import (
	"context"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
	"github.com/voicewright/voicewright/engines"
)

// The names of the engines in the registry.
const (
	espeak     = "espeak"
	piper      = "piper"
	kokoro     = "kokoro"
	supertonic = "supertonic"
)

// voice is a voice of the provider with the model that speaks it.
type voice struct {
	service.Voice
	model string
	own   engines.Voice
}

// listFor is how long a list of voices is used before the models are looked at again.
const listFor = time.Second

// Voices returns the voices of the downloaded models, those of espeak-ng where the provider has no other.
func (p *Provider) Voices(ctx context.Context) ([]service.Voice, error) {
	listed, err := p.list(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]service.Voice, len(listed))
	for i, v := range listed {
		out[i] = v.Voice
	}
	return out, nil
}

// find returns the voice of a turn. It may be missing since its model was deleted.
func (p *Provider) find(ctx context.Context, native string) (voice, bool, error) {
	listed, err := p.list(ctx)
	if err != nil {
		return voice{}, false, err
	}
	i := slices.IndexFunc(listed, func(v voice) bool { return v.Native == native })
	if i < 0 {
		return voice{}, false, nil
	}
	return listed[i], true, nil
}

func (p *Provider) list(ctx context.Context) ([]voice, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.o.Now(); p.listed == nil || now.Before(p.at) || now.Sub(p.at) >= listFor {
		listed, err := p.read(ctx)
		if err != nil {
			return nil, err
		}
		p.listed, p.at = listed, now
	}
	return p.listed, nil
}

// read lists the voices of all models that the provider speaks with. Of several models with one voice, such as those of Kokoro,
// the first one of the registry speaks it.
func (p *Provider) read(ctx context.Context) ([]voice, error) {
	out := []voice{}
	add := func(name string) error {
		model, err := p.o.Models.Model(name)
		if err != nil {
			return err
		}
		for _, own := range model.Voices {
			v, ok := p.offered(model, own)
			if ok && !slices.ContainsFunc(out, func(other voice) bool { return other.Native == v.Native }) {
				out = append(out, v)
			}
		}
		return nil
	}
	if p.o.Provider == service.ProviderC {
		if err := add(p.o.Models.BuiltIn()); err != nil {
			return nil, err
		}
	}
	for _, m := range p.o.Models.Status(ctx) {
		if m.Engine != p.engine() || !m.Downloaded || !m.Supported {
			continue
		}
		if err := add(m.ModelName); err != nil && backend.CodeOf(err) != backend.CodeModelUnknown { // removed meanwhile
			return nil, err
		}
	}
	if len(out) == 0 && p.o.Provider != service.ProviderC {
		return out, add(p.o.Models.BuiltIn())
	}
	return out, nil
}

// engine returns the engine that the provider speaks with.
func (p *Provider) engine() string {
	switch p.o.Provider {
	case service.ProviderA:
		return supertonic
	case service.ProviderB:
		return kokoro
	case service.ProviderC:
		return piper
	}
	return ""
}

// offered returns a voice as callers see it. One that this build cannot speak, or without a gender, is not offered.
func (p *Provider) offered(model engines.Model, own engines.Voice) (voice, bool) {
	if own.Reason != "" || own.Gender != "male" && own.Gender != "female" {
		return voice{}, false
	}
	native := model.Engine + ":" + own.ID
	if model.Engine == piper { // whose models have voices with the same ids
		native = model.Name + ":" + own.ID
	}
	return voice{
		model: model.Name, own: own,
		Voice: service.Voice{
			ID: service.VoiceID(p.o.Provider, native), Native: native, Name: own.Name, Gender: own.Gender, Provider: p.o.Provider,
			Accent: providers.Accent(own.Language), Language: providers.Language(own.Language), Category: category(model.Engine),
			Engine: shownEngine(model.Engine),
		},
	}, true
}

// shownEngine returns the name by which an engine is known.
func shownEngine(engine string) string {
	if engine == espeak {
		return "espeak-ng"
	}
	return engine
}

// category returns the category of an engine's voices: those of Kokoro and Supertonic speak as in a conversation, those of
// espeak-ng and Piper read evenly.
func category(engine string) string {
	if engine == kokoro || engine == supertonic {
		return "conversational"
	}
	return "narrator"
}
