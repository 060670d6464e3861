package profiles

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/samples"
	"github.com/voicewright/voicewright/engines"
)

// cloning finds the models that speak with the voice of samples, and what they get of it.
type cloning struct {
	o        *Options
	folders  *folders
	recorder *recorder

	mu   sync.Mutex
	keys map[string]map[string]bool // of the references that were returned, by profile
}

// CloneModel returns the model with which a cloned profile speaks a language: its own, else the first installed one that clones
// voices in this language, else the first of the list. Errors: model_unknown, engine_mismatch, also for a profile without samples,
// language_not_supported.
func (c *cloning) CloneModel(p backend.Profile, language string) (engines.Model, error) {
	if p.Samples == 0 {
		return engines.Model{}, errNoSample(p)
	}
	return c.cloneModel(p, language, c.cloners())
}

func (c *cloning) cloneModel(p backend.Profile, language string, cloners []backend.ModelStatus) (engines.Model, error) {
	if p.ModelName != "" {
		return c.cloner(p.ModelName)
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
	return c.cloner(best.ModelName)
}

// cloners returns the models that can clone voices in this build, in the order of the list.
func (c *cloning) cloners() []backend.ModelStatus {
	return slices.DeleteFunc(c.o.Models.Status(context.Background()), func(m backend.ModelStatus) bool {
		if m.Family != registry.Speech || !m.Cloning || !m.Supported {
			return true
		}
		_, err := c.cloner(m.ModelName)
		return err != nil
	})
}

// cloner returns a model that clones voices. Errors: model_unknown, engine_mismatch.
func (c *cloning) cloner(name string) (engines.Model, error) {
	m, err := c.o.Models.Model(name)
	if err == nil && m.Clones == nil {
		err = backend.E(backend.CodeEngineMismatch, m.DisplayName+" cannot speak with the voice of a sample.",
			"Choose a model that clones voices.").With("model_name", m.Name)
	}
	return m, err
}

// Reference returns the samples of a profile as a model with these rules uses them: in their order, with 0.2 s of silence
// between, as long as the rules allow. Errors: profile_not_found, engine_mismatch for a profile without samples, or with too
// little for the model.
func (c *cloning) Reference(ctx context.Context, profileID string, rules engines.CloneRules) (engines.Reference, error) {
	list, err := c.o.Store.Samples(ctx, profileID)
	if err != nil {
		return engines.Reference{}, err
	}
	if len(list) == 0 {
		p, err := c.o.Store.Profile(ctx, profileID)
		return engines.Reference{}, cmp.Or(err, error(errNoSample(p)))
	}
	if length(list) <= rules.Over {
		return engines.Reference{}, errTooShort(engines.Model{DisplayName: "The model", Clones: &rules}, length(list))
	}
	used := fitting(list, rules)
	ref := engines.Reference{
		Key: keyOf(used, rules), Cache: c.folders.states(profileID),
		Audio: func(ctx context.Context) (audio.Buffer, error) { return c.join(ctx, used, rules) },
	}
	c.remember(profileID, ref.Key)
	return ref, nil
}

func errNoSample(p backend.Profile) *backend.Error {
	return backend.E(backend.CodeEngineMismatch, fmt.Sprintf("The profile %q has no sample of its voice.", p.Name),
		"Add a recording of the voice, or choose another profile.").With("reason", engines.ReasonNoSample)
}

// errTooShort returns the error about samples that are shorter than a model needs.
func errTooShort(m engines.Model, seconds float64) *backend.Error {
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
func (c *cloning) join(ctx context.Context, list []backend.Sample, rules engines.CloneRules) (audio.Buffer, error) {
	parts := make([]audio.Buffer, len(list))
	for i, sample := range list {
		var err error
		if parts[i], err = c.recorder.read(ctx, sample); err != nil {
			return audio.Buffer{}, err
		}
	}
	return samples.Join(parts, rules.Longest), nil
}

// remember records the key of a reference, which models may hold in memory.
func (c *cloning) remember(profileID, key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.keys[profileID] == nil {
		c.keys[profileID] = map[string]bool{}
	}
	c.keys[profileID][key] = true
}

// forget removes the references of a profile from the memory of the models.
func (c *cloning) forget(profileID string) {
	c.mu.Lock()
	keys := c.keys[profileID]
	delete(c.keys, profileID)
	c.mu.Unlock()
	for key := range keys {
		c.o.Models.Forget(key)
	}
}

// changedSamples removes what models computed from the former samples of a profile: from their memory first, so that nothing
// writes it again.
func (c *cloning) changedSamples(profileID string) error {
	c.forget(profileID)
	return c.folders.removeStates(profileID)
}
