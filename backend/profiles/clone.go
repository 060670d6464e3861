package profiles

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/samples"
	"github.com/voicewright/voicewright/engines"
)

// CloneModel returns the model with which a cloned profile speaks a language: its own, else the first installed one that clones
// voices in this language, else the first of the list. Errors: model_unknown, engine_mismatch, also for a profile without samples,
// language_not_supported.
func (s *Service) CloneModel(p backend.Profile, language string) (engines.Model, error) {
	if p.Samples == 0 {
		return engines.Model{}, noSample(p)
	}
	return s.cloneModel(p, language, s.cloners())
}

func (s *Service) cloneModel(p backend.Profile, language string, cloners []backend.ModelStatus) (engines.Model, error) {
	if p.ModelName != "" {
		return s.cloner(p.ModelName)
	}
	var best *backend.ModelStatus
	for i, m := range cloners {
		speaks := (engines.Model{Languages: m.Languages}).Speaks(language)
		if speaks && (best == nil || m.Downloaded && !best.Downloaded) {
			best = &cloners[i]
		}
	}
	if best == nil {
		return engines.Model{}, backend.E(backend.CodeLanguageNotSupported,
			fmt.Sprintf("No model speaks %q with the voice of a sample.", language),
			"Choose another language, or import a model that clones voices in this one.").With("language", language)
	}
	return s.cloner(best.ModelName)
}

// cloners returns the models that can clone voices in this build, in the order of the list.
func (s *Service) cloners() []backend.ModelStatus {
	return slices.DeleteFunc(s.o.Models.Status(context.Background()), func(m backend.ModelStatus) bool {
		if m.Family != registry.Speech || !m.Cloning || !m.Supported {
			return true
		}
		_, err := s.cloner(m.ModelName)
		return err != nil
	})
}

// cloner returns a model that clones voices. Errors: model_unknown, engine_mismatch.
func (s *Service) cloner(name string) (engines.Model, error) {
	m, err := s.o.Models.Model(name)
	if err == nil && m.Clones == nil {
		err = backend.E(backend.CodeEngineMismatch, m.DisplayName+" cannot speak with the voice of a sample.",
			"Choose a model that clones voices.").With("model_name", m.Name)
	}
	return m, err
}

// Reference returns the samples of a profile as a model with these rules uses them: in their order, with 0.2 s of silence
// between, as long as the rules allow. Errors: profile_not_found, engine_mismatch for a profile without samples, or with too
// little for the model.
func (s *Service) Reference(ctx context.Context, profileID string, rules engines.CloneRules) (engines.Reference, error) {
	list, err := s.o.Store.Samples(ctx, profileID)
	if err != nil {
		return engines.Reference{}, err
	}
	if len(list) == 0 {
		p, err := s.o.Store.Profile(ctx, profileID)
		return engines.Reference{}, cmp.Or(err, error(noSample(p)))
	}
	if length(list) <= rules.Over {
		return engines.Reference{}, tooShortFor(engines.Model{DisplayName: "The model", Clones: &rules}, length(list))
	}
	used := fitting(list, rules)
	ref := engines.Reference{
		Key: keyOf(used, rules), Cache: s.states(profileID),
		Audio: func(ctx context.Context) (audio.Buffer, error) { return s.join(ctx, used, rules) },
	}
	s.remember(profileID, ref.Key)
	return ref, nil
}

func noSample(p backend.Profile) *backend.Error {
	return backend.E(backend.CodeEngineMismatch, fmt.Sprintf("The profile %q has no sample of its voice.", p.Name),
		"Add a recording of the voice, or choose another profile.").With("reason", engines.ReasonNoSample)
}

// tooShortFor returns the error about samples that are shorter than a model needs.
func tooShortFor(m engines.Model, seconds float64) *backend.Error {
	return backend.E(backend.CodeEngineMismatch,
		fmt.Sprintf("%s needs more than %g s of the voice, and there are %.1f s.", m.DisplayName, m.Clones.Over, seconds),
		"Add a longer sample, or choose another model.").
		With("reason", engines.ReasonShortSamples).With("over", m.Clones.Over).With("seconds", seconds)
}

// length returns how long joined samples are, in seconds.
func length(list []backend.Sample) float64 {
	sum := samples.Gap * float64(max(0, len(list)-1))
	for _, sample := range list {
		sum += sample.Seconds
	}
	return sum
}

// fitting returns the samples of which a model with these rules uses at least a part.
func fitting(list []backend.Sample, rules engines.CloneRules) []backend.Sample {
	lengths := make([]float64, len(list))
	for i, sample := range list {
		lengths[i] = sample.Seconds
	}
	return list[:samples.Used(lengths, rules.Longest)]
}

// keyOf returns the key of the reference that samples make.
func keyOf(list []backend.Sample, rules engines.CloneRules) string {
	h := sha256.New()
	for _, sample := range list {
		_, _ = fmt.Fprintln(h, sample.SHA256, sample.SampleRate) // a hash returns no error
	}
	_, _ = fmt.Fprintln(h, rules.Longest)
	return hex.EncodeToString(h.Sum(nil))
}

// join returns the joined audio of samples. Error: sample_not_found.
func (s *Service) join(ctx context.Context, list []backend.Sample, rules engines.CloneRules) (audio.Buffer, error) {
	parts := make([]audio.Buffer, len(list))
	for i, sample := range list {
		var err error
		if parts[i], err = s.read(ctx, sample); err != nil {
			return audio.Buffer{}, err
		}
	}
	return samples.Join(parts, rules.Longest), nil
}

// remember records the key of a reference, which models may hold in memory.
func (s *Service) remember(profileID, key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys[profileID] == nil {
		s.keys[profileID] = map[string]bool{}
	}
	s.keys[profileID][key] = true
}

// forget removes the references of a profile from the memory of the models.
func (s *Service) forget(profileID string) {
	s.mu.Lock()
	keys := s.keys[profileID]
	delete(s.keys, profileID)
	s.mu.Unlock()
	for key := range keys {
		s.o.Models.Forget(key)
	}
}

// removeStates removes what models have stored of the samples of a profile.
func (s *Service) removeStates(profileID string) error {
	return backend.FileError("delete what was computed from a sample", "the data directory", os.RemoveAll(s.states(profileID)))
}
