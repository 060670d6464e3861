package speech

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// The limits of a request (docs/contract/decisions.md, section 2).
const (
	MaxTextChars         = 200_000
	DefaultMaxChunkChars = 400
)

// Request is a request for a generation.
type Request struct {
	ProfileID string
	Text      string
	ParentID  *string // the generation that this one regenerates
	Pauses    backend.PauseOptions
	remade    bool     // all options are those of an earlier generation
	former    []string // the parts of the text before it was changed, of a hosted generation
	backend.GenerateOptions
}

// voice is a resolved voice: which model, which of its voices, in which language.
type voice struct{ model, engine, id, language string }

// prepare checks a request and returns its job with the row to store.
func (s *Service) prepare(ctx context.Context, r Request, profile backend.Profile) (*job, error) {
	if tag, ok := backend.CanonicalLanguage(r.Language); ok {
		r.Language = tag
	}
	spoken := strings.TrimSpace(r.Text)
	if err := checkText(spoken); err != nil {
		return nil, err
	}
	if id, model, ok := hostedVoice(r, profile); ok {
		return s.prepareHosted(ctx, r, profile, id, model)
	}
	maxChars := orPointer(r.MaxChunkChars, DefaultMaxChunkChars)
	if r.GenerateOptions.Pauses == nil && !r.remade {
		r.GenerateOptions.Pauses = new(r.Pauses.Over(s.o.Pauses()))
	}
	if r.Verify == nil && !r.remade && s.o.Verify().Always {
		r.Verify = new(true)
	}
	plan := text.FlatPlan(spoken, maxChars)
	if r.GenerateOptions.Pauses != nil {
		plan = text.Plan(spoken, maxChars)
	}
	if err := checkPlan(plan); err != nil {
		return nil, err
	}
	v, err := s.resolve(r, profile)
	if err != nil {
		return nil, err
	}
	if err := s.checkClone(ctx, v); err != nil {
		return nil, err
	}
	format := or(r.Format, "wav")
	if err := s.o.Encoder.Ready(ctx, format); err != nil {
		return nil, err
	}
	seed := orPointer(r.Seed, -1)
	if seed < 0 {
		seed = s.o.NewSeed()
	}
	speed := profile.Speed
	if speed == 0 {
		speed = 1
	}
	normalize := orPointer(r.Normalize, true)
	return &job{
		voice:     v,
		plan:      plan,
		normalize: normalize,
		limit:     normalize && orPointer(r.Limit, true),
		crossfade: time.Duration(orPointer(r.CrossfadeMS, 0)) * time.Millisecond,
		maxChars:  maxChars,
		pauses:    r.GenerateOptions.Pauses,
		done:      make(chan struct{}),
		started:   make(chan struct{}),
		audible:   make(chan struct{}),
		g: backend.Generation{
			ID: s.o.NewID(), ProfileID: profile.ID, ProfileName: profile.Name, Text: spoken, Language: v.language,
			Seed: seed, CreatedAt: s.o.Now().UTC().Truncate(time.Millisecond), Status: backend.StatusQueued,
			Format: format, ModelName: v.model, Engine: v.engine, Voice: v.id, Speed: orPointer(r.Speed, speed),
			Source: backend.SourceLocal, Title: strings.TrimSpace(r.Title), ParentID: r.ParentID,
			Chunks: []backend.Chunk{}, Request: r.GenerateOptions,
		},
	}, nil
}

var errNothing = backend.E(backend.CodeNothingToSpeak, "The text has no letter or digit that could be spoken.",
	"Write some words.")

func checkText(spoken string) error {
	switch n := utf8.RuneCountInString(spoken); {
	case n == 0:
		return backend.Invalid("string_too_short", "String should have at least 1 character", "body", "text")
	case n > MaxTextChars:
		return backend.Invalid("string_too_long", "String should have at most 200000 characters", "body", "text")
	default:
		return nil
	}
}

// maxPauses is the longest sum of all pauses of a text; more is a mistake that would fill the disk.
const maxPauses = time.Hour

var errPauses = backend.Invalid("value_error", "The pauses add up to more than one hour", "body", "text")

func checkPlan(plan []text.Piece) error {
	var pauses time.Duration
	for _, p := range plan {
		pauses += p.Pause
	}
	switch {
	case !slices.ContainsFunc(plan, func(p text.Piece) bool { return p.Text != "" }):
		return errNothing
	case pauses > maxPauses:
		return errPauses
	default:
		return nil
	}
}

// resolve finds the voice: the request's own, else the profile's, else the default one.
func (s *Service) resolve(r Request, p backend.Profile) (voice, error) {
	if r.Voice != "" {
		model, id, ok := strings.Cut(r.Voice, ":")
		if !ok {
			return voice{}, backend.Invalid("value_error", "Input should be "+backend.VoiceForm, "body", "voice")
		}
		if profileID, cloned := strings.CutPrefix(id, backend.ClonePrefix); cloned {
			return s.pickClone(model, profileID, r.Language)
		}
		return s.pick(model, id, r.Language)
	}
	switch p.VoiceType {
	case backend.VoiceCloned:
		return s.resolveCloned(r, p)
	case backend.VoicePreset:
		return s.resolvePreset(r, p)
	default:
		return s.resolveDefault(r, p)
	}
}

func (s *Service) resolvePreset(r Request, p backend.Profile) (voice, error) {
	var model engines.Model
	var err error
	if name := or(r.ModelName, p.ModelName); name != "" {
		model, err = s.o.Models.Model(name)
	} else {
		model, err = s.o.Models.ModelOf(p.PresetEngine, p.PresetVoiceID)
	}
	if err != nil {
		return voice{}, err
	}
	if p.PresetEngine != "" && p.PresetEngine != model.Engine {
		return voice{}, backend.E(backend.CodeEngineMismatch,
			fmt.Sprintf("%q is a voice of %s and cannot be spoken by %s.", p.Name, p.PresetEngine, model.Engine),
			"Leave the model out, or choose a profile of that engine.")
	}
	id := p.PresetVoiceID
	if _, speaker, ok := strings.Cut(id, "#"); ok {
		id = speaker
	}
	return s.voiceOf(model, id, r.Language)
}

// resolveDefault returns the voice of the setting if the user has set it, else the built-in voice of the profile's language.
func (s *Service) resolveDefault(r Request, p backend.Profile) (voice, error) {
	asked := or(r.ModelName, p.ModelName)
	if asked != "" && asked != s.o.BuiltIn {
		return s.pick(asked, "", r.Language)
	}
	chosen, set := s.o.DefaultVoice()
	if set && asked == "" {
		return s.pickChosen(chosen, r.Language)
	}
	return s.pick(s.o.BuiltIn, "", or(r.Language, p.Language))
}

// pickChosen resolves the voice of the setting, which the caller of this request did not name.
func (s *Service) pickChosen(chosen, language string) (voice, error) {
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

func (s *Service) pick(name, id, language string) (voice, error) {
	model, err := s.o.Models.Model(name)
	if err != nil {
		return voice{}, err
	}
	return s.voiceOf(model, id, language)
}

// voiceOf checks that the model has the voice and that it speaks the language. An empty id means the model's first voice,
// for the built-in engine the language's own.
func (s *Service) voiceOf(model engines.Model, id, language string) (voice, error) {
	builtIn := model.Name == s.o.BuiltIn
	own := ""
	if builtIn && language != "" {
		var ok bool
		if own, ok = s.o.BuiltInVoice(language); !ok {
			return voice{}, languageError(model.DisplayName, language)
		}
		if id == "" {
			return voice{model.Name, model.Engine, own, language}, nil
		}
	}
	v, err := model.Find(id)
	if builtIn && err != nil && backend.KnownLanguage(backend.LanguageKey(id)) { // a language in the place of a voice, such as fr
		if alias, known := s.o.BuiltInVoice(id); known {
			v, err = model.Find(alias)
		}
	}
	same := func(tag string) bool { return engines.SameLanguage(language, tag) }
	switch {
	case builtIn && len(model.Voices) == 0:
		// The list is empty when espeak-ng is missing; speaking then says so.
		return voice{model.Name, model.Engine, id, language}, nil
	case backend.CodeOf(err) == backend.CodeEngineMismatch:
		return voice{}, err
	case err != nil:
		e := backend.AsError(err)
		return voice{}, backend.Invalid("enum", e.Detail+" "+e.Remedy, "body", "voice")
	case v.Reason != "":
		return voice{}, backend.E(backend.CodeLanguageNotSupported, fmt.Sprintf("%s is not supported on this machine: %s", v.Name, v.Reason),
			"Choose another voice.").With("voice", v.ID)
	case language == "" || same(v.Language):
	case builtIn && id == own:
	case builtIn || !slices.ContainsFunc(model.Languages, same): // each built-in voice has one language
		return voice{}, languageError(v.Name, language)
	}
	return voice{model.Name, model.Engine, v.ID, or(language, v.Language)}, nil
}

func languageError(who, language string) error {
	return backend.E(backend.CodeLanguageNotSupported, fmt.Sprintf("%s does not speak %q.", who, language),
		"Choose a voice of that language, or leave the language out.").With("language", language)
}

func or[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

func orPointer[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}
