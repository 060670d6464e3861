package profiles

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// The longest texts of a profile, in characters.
const (
	maxName        = 100
	maxDescription = 2000
)

// validator checks profiles, and sets the fields that follow from their model.
type validator struct {
	o       *Options
	cloning *cloning
}

// voiceType returns the type of a profile for which none is given: that of the voice that it names.
func (v *validator) voiceType(c backend.ProfilePatch) backend.VoiceType {
	if !namesVoice(c) {
		return backend.VoiceDefault
	}
	if c.ModelName != nil && c.PresetVoiceID == nil && c.PresetEngine == nil {
		if m, err := v.cloning.cloner(*c.ModelName); err == nil && len(m.Voices) == 0 {
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

// completeType adds to a patch the type of the voice that it names, and clears the model of a voice that cannot be cloned with it.
func (v *validator) completeType(p backend.Profile, patch *backend.ProfilePatch) {
	if p.VoiceType == backend.VoiceDefault && patch.VoiceType == nil && namesVoice(*patch) {
		patch.VoiceType = new(v.voiceType(*patch))
	}
	if patch.VoiceType != nil && *patch.VoiceType == backend.VoiceCloned && p.VoiceType != backend.VoiceCloned && patch.ModelName == nil {
		if _, err := v.cloning.cloner(p.ModelName); err != nil {
			patch.ModelName = new("") // the model of the old voice
		}
	}
}

// modelOf returns the model of a preset profile.
func (v *validator) modelOf(p *backend.Profile) (engines.Model, error) {
	if p.ModelName != "" {
		return v.o.Models.Model(p.ModelName)
	}
	return v.o.Models.ModelOf(p.PresetEngine, p.PresetVoiceID)
}

// voiceID returns the id of a preset voice within its model, without `<key>#`.
func voiceID(presetVoiceID string) string {
	if _, id, keyed := strings.Cut(presetVoiceID, "#"); keyed {
		return id
	}
	return presetVoiceID
}

// freeName returns a name that no profile has, with a number where it is taken.
func (v *validator) freeName(ctx context.Context, wanted string) (string, error) {
	for n, name := 2, cut(wanted, maxName); ; n++ {
		_, err := v.o.Store.ProfileByName(ctx, name)
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

// complete checks a profile and sets the fields that follow from its model.
func (v *validator) complete(p *backend.Profile, languageGiven bool) error {
	if err := check(p); err != nil {
		return err
	}
	switch p.VoiceType {
	case backend.VoicePreset:
		return v.completePreset(p, languageGiven)
	case backend.VoiceCloned:
		return v.completeCloned(p)
	default:
		return nil
	}
}

// completeHosted checks the model of a hosted profile with the list of the service, where that can be read.
func (v *validator) completeHosted(ctx context.Context, p *backend.Profile) error {
	if p.VoiceType != backend.VoiceHosted || v.o.HostedVoice == nil {
		return nil
	}
	voice, model, err := v.o.HostedVoice(ctx, p.HostedVoiceID, p.HostedModelID)
	if err == nil {
		p.HostedVoiceID, p.HostedModelID = voice, model
	}
	return err
}

// completeCloned checks the model of a cloned profile, which has no voice of an engine.
func (v *validator) completeCloned(p *backend.Profile) error {
	p.PresetEngine, p.PresetVoiceID = "", ""
	if p.ModelName == "" {
		return nil
	}
	m, err := v.cloning.cloner(p.ModelName)
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

// errNoVoice returns the error of an unknown voice as a ValidationError of the field.
func errNoVoice(err error) error {
	e := backend.AsError(err)
	return backend.Invalid("enum", e.Detail+" "+e.Remedy, "body", "preset_voice_id")
}

// completePreset checks engine and voice against the model. Without a voice, the profile gets the model's first one.
func (v *validator) completePreset(p *backend.Profile, languageGiven bool) error {
	if p.ModelName == "" && p.PresetEngine == "" {
		return backend.Invalid("missing", "A preset profile needs model_name, or preset_engine and preset_voice_id",
			"body", "model_name")
	}
	m, err := v.modelOf(p)
	switch {
	case backend.CodeOf(err) == backend.CodeNotFound:
		return errNoVoice(err)
	case err != nil && p.ModelName == "" && p.PresetVoiceID != "":
		return nil // the model may be installed later; until then speaking returns the error
	case err != nil:
		return err
	}
	if p.PresetEngine != "" && p.PresetEngine != m.Engine {
		return backend.E(backend.CodeEngineMismatch, fmt.Sprintf("The model %s does not belong to the engine %s.", m.Name, p.PresetEngine),
			"Set the engine of the model, or leave it out.")
	}
	voice, err := m.Find(voiceID(p.PresetVoiceID))
	switch {
	case backend.CodeOf(err) == backend.CodeEngineMismatch:
		return err
	case err != nil:
		return errNoVoice(err)
	}
	p.ModelName, p.PresetEngine = m.Name, m.Engine
	p.Usable, p.Reason = voice.Reason == "", voice.Reason
	if p.PresetVoiceID == "" {
		p.PresetVoiceID = voice.ID
	}
	if !languageGiven {
		p.Language = voice.Language
	}
	return nil
}
