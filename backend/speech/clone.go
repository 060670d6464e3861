package speech

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Clones finds what the profiles of cloned voices speak with.
type Clones interface {
	// CloneModel returns the model with which a cloned profile speaks a language. Error: model_unknown, engine_mismatch.
	CloneModel(p backend.Profile, language string) (engines.Model, error)
	// Reference returns the joined samples of a profile, as long as the rules allow.
	// Errors: profile_not_found, engine_mismatch where it has none or too little for the rules.
	Reference(ctx context.Context, profileID string, rules engines.CloneRules) (engines.Reference, error)
	// Samples returns the samples of a profile, in their order. Error: profile_not_found.
	Samples(ctx context.Context, profileID string) ([]backend.Sample, error)
}

// resolveCloned returns the voice of a cloned profile.
func (s *Synthesizer) resolveCloned(o backend.GenerateOptions, p backend.Profile) (Voice, error) {
	language := cmp.Or(o.Language, p.Language)
	if o.ModelName != "" {
		return s.pickClone(o.ModelName, p.ID, language)
	}
	if s.o.Clones == nil {
		return Voice{}, engines.NoReference(p.Name)
	}
	model, err := s.o.Clones.CloneModel(p, language)
	if err != nil {
		return Voice{}, err
	}
	return cloneVoice(model, p.ID, language)
}

func (s *Synthesizer) pickClone(model, profileID, language string) (Voice, error) {
	m, err := s.o.Models.Model(model)
	if err != nil {
		return Voice{}, err
	}
	return cloneVoice(m, profileID, language)
}

// cloneVoice checks that a model clones voices and speaks the language.
func cloneVoice(m engines.Model, profileID, language string) (Voice, error) {
	if m.Clones == nil {
		return Voice{}, backend.E(backend.CodeEngineMismatch, m.DisplayName+" cannot speak with the voice of a sample.",
			"Choose a model that clones voices.").With("model_name", m.Name)
	}
	if !m.Speaks(language) {
		return Voice{}, languageError(m.DisplayName, language)
	}
	return Voice{m.Name, m.Engine, backend.ClonePrefix + profileID, language}, nil
}

// cloneOf returns the id of the cloned profile whose voice this is.
func (v Voice) cloneOf() (profileID string, ok bool) {
	return strings.CutPrefix(v.ID, backend.ClonePrefix)
}

// Reference returns the samples that a voice is cloned from; nil for other voices.
func (s *Synthesizer) Reference(ctx context.Context, v Voice, rules engines.CloneRules) (*engines.Reference, error) {
	id, ok := v.cloneOf()
	if !ok {
		return nil, nil
	}
	if s.o.Clones == nil {
		return nil, engines.NoReference(v.Model)
	}
	ref, err := s.o.Clones.Reference(ctx, id, rules)
	return &ref, err
}

// Sample returns what identifies the samples that a voice is cloned from; empty for other voices.
func (s *Synthesizer) Sample(ctx context.Context, v Voice, info engines.Info) (string, error) {
	if info.Clones == nil {
		return "", nil
	}
	ref, err := s.Reference(ctx, v, *info.Clones)
	if err != nil || ref == nil {
		return "", err
	}
	return ref.Key, nil
}

// CheckVoice returns the error of a voice whose samples cannot be used, before its generation is accepted.
func (s *Synthesizer) CheckVoice(ctx context.Context, v Voice) error {
	if _, ok := v.cloneOf(); !ok {
		return nil
	}
	model, err := s.o.Models.Model(v.Model)
	if err != nil {
		return err
	}
	if model.Clones == nil {
		return engines.NoReference(v.Model)
	}
	_, err = s.Reference(ctx, v, *model.Clones)
	return err
}

// WithReference makes a loaded model speak with the samples of a voice.
func (s *Synthesizer) WithReference(ctx context.Context, loaded *engines.Loaded, v Voice) (*engines.Loaded, error) {
	if _, ok := v.cloneOf(); !ok {
		return loaded, nil
	}
	fail := func(err error) (*engines.Loaded, error) {
		loaded.Release()
		return nil, err
	}
	cloner, ok := loaded.Speaker.(engines.Cloner)
	if !ok || loaded.Info().Clones == nil {
		return fail(backend.E(backend.CodeEngineMismatch, fmt.Sprintf("The model %s cannot speak with the voice of a sample.", v.Model),
			"Choose a model that clones voices."))
	}
	ref, err := s.Reference(ctx, v, *loaded.Info().Clones)
	if err != nil {
		return fail(err)
	}
	with := *loaded
	with.Speaker = engines.WithReference(cloner, ref)
	return &with, nil
}

// speakFunc synthesizes an utterance.
type speakFunc func(ctx context.Context, sp engines.Speaker, u engines.Utterance, emit func(engines.Sound) error) error

// SpeakWhole calls emit once a cloning model has found the end of an utterance, so that another seed can be tried where it does
// not. Other engines always find it.
func SpeakWhole(ctx context.Context, sp engines.Speaker, u engines.Utterance, emit func(engines.Sound) error) error {
	if sp.Info().Clones == nil {
		return engines.SpeakAt(ctx, sp, u, emit)
	}
	var sounds []engines.Sound
	speak := func() error {
		sounds = nil
		return engines.SpeakAt(ctx, sp, u, func(s engines.Sound) error {
			s.Samples = append([]float32(nil), s.Samples...) // they belong to the engine
			sounds = append(sounds, s)
			return nil
		})
	}
	err := speak()
	if engines.IsRunaway(err) {
		u = withOtherSeed(u)
		err = speak()
	}
	if err != nil {
		return err
	}
	for _, s := range sounds {
		if err := emit(s); err != nil {
			return err
		}
	}
	return nil
}

// speakNow is speakWhole that emits what is spoken at once. Another seed is tried only while nothing was emitted.
func speakNow(ctx context.Context, sp engines.Speaker, u engines.Utterance, emit func(engines.Sound) error) error {
	begun := false
	err := engines.SpeakAt(ctx, sp, u, func(s engines.Sound) error {
		begun = true
		return emit(s)
	})
	if begun || !engines.IsRunaway(err) {
		return err
	}
	return engines.SpeakAt(ctx, sp, withOtherSeed(u), emit)
}

func withOtherSeed(u engines.Utterance) engines.Utterance {
	u.Seed = ChunkSeed(u.Seed, 0)
	return u
}

// Load loads the model of a voice, and makes a cloning one speak with the samples of the voice. phase is called as for Acquire; may be nil.
func (s *Synthesizer) Load(ctx context.Context, v Voice, phase func(backend.Status)) (*engines.Loaded, error) {
	loaded, err := s.o.Models.Acquire(ctx, v.Model, phase)
	if err != nil {
		return nil, err
	}
	return s.WithReference(ctx, loaded, v)
}
