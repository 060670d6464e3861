// Package profiles implements the rules of voice profiles: valid values, copies, and the file for another machine.
package profiles

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Service creates and changes profiles and their samples. It is safe for concurrent use.
type Service struct {
	*folders
	*cloning
	*sampleStore
	*archives

	o         *Options
	validator *validator
}

// New returns a Service.
func New(o Options) *Service {
	if o.Hosted == nil {
		o.Hosted = func() bool { return false }
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	f := &folders{&o}
	r := &recorder{&o, f, make(chan struct{}, 1)}
	c := &cloning{o: &o, folders: f, recorder: r, keys: map[string]map[string]bool{}}
	s := &sampleStore{&o, f, r, c}
	v := &validator{&o, c}
	return &Service{folders: f, cloning: c, sampleStore: s, archives: &archives{&o, f, r, s, v}, o: &o, validator: v}
}

// Draft has the values of a new profile; nil fields are not set.
type Draft struct {
	Name string
	backend.ProfilePatch
}

// Create creates a profile. With only a name, it speaks with the default voice.
// Errors: ValidationError, name_taken, model_unknown, engine_mismatch, hosted_model_unknown.
func (s *Service) Create(ctx context.Context, d Draft) (backend.Profile, error) {
	p := backend.Profile{Name: d.Name, Language: "en", VoiceType: backend.VoiceDefault, Speed: 1, Usable: true}
	if d.VoiceType == nil {
		p.VoiceType = s.validator.voiceType(d.ProfilePatch)
	}
	d.ProfilePatch.Name = nil
	d.Apply(&p)
	err := s.validator.complete(&p, d.Language != nil)
	if err == nil {
		err = s.validator.completeHosted(ctx, &p)
	}
	if err != nil {
		return p, err
	}
	p, err = s.o.Store.Create(ctx, p)
	if err == nil {
		s.o.Changed()
	}
	return p, err
}

// Update changes only the fields that the patch sets. Errors: profile_not_found and those of Create.
func (s *Service) Update(ctx context.Context, id string, patch backend.ProfilePatch) (backend.Profile, error) {
	p, err := s.o.Store.Profile(ctx, id)
	if err != nil {
		return p, err
	}
	resetVoice(&p, patch)
	s.validator.completeType(p, &patch)
	before := p
	patch.Apply(&p)
	if err := s.validator.complete(&p, true); err != nil {
		return p, err
	}
	if p.VoiceType != before.VoiceType || p.HostedVoiceID != before.HostedVoiceID || p.HostedModelID != before.HostedModelID {
		if err := s.validator.completeHosted(ctx, &p); err != nil {
			return p, err
		}
		patch.HostedVoiceID, patch.HostedModelID = &p.HostedVoiceID, &p.HostedModelID
	}
	addCompleted(&patch, p)
	p, err = s.o.Store.UpdateProfile(ctx, id, patch)
	if err == nil {
		s.o.Changed()
	}
	return p, err
}

// addCompleted adds to a patch the fields of the changed profile that follow from it, so that they are stored too.
func addCompleted(patch *backend.ProfilePatch, p backend.Profile) {
	if patch.Name != nil {
		patch.Name = &p.Name
	}
	if patch.Language != nil {
		patch.Language = &p.Language
	}
	if p.VoiceType == backend.VoicePreset || p.VoiceType == backend.VoiceCloned {
		patch.ModelName, patch.PresetEngine, patch.PresetVoiceID = &p.ModelName, &p.PresetEngine, &p.PresetVoiceID
	}
}

// resetVoice clears the fields of the old voice that do not fit the patch: a new model has its own engine and voice, a new engine
// or voice its own model.
func resetVoice(p *backend.Profile, patch backend.ProfilePatch) {
	switch {
	case patch.ModelName != nil && *patch.ModelName != p.ModelName:
		p.PresetEngine, p.PresetVoiceID = "", ""
	case patch.PresetEngine != nil && *patch.PresetEngine != p.PresetEngine:
		p.ModelName, p.PresetVoiceID = "", ""
	case patch.PresetVoiceID != nil && strings.Contains(*patch.PresetVoiceID, "#"):
		p.ModelName = ""
	}
}

// Duplicate creates a copy with its samples under a free name. Errors: profile_not_found, sample_not_found.
func (s *Service) Duplicate(ctx context.Context, id string) (backend.Profile, error) {
	p, err := s.o.Store.Profile(ctx, id)
	if err != nil {
		return p, err
	}
	if p.Name, err = s.validator.freeName(ctx, p.Name+" copy"); err != nil {
		return p, err
	}
	if p.Samples > 0 {
		return s.duplicateSamples(ctx, p)
	}
	p, err = s.o.Store.Create(ctx, asNew(p))
	if err == nil {
		s.o.Changed()
	}
	return p, err
}

// asNew returns a profile without the id, times and samples of the stored one.
func asNew(p backend.Profile) backend.Profile {
	p.ID, p.CreatedAt, p.UpdatedAt, p.Samples, p.Consent = "", time.Time{}, time.Time{}, 0, nil
	return p
}

// Delete removes a profile with its samples and everything that was computed from them; its generations stay.
// Errors: profile_not_found, not_permitted where files remain, which the next start removes.
func (s *Service) Delete(ctx context.Context, id string) error {
	if err := s.o.Store.DeleteProfile(ctx, id); err != nil {
		return err
	}
	s.forget(id)
	err := s.removeFolder(id)
	s.o.Changed()
	return err
}

// Describe sets the gender of preset voices from the list of models, where it is known, and says why profiles of hosted voices
// or samples cannot be used.
func (s *Service) Describe(profiles []backend.Profile) {
	seen := map[string]engines.Model{} // by name: many profiles have the same model
	cloners := sync.OnceValue(s.cloners)
	for i := range profiles {
		p := &profiles[i]
		p.Gender = s.gender(p, seen)
		switch {
		case p.VoiceType == backend.VoiceHosted && !s.o.Hosted():
			p.Usable, p.Reason = false, "No hosted service is set up. Open the Account screen."
		case p.VoiceType == backend.VoiceCloned && p.Samples == 0:
			p.Usable, p.Reason = false, "It has no sample of its voice. Add a recording."
		case p.VoiceType == backend.VoiceCloned:
			if _, err := s.cloneModel(*p, p.Language, cloners()); err != nil {
				p.Usable, p.Reason = false, backend.AsError(err).Detail
			}
		}
	}
}

func (s *Service) gender(p *backend.Profile, seen map[string]engines.Model) backend.Gender {
	if p.VoiceType != backend.VoicePreset {
		return ""
	}
	m, ok := seen[p.ModelName]
	if !ok || p.ModelName == "" {
		var err error
		if m, err = s.validator.modelOf(p); err != nil {
			m = engines.Model{} // the model is not in the list
		}
		seen[p.ModelName] = m
	}
	v, _ := m.Voice(voiceID(p.PresetVoiceID))
	return backend.GenderOf(v.Gender)
}
