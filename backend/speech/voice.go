package speech

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Voice is a resolved voice: which model, which of its voices, in which language.
type Voice struct{ Model, Engine, ID, Language string }

// Resolve finds the voice: the request's own, else the profile's, else the default one.
func (s *Synthesizer) Resolve(o backend.GenerateOptions, p backend.Profile) (Voice, error) {
	if o.Voice != "" {
		model, id, ok := strings.Cut(o.Voice, ":")
		if !ok {
			return Voice{}, backend.Invalid("value_error", "Input should be "+backend.VoiceForm, "body", "voice")
		}
		if profileID, cloned := strings.CutPrefix(id, backend.ClonePrefix); cloned {
			return s.pickClone(model, profileID, o.Language)
		}
		return s.pick(model, id, o.Language)
	}
	switch p.VoiceType {
	case backend.VoiceCloned:
		return s.resolveCloned(o, p)
	case backend.VoicePreset:
		return s.resolvePreset(o, p)
	default:
		return s.resolveDefault(o, p)
	}
}

func (s *Synthesizer) resolvePreset(o backend.GenerateOptions, p backend.Profile) (Voice, error) {
	var model engines.Model
	var err error
	if name := cmp.Or(o.ModelName, p.ModelName); name != "" {
		model, err = s.o.Models.Model(name)
	} else {
		model, err = s.o.Models.ModelOf(p.PresetEngine, p.PresetVoiceID)
	}
	if err != nil {
		return Voice{}, err
	}
	if p.PresetEngine != "" && p.PresetEngine != model.Engine {
		return Voice{}, backend.E(backend.CodeEngineMismatch,
			fmt.Sprintf("%q is a voice of %s and cannot be spoken by %s.", p.Name, p.PresetEngine, model.Engine),
			"Leave the model out, or choose a profile of that engine.")
	}
	id := p.PresetVoiceID
	if _, speaker, ok := strings.Cut(id, "#"); ok {
		id = speaker
	}
	return s.voiceOf(model, id, o.Language)
}

// resolveDefault returns the voice of the setting if the user has set it, else the built-in voice of the profile's language.
func (s *Synthesizer) resolveDefault(o backend.GenerateOptions, p backend.Profile) (Voice, error) {
	wanted := cmp.Or(o.ModelName, p.ModelName)
	if wanted != "" && wanted != s.o.BuiltIn {
		return s.pick(wanted, "", o.Language)
	}
	chosen, set := s.o.DefaultVoice()
	if set && wanted == "" {
		return s.pickChosen(chosen, o.Language)
	}
	return s.pick(s.o.BuiltIn, "", cmp.Or(o.Language, p.Language))
}

// pickChosen resolves the voice of the setting, which the caller of this request did not name.
func (s *Synthesizer) pickChosen(chosen, language string) (Voice, error) {
	model, id, _ := strings.Cut(chosen, ":")
	v, err := s.pick(model, id, language)
	var invalid *backend.ValidationError
	detail := fmt.Sprintf("The default voice %s is not on this machine.", chosen)
	switch {
	case errors.As(err, &invalid):
		detail += " " + invalid.Fields[0].Msg
	case backend.CodeOf(err) != backend.CodeModelUnknown:
		return v, err
	}
	return v, backend.E(backend.CodeModelUnknown, detail, "Choose another one in the setting speech.default_voice.").
		With("voice", chosen).WithCause(err)
}

func (s *Synthesizer) pick(name, id, language string) (Voice, error) {
	model, err := s.o.Models.Model(name)
	if err != nil {
		return Voice{}, err
	}
	return s.voiceOf(model, id, language)
}

// voiceOf checks that the model has the voice and that it speaks the language. An empty id means the model's first voice,
// for the built-in engine the language's own.
func (s *Synthesizer) voiceOf(model engines.Model, id, language string) (Voice, error) {
	if model.Name == s.o.BuiltIn {
		return s.builtInVoice(model, id, language)
	}
	v, err := model.Find(id)
	if err := checkFound(v, err); err != nil {
		return Voice{}, err
	}
	same := func(tag string) bool { return engines.SameLanguage(language, tag) }
	if language != "" && !same(v.Language) && !slices.ContainsFunc(model.Languages, same) {
		return Voice{}, languageError(v.Name, language)
	}
	return Voice{model.Name, model.Engine, v.ID, cmp.Or(language, v.Language)}, nil
}

// builtInVoice is voiceOf for the built-in engine, each of whose voices has one language.
func (s *Synthesizer) builtInVoice(model engines.Model, id, language string) (Voice, error) {
	own := ""
	if language != "" {
		var ok bool
		if own, ok = s.o.BuiltInVoice(language); !ok {
			return Voice{}, languageError(model.DisplayName, language)
		}
	}
	if id == "" && own != "" {
		return Voice{model.Name, model.Engine, own, language}, nil
	}
	if len(model.Voices) == 0 {
		// The list is empty when espeak-ng is missing; speaking then says so.
		return Voice{model.Name, model.Engine, id, language}, nil
	}
	v, err := model.Find(id)
	if err != nil && backend.KnownLanguage(backend.LanguageKey(id)) { // a language in the place of a voice, such as fr
		if alias, known := s.o.BuiltInVoice(id); known {
			v, err = model.Find(alias)
		}
	}
	if err := checkFound(v, err); err != nil {
		return Voice{}, err
	}
	if language != "" && id != own && !engines.SameLanguage(language, v.Language) {
		return Voice{}, languageError(v.Name, language)
	}
	return Voice{model.Name, model.Engine, v.ID, cmp.Or(language, v.Language)}, nil
}

// checkFound returns why a voice that was looked for cannot be used; err is that of the search.
func checkFound(v engines.Voice, err error) error {
	switch {
	case backend.CodeOf(err) == backend.CodeEngineMismatch:
		return err
	case err != nil:
		e := backend.AsError(err)
		return backend.Invalid("enum", e.Detail+" "+e.Remedy, "body", "voice")
	case v.Reason != "":
		return backend.E(backend.CodeLanguageNotSupported, fmt.Sprintf("%s is not supported on this machine: %s", v.Name, v.Reason),
			"Choose another voice.").With("voice", v.ID)
	default:
		return nil
	}
}

func languageError(who, language string) error {
	return backend.E(backend.CodeLanguageNotSupported, fmt.Sprintf("%s does not speak %q.", who, language),
		"Choose a voice of that language, or leave the language out.").With("language", language)
}
