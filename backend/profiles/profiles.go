// Package profiles implements the rules of voice profiles: valid values, copies, and the file for another machine.
package profiles

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Service creates and changes profiles and their samples. It is safe for concurrent use.
type Service struct {
	o       Options
	decoder chan struct{} // held while a recording is decoded

	mu   sync.Mutex
	keys map[string]map[string]bool // of the references that were returned, by profile
}

// New returns a Service.
func New(o Options) *Service {
	if o.Hosted == nil {
		o.Hosted = func() bool { return false }
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	return &Service{o: o, decoder: make(chan struct{}, 1), keys: map[string]map[string]bool{}}
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
		p.VoiceType = s.voiceType(d.ProfilePatch)
	}
	d.ProfilePatch.Name = nil
	d.Apply(&p)
	err := s.complete(&p, d.Language != nil)
	if err == nil {
		err = s.completeHosted(ctx, &p)
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

// voiceType returns the type of a profile for which none is given: that of the voice that it names.
func (s *Service) voiceType(c backend.ProfilePatch) backend.VoiceType {
	if !namesVoice(c) {
		return backend.VoiceDefault
	}
	if c.ModelName != nil && c.PresetVoiceID == nil && c.PresetEngine == nil {
		if m, err := s.cloner(*c.ModelName); err == nil && len(m.Voices) == 0 {
			return backend.VoiceCloned
		}
	}
	return backend.VoicePreset
}

// namesVoice reports whether a patch sets the voice of an engine.
func namesVoice(c backend.ProfilePatch) bool {
	given := func(s *string) bool { return s != nil && *s != "" }
	return given(c.ModelName) || given(c.PresetVoiceID) || given(c.PresetEngine)
}

// Update changes only the fields that the patch sets. Errors: profile_not_found and those of Create.
func (s *Service) Update(ctx context.Context, id string, patch backend.ProfilePatch) (backend.Profile, error) {
	p, err := s.o.Store.Profile(ctx, id)
	if err != nil {
		return p, err
	}
	resetVoice(&p, patch)
	s.completeType(p, &patch)
	before := p
	patch.Apply(&p)
	if err := s.complete(&p, true); err != nil {
		return p, err
	}
	if p.VoiceType != before.VoiceType || p.HostedVoiceID != before.HostedVoiceID || p.HostedModelID != before.HostedModelID {
		if err := s.completeHosted(ctx, &p); err != nil {
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

// completeType adds to a patch the type of the voice that it names, and clears the model of a voice that cannot be cloned with it.
func (s *Service) completeType(p backend.Profile, patch *backend.ProfilePatch) {
	if p.VoiceType == backend.VoiceDefault && patch.VoiceType == nil && namesVoice(*patch) {
		patch.VoiceType = new(s.voiceType(*patch))
	}
	if patch.VoiceType != nil && *patch.VoiceType == backend.VoiceCloned && p.VoiceType != backend.VoiceCloned && patch.ModelName == nil {
		if _, err := s.cloner(p.ModelName); err != nil {
			patch.ModelName = new("") // the model of the old voice
		}
	}
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
	if p.Name, err = s.freeName(ctx, p.Name+" copy"); err != nil {
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
		if m, err = s.modelOf(p); err != nil {
			m = engines.Model{} // the model is not in the list
		}
		seen[p.ModelName] = m
	}
	v, _ := m.Voice(voiceID(p.PresetVoiceID))
	return backend.GenderOf(v.Gender)
}

// modelOf returns the model of a preset profile.
func (s *Service) modelOf(p *backend.Profile) (engines.Model, error) {
	if p.ModelName != "" {
		return s.o.Models.Model(p.ModelName)
	}
	return s.o.Models.ModelOf(p.PresetEngine, p.PresetVoiceID)
}

// voiceID returns the id of a preset voice within its model, without `<key>#`.
func voiceID(presetVoiceID string) string {
	if _, id, keyed := strings.Cut(presetVoiceID, "#"); keyed {
		return id
	}
	return presetVoiceID
}

// freeName returns a name that no profile has, with a number where it is taken.
func (s *Service) freeName(ctx context.Context, wanted string) (string, error) {
	for n, name := 2, cut(wanted, maxName); ; n++ {
		_, err := s.o.Store.ProfileByName(ctx, name)
		if backend.CodeOf(err) == backend.CodeProfileNotFound {
			return name, nil
		}
		if err != nil {
			return "", err
		}
		number := fmt.Sprintf(" %d", n)
		name = cut(wanted, maxName-len(number)) + number
	}
}

// cut shortens a string to n characters.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n]))
	}
	return s
}

// The longest texts of a profile, in characters.
const (
	maxName        = 100
	maxDescription = 2000
)

// complete checks a profile and sets the fields that follow from its model.
func (s *Service) complete(p *backend.Profile, languageGiven bool) error {
	if err := check(p); err != nil {
		return err
	}
	switch p.VoiceType {
	case backend.VoicePreset:
		return s.completePreset(p, languageGiven)
	case backend.VoiceCloned:
		return s.completeCloned(p)
	default:
		return nil
	}
}

// completeHosted checks the model of a hosted profile with the list of the service, where that can be read.
func (s *Service) completeHosted(ctx context.Context, p *backend.Profile) error {
	if p.VoiceType != backend.VoiceHosted || s.o.HostedVoice == nil {
		return nil
	}
	voice, model, err := s.o.HostedVoice(ctx, p.HostedVoiceID, p.HostedModelID)
	if err == nil {
		p.HostedVoiceID, p.HostedModelID = voice, model
	}
	return err
}

// completeCloned checks the model of a cloned profile, which has no voice of an engine.
func (s *Service) completeCloned(p *backend.Profile) error {
	p.PresetEngine, p.PresetVoiceID = "", ""
	if p.ModelName == "" {
		return nil
	}
	m, err := s.cloner(p.ModelName)
	if err == nil {
		p.ModelName = m.Name
	}
	return err
}

func check(p *backend.Profile) error {
	p.Name = strings.TrimSpace(p.Name)
	switch n := utf8.RuneCountInString(p.Name); {
	case n == 0:
		return backend.Invalid("string_too_short", "String should have at least 1 character", "body", "name")
	case n > maxName:
		return backend.Invalid("string_too_long", "String should have at most 100 characters", "body", "name")
	}
	if utf8.RuneCountInString(p.Description) > maxDescription {
		return backend.Invalid("string_too_long", "String should have at most 2000 characters", "body", "description")
	}
	for field, text := range map[string]string{"name": p.Name, "description": p.Description} {
		if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
			return backend.Invalid("string_unicode", "Input should be a valid string without NUL", "body", field)
		}
	}
	tag, ok := backend.CanonicalLanguage(p.Language)
	if !ok {
		return backend.Invalid("value_error", "Input should be a BCP 47 language tag, such as en or pt-BR", "body", "language")
	}
	p.Language = tag
	if p.Speed < 0.25 {
		return backend.Invalid("greater_than_equal", "Input should be greater than or equal to 0.25", "body", "speed")
	}
	if p.Speed > 4 {
		return backend.Invalid("less_than_equal", "Input should be less than or equal to 4", "body", "speed")
	}
	switch p.VoiceType {
	case backend.VoiceHosted:
		if strings.TrimSpace(p.HostedVoiceID) == "" {
			return backend.Invalid("missing", "A hosted profile needs the id of its voice", "body", "hosted_voice_id")
		}
		return nil
	case backend.VoiceDefault, backend.VoicePreset, backend.VoiceCloned:
		return nil
	default:
		return backend.Invalid("enum", "Input should be default, preset, cloned or hosted", "body", "voice_type")
	}
}

// noVoice returns the error of an unknown voice as a ValidationError of the field.
func noVoice(err error) error {
	e := backend.AsError(err)
	return backend.Invalid("enum", e.Detail+" "+e.Remedy, "body", "preset_voice_id")
}

// completePreset checks engine and voice against the model. Without a voice, the profile gets the model's first one.
func (s *Service) completePreset(p *backend.Profile, languageGiven bool) error {
	if p.ModelName == "" && p.PresetEngine == "" {
		return backend.Invalid("missing", "A preset profile needs model_name, or preset_engine and preset_voice_id",
			"body", "model_name")
	}
	m, err := s.modelOf(p)
	switch {
	case backend.CodeOf(err) == backend.CodeNotFound:
		return noVoice(err)
	case err != nil && p.ModelName == "" && p.PresetVoiceID != "":
		return nil // the model may be installed later; until then speaking returns the error
	case err != nil:
		return err
	}
	if p.PresetEngine != "" && p.PresetEngine != m.Engine {
		return backend.E(backend.CodeEngineMismatch, fmt.Sprintf("The model %s does not belong to the engine %s.", m.Name, p.PresetEngine),
			"Set the engine of the model, or leave it out.")
	}
	v, err := m.Find(voiceID(p.PresetVoiceID))
	switch {
	case backend.CodeOf(err) == backend.CodeEngineMismatch:
		return err
	case err != nil:
		return noVoice(err)
	}
	p.ModelName, p.PresetEngine = m.Name, m.Engine
	p.Usable, p.Reason = v.Reason == "", v.Reason
	if p.PresetVoiceID == "" {
		p.PresetVoiceID = v.ID
	}
	if !languageGiven {
		p.Language = v.Language
	}
	return nil
}
