package models

import (
	"fmt"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
)

// Model returns the description of a model without loading it, or of the built-in engine. Errors: model_unknown.
func (m *listing) Model(name string) (engines.Model, error) {
	if b := m.o.BuiltIn.Info(); name == b.Engine {
		var variants func() []engines.Voice // only on request: there are over a thousand
		if varied, ok := m.o.BuiltIn.(engines.Varied); ok {
			variants = func() []engines.Voice { return varied.Variants(b.Voices) }
		}
		return engines.Model{
			Name: b.Engine, DisplayName: backend.BuiltInProfileName, Engine: b.Engine,
			Languages: b.Languages, Voices: b.Voices, Variants: variants, TextFeatures: b.TextFeatures,
		}, nil
	}
	m.refresh()
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	if err != nil {
		return engines.Model{}, err
	}
	return m.modelOf(md.entry), nil
}

// BuiltInVoices returns the voices of the built-in engine, and the variants of the first one: the others have variants with the same
// endings of their ids. Both are empty where the engine is missing.
func (m *listing) BuiltInVoices() (voices, variants []backend.ModelVoice) {
	all := m.o.BuiltIn.Info().Voices
	varied, ok := m.o.BuiltIn.(engines.Varied)
	if !ok || len(all) == 0 {
		return modelVoices(all), []backend.ModelVoice{}
	}
	return modelVoices(all), modelVoices(varied.Variants(all[:1]))
}

func modelVoices(voices []engines.Voice) []backend.ModelVoice {
	out := make([]backend.ModelVoice, len(voices))
	for i, v := range voices {
		out[i] = backend.ModelVoice{ID: v.ID, Name: v.Name, Language: v.Language, Gender: backend.GenderOf(v.Gender), Usable: true}
	}
	return out
}

// BuiltIn returns the name of the built-in engine, which is not a model.
func (m *listing) BuiltIn() string { return m.o.BuiltIn.Info().Engine }

// ModelOf returns the description of the model that has a preset voice (Piper: "<key>#<speaker>"), preferably a downloaded one.
// Errors: model_unknown, not_found for an invalid mixture.
func (m *listing) ModelOf(engine, voiceID string) (engines.Model, error) {
	if engine == m.o.BuiltIn.Info().Engine {
		return m.Model(engine)
	}
	key, voice, keyed := strings.Cut(voiceID, "#")
	if !keyed {
		voice = voiceID
	}
	m.refresh()
	m.mu.Lock()
	defer m.unlock()
	var best *model
	for _, md := range m.order {
		if md.entry.Engine != engine || (keyed && md.entry.Key != key) {
			continue
		}
		described := m.modelOf(md.entry)
		if _, has := described.Voice(voice); !has {
			if _, err := engines.ParseMix(voice); described.Mixes && voice != "" && err != nil {
				return engines.Model{}, err
			}
			continue
		}
		if best == nil || (md.state.OnDisk() && !best.state.OnDisk()) {
			best = md
		}
	}
	if best == nil {
		return engines.Model{}, backend.E(backend.CodeModelUnknown,
			fmt.Sprintf("No %s model has the voice %q.", engine, voiceID),
			"Check the list of models, or import the model with this voice from a folder.").With("engine", engine).With("voice", voiceID)
	}
	return m.modelOf(best.entry), nil
}

func (m *listing) modelOf(e registry.Entry) engines.Model {
	out := engines.Model{
		Abilities: m.abilities(e.Engine), Name: e.Name, DisplayName: e.DisplayName, Engine: e.Engine, Languages: e.Languages,
		Notes: e.LanguageNotes, Voices: make([]engines.Voice, len(e.Voices)), Translator: e.Translator,
	}
	// Also where this program lacks the engine.
	out.Transcribes, out.Diarizes = e.Family == registry.Transcription, e.Family == registry.Speakers
	out.TextFeatures = m.textFeatures(e)
	out.Clones = m.cloneRules(e)
	for i, v := range e.Voices {
		out.Voices[i] = engines.Voice{ID: v.ID, Name: v.Name, Language: v.Language, Gender: v.Gender, Reason: reason(v)}
	}
	return out
}

// familyOf returns the family of an engine's models.
func familyOf(able engines.Abilities) string {
	switch {
	case able.Transcribes:
		return registry.Transcription
	case able.Diarizes:
		return registry.Speakers
	}
	return registry.Speech
}

// errWrongFamily returns the error about a model that cannot do the work of a family. Code: backend.CodeEngineMismatch.
func (m *states) errWrongFamily(md *model, family string) error {
	actual := md.entry.Family
	if actual == family { // the engine is another one than the user's entry says
		actual = familyOf(m.abilities(md.entry.Engine))
	}
	able := engines.Abilities{Transcribes: actual == registry.Transcription, Diarizes: actual == registry.Speakers}
	switch name, shown := md.entry.Name, md.entry.DisplayName; family {
	case registry.Transcription:
		return engines.CannotTranscribe(name, shown, able)
	case registry.Speakers:
		return engines.CannotDiarize(name, shown, able)
	default:
		return engines.CannotSpeak(name, shown, able)
	}
}

// textFeatures returns what the engine of a model reads in a text besides words.
func (m *listing) textFeatures(e registry.Entry) engines.TextFeatures {
	if reader, ok := m.driver(e.Engine).(engines.TextReader); ok {
		return reader.TextFeatures(e.Key)
	}
	return engines.TextFeatures{}
}

// espeakLanguages returns the languages of a model that its engine speaks only with espeak-ng.
func (m *listing) espeakLanguages(e registry.Entry) []string {
	out := []string{}
	if driver, ok := m.driver(e.Engine).(engines.Phonemized); ok {
		for _, language := range e.Languages {
			if driver.NeedsEspeak(language) {
				out = append(out, language)
			}
		}
	}
	return out
}

// abilities returns what the models of an engine can do.
func (m *states) abilities(engine string) engines.Abilities {
	if able, ok := m.driver(engine).(engines.Able); ok {
		return able.Abilities()
	}
	return engines.Abilities{}
}
