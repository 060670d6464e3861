package profiles_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/profiles"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/sqlite/sqlitetest"
	"github.com/voicewright/voicewright/engines"
)

// fakeModels has two models of one engine, one of another, one with mixtures, and three that clone.
type fakeModels struct {
	installed string           // of the models that clone
	forgotten func(key string) // nil: nobody listens
}

func (fakeModels) all() []engines.Model {
	voice := func(id, language string) engines.Voice { return engines.Voice{ID: id, Name: id, Language: language} }
	return []engines.Model{
		{Name: "one", Engine: "robotic", Voices: []engines.Voice{voice("a", "en-GB"), voice("b", "fr")}},
		{Name: "two", Engine: "robotic", Voices: []engines.Voice{voice("c", "de")}},
		{Name: "other", Engine: "other", Voices: []engines.Voice{voice("z", "it")}},
		{Name: "choir", Engine: "choir", Abilities: engines.Abilities{Mixes: true}, Voices: []engines.Voice{
			{ID: "ann", Name: "Ann", Language: "en", Gender: "female"},
			{ID: "bob", Name: "Bob", Language: "en", Gender: "male"},
			{ID: "cam", Name: "Cam", Language: "en", Gender: "neutral"},
		}},
		{Name: "parrot", DisplayName: "Parrot", Engine: "parrot", Languages: []string{"en"}, Clones: &engines.CloneRules{Over: 5, Longest: 10}},
		{Name: "mynah", DisplayName: "Mynah", Engine: "mynah", Languages: []string{"en", "de"}, Clones: &engines.CloneRules{Longest: 30}},
		{Name: "lyrebird", DisplayName: "Lyrebird", Engine: "lyrebird", Languages: []string{"de"}, Clones: &engines.CloneRules{Longest: 20}, Voices: []engines.Voice{voice("l", "de")}},
	}
}

func (s fakeModels) Status(context.Context) (out []backend.ModelStatus) {
	for _, m := range s.all() {
		out = append(out, backend.ModelStatus{
			ModelName: m.Name, DisplayName: m.DisplayName, Family: "speech", Languages: m.Languages, Supported: true,
			Cloning: m.Clones != nil, Downloaded: m.Name == s.installed, SizeMB: 100, Fits: backend.FitsYes,
		})
	}
	return out
}

func (s fakeModels) Forget(key string) {
	if s.forgotten != nil {
		s.forgotten(key)
	}
}

func (s fakeModels) Model(name string) (engines.Model, error) {
	for _, m := range s.all() {
		if m.Name == name {
			return m, nil
		}
	}
	return engines.Model{}, backend.E(backend.CodeModelUnknown, "There is no model "+name+".", "Import it.")
}

// ModelOf accepts voices as "<model>#<voice>".
func (s fakeModels) ModelOf(engine, voiceID string) (engines.Model, error) {
	key, voice, keyed := strings.Cut(voiceID, "#")
	if !keyed {
		voice = voiceID
	}
	for _, m := range s.all() {
		if _, ok := m.Voice(voice); ok && m.Engine == engine && (!keyed || m.Name == key) {
			return m, nil
		}
		if _, err := engines.ParseMix(voice); err != nil && m.Mixes && m.Engine == engine {
			return engines.Model{}, err
		}
	}
	return s.Model("")
}

type fixture struct {
	dir       string   // of the samples
	installed string   // of the models that clone
	forgotten []string // keys of references
	listen    func(context.Context, audio.Buffer, string) (string, error)
	hosted    bool
	db        *sqlite.DB
	service   *profiles.Service
	changes   int
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	l := &fixture{}
	var err error
	l.db, err = sqlite.Open(t.Context(), sqlite.Options{Path: sqlitetest.Migrated(t, filepath.Join(t.TempDir(), "voicewright.db"))})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.db.Close()) })
	l.dir = filepath.Join(t.TempDir(), "voices")
	l.service = profiles.New(l.options())
	return l
}

func (l *fixture) options() profiles.Options {
	return profiles.Options{
		Dir: l.dir, Store: l.db, Codecs: audio.FindCodecs(), Detector: everything{}, Listen: l.listen,
		Models: fakeModels{l.installed, func(key string) { l.forgotten = append(l.forgotten, key) }},
		User:   func() string { return "Ada" }, Hosted: func() bool { return l.hosted }, Changed: func() { l.changes++ },
		Now: time.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Log: slog.New(slog.DiscardHandler),
	}
}

// everything is a detector for which all audio is speech.
type everything struct{}

func (everything) Speech(_ context.Context, samples []float32) ([]engines.Span, error) {
	return []engines.Span{{End: len(samples)}}, nil
}

func (l *fixture) create(t *testing.T, d profiles.Draft) backend.Profile {
	t.Helper()
	p, err := l.service.Create(t.Context(), d)
	require.NoError(t, err)
	return p
}

func requireCode(t *testing.T, want backend.Code, err error) {
	t.Helper()
	var e *backend.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, want, e.Code, "%v", err)
}

func requireInvalid(t *testing.T, typ, field string, err error) {
	t.Helper()
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid, "%v", err)
	require.Equal(t, typ, invalid.Fields[0].Type)
	require.Equal(t, []string{"body", field}, invalid.Fields[0].Loc)
}

func TestCreateWithOnlyAName(t *testing.T) {
	l := newFixture(t)
	p := l.create(t, profiles.Draft{Name: "  Anna \n"})
	require.Equal(t, "Anna", p.Name)
	require.Equal(t, "en", p.Language)
	require.Equal(t, backend.VoiceDefault, p.VoiceType)
	require.InDelta(t, 1, p.Speed, 0)
	require.Empty(t, p.Description)
	require.True(t, p.Usable)
	require.NotEmpty(t, p.ID)
	stored, err := l.db.Profile(t.Context(), p.ID)
	require.NoError(t, err)
	require.Equal(t, stored, p)
	require.Equal(t, 1, l.changes)

	_, err = l.service.Create(t.Context(), profiles.Draft{Name: "ANNA"})
	requireCode(t, backend.CodeNameTaken, err)
	require.Equal(t, 1, l.changes)
	require.NotPanics(t, func() { // nobody listens
		_, err := profiles.New(profiles.Options{Store: l.db, Models: fakeModels{}}).Create(t.Context(), profiles.Draft{Name: "Other"})
		require.NoError(t, err)
	})
}

func TestCreate(t *testing.T) {
	type patch = backend.ProfilePatch
	hundred := strings.Repeat("ä", 100)
	for name, c := range map[string]struct {
		name    string
		patch   patch
		want    backend.Profile // its voice, where it is made
		invalid [2]string       // type and field
		code    backend.Code
	}{
		"longest name":         {name: " " + hundred + " ", want: backend.Profile{VoiceType: backend.VoiceDefault, Language: "en"}},
		"no name":              {name: " \t ", invalid: [2]string{"string_too_short", "name"}},
		"too long":             {name: hundred + "x", invalid: [2]string{"string_too_long", "name"}},
		"NUL":                  {name: "a\x00b", invalid: [2]string{"string_unicode", "name"}},
		"no text":              {name: "a\xff", invalid: [2]string{"string_unicode", "name"}},
		"NUL in description":   {name: "a", patch: patch{Description: new("\x00")}, invalid: [2]string{"string_unicode", "description"}},
		"long description":     {name: "a", patch: patch{Description: new(strings.Repeat("x", 2001))}, invalid: [2]string{"string_too_long", "description"}},
		"no language":          {name: "a", patch: patch{Language: new("")}, invalid: [2]string{"value_error", "language"}},
		"bad language":         {name: "a", patch: patch{Language: new("e n")}, invalid: [2]string{"value_error", "language"}},
		"language with region": {name: "a", patch: patch{Language: new("pt-BR")}, want: backend.Profile{VoiceType: backend.VoiceDefault, Language: "pt-BR"}},
		"too slow":             {name: "a", patch: patch{Speed: new(0.2)}, invalid: [2]string{"greater_than_equal", "speed"}},
		"too fast":             {name: "a", patch: patch{Speed: new(4.1)}, invalid: [2]string{"less_than_equal", "speed"}},
		"bad type":             {name: "a", patch: patch{VoiceType: new(backend.VoiceType("x"))}, invalid: [2]string{"enum", "voice_type"}},
		"cloned":               {name: "a", patch: patch{VoiceType: new(backend.VoiceCloned)}, want: backend.Profile{VoiceType: backend.VoiceCloned, Language: "en"}},
		"preset by model alone": {name: "a", patch: patch{ModelName: new("one")}, want: backend.Profile{
			VoiceType: backend.VoicePreset, Language: "en-GB", ModelName: "one", PresetEngine: "robotic", PresetVoiceID: "a",
		}},
		"preset by model and voice": {name: "a", patch: patch{ModelName: new("one"), PresetVoiceID: new("b")}, want: backend.Profile{
			VoiceType: backend.VoicePreset, Language: "fr", ModelName: "one", PresetEngine: "robotic", PresetVoiceID: "b",
		}},
		"preset with a language of its own": {
			name: "a", patch: patch{ModelName: new("one"), Language: new("en-AU")},
			want: backend.Profile{
				VoiceType: backend.VoicePreset, Language: "en-AU", ModelName: "one", PresetEngine: "robotic", PresetVoiceID: "a",
			},
		},
		"preset by engine and voice": {name: "a", patch: patch{PresetEngine: new("robotic"), PresetVoiceID: new("two#c")}, want: backend.Profile{
			VoiceType: backend.VoicePreset, Language: "de", ModelName: "two", PresetEngine: "robotic", PresetVoiceID: "two#c",
		}},
		"preset of a model that may come": {name: "a", patch: patch{PresetEngine: new("robotic"), PresetVoiceID: new("three#0")}, want: backend.Profile{
			VoiceType: backend.VoicePreset, Language: "en", PresetEngine: "robotic", PresetVoiceID: "three#0",
		}},
		"preset of nothing":       {name: "a", patch: patch{VoiceType: new(backend.VoicePreset)}, invalid: [2]string{"missing", "model_name"}},
		"preset of unknown model": {name: "a", patch: patch{ModelName: new("x")}, code: backend.CodeModelUnknown},
		"preset of unknown voice": {name: "a", patch: patch{ModelName: new("one"), PresetVoiceID: new("x")}, invalid: [2]string{"enum", "preset_voice_id"}},
		"preset of wrong engine":  {name: "a", patch: patch{ModelName: new("one"), PresetEngine: new("other")}, code: backend.CodeEngineMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			l := newFixture(t)
			p, err := l.service.Create(t.Context(), profiles.Draft{Name: c.name, ProfilePatch: c.patch})
			switch {
			case c.code != "":
				requireCode(t, c.code, err)
			case c.invalid[0] != "":
				requireInvalid(t, c.invalid[0], c.invalid[1], err)
			default:
				require.NoError(t, err)
				require.Equal(t, c.want, voiceOf(p))
				return
			}
			list, err := l.db.Profiles(t.Context(), backend.ProfileFilter{})
			require.NoError(t, err)
			require.Zero(t, list.Total)
			require.Zero(t, l.changes)
		})
	}
}

// voiceOf returns only the fields that determine the voice.
func voiceOf(p backend.Profile) backend.Profile {
	return backend.Profile{
		VoiceType: p.VoiceType, Language: p.Language, ModelName: p.ModelName, PresetEngine: p.PresetEngine, PresetVoiceID: p.PresetVoiceID,
	}
}

func TestUpdateChangesTheGivenFieldsOnly(t *testing.T) {
	l := newFixture(t)
	p := l.create(t, profiles.Draft{Name: "Anna", ProfilePatch: backend.ProfilePatch{
		Description: new("Warm."), Language: new("de"), Speed: new(1.5), Favorite: new(true),
	}})
	changed, err := l.service.Update(t.Context(), p.ID, backend.ProfilePatch{Name: new("  Berta ")})
	require.NoError(t, err)
	want := p
	want.Name, want.UpdatedAt = "Berta", changed.UpdatedAt
	require.Equal(t, want, changed)
	require.Equal(t, 2, l.changes)

	for field, patch := range map[string]backend.ProfilePatch{
		"name": {Name: new(" ")}, "speed": {Speed: new(9.0)}, "language": {Language: new("?")},
	} {
		_, err = l.service.Update(t.Context(), p.ID, patch)
		var invalid *backend.ValidationError
		require.ErrorAs(t, err, &invalid, field)
	}
	_, err = l.service.Update(t.Context(), "nobody", backend.ProfilePatch{})
	requireCode(t, backend.CodeProfileNotFound, err)
	l.create(t, profiles.Draft{Name: "Cleo"})
	_, err = l.service.Update(t.Context(), p.ID, backend.ProfilePatch{Name: new("CLEO")})
	requireCode(t, backend.CodeNameTaken, err)
	stored, err := l.db.Profile(t.Context(), p.ID)
	require.NoError(t, err)
	require.Equal(t, changed, stored)
}

func TestUpdateOfTheVoice(t *testing.T) {
	type patch = backend.ProfilePatch
	preset := func(model, engine, voice string) backend.Profile {
		return backend.Profile{VoiceType: backend.VoicePreset, Language: "en-GB", ModelName: model, PresetEngine: engine, PresetVoiceID: voice}
	}
	for name, c := range map[string]struct {
		patch patch
		want  backend.Profile
		code  backend.Code
	}{
		"another model":             {patch: patch{ModelName: new("two")}, want: preset("two", "robotic", "c")},
		"a model of another engine": {patch: patch{ModelName: new("other")}, want: preset("other", "other", "z")},
		"the same model":            {patch: patch{ModelName: new("one")}, want: preset("one", "robotic", "one#a")},
		"another voice of it":       {patch: patch{PresetVoiceID: new("b")}, want: preset("one", "robotic", "b")},
		"a voice of another model":  {patch: patch{PresetVoiceID: new("two#c")}, want: preset("two", "robotic", "two#c")},
		"another engine":            {patch: patch{PresetEngine: new("other"), PresetVoiceID: new("z")}, want: preset("other", "other", "z")},
		"model and engine at odds":  {patch: patch{ModelName: new("two"), PresetEngine: new("other")}, code: backend.CodeEngineMismatch},
		"something else":            {patch: patch{Favorite: new(true)}, want: preset("one", "robotic", "one#a")},
	} {
		t.Run(name, func(t *testing.T) {
			l := newFixture(t)
			p := l.create(t, profiles.Draft{Name: "Anna", ProfilePatch: patch{PresetEngine: new("robotic"), PresetVoiceID: new("one#a")}})
			p, err := l.service.Update(t.Context(), p.ID, c.patch)
			if c.code != "" {
				requireCode(t, c.code, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, voiceOf(p))
		})
	}
	l := newFixture(t)
	p := l.create(t, profiles.Draft{Name: "Anna"})
	p, err := l.service.Update(t.Context(), p.ID, patch{VoiceType: new(backend.VoicePreset), ModelName: new("two")})
	require.NoError(t, err)
	require.Equal(t, "robotic", p.PresetEngine)
	require.Equal(t, "c", p.PresetVoiceID)
	p, err = l.service.Update(t.Context(), p.ID, patch{VoiceType: new(backend.VoiceDefault)})
	require.NoError(t, err)
	require.Equal(t, backend.VoiceDefault, p.VoiceType)
}

func TestDuplicate(t *testing.T) {
	l := newFixture(t)
	p := l.create(t, profiles.Draft{Name: "Anna", ProfilePatch: backend.ProfilePatch{ModelName: new("two"), Description: new("Warm.")}})
	for _, want := range []string{"Anna copy", "Anna copy 2", "Anna copy 3"} {
		c, err := l.service.Duplicate(t.Context(), p.ID)
		require.NoError(t, err)
		require.Equal(t, want, c.Name)
		require.NotEqual(t, p.ID, c.ID)
		require.Equal(t, voiceOf(p), voiceOf(c))
		require.Equal(t, p.Description, c.Description)
	}
	long := l.create(t, profiles.Draft{Name: strings.Repeat("x", 100)})
	for range 11 {
		c, err := l.service.Duplicate(t.Context(), long.ID)
		require.NoError(t, err)
		require.LessOrEqual(t, len(c.Name), 100)
	}
	_, err := l.service.Duplicate(t.Context(), "nobody")
	requireCode(t, backend.CodeProfileNotFound, err)
}

func TestDelete(t *testing.T) {
	l := newFixture(t)
	p := l.create(t, profiles.Draft{Name: "Anna"})
	require.NoError(t, l.service.Delete(t.Context(), p.ID))
	require.Equal(t, 2, l.changes)
	requireCode(t, backend.CodeProfileNotFound, l.service.Delete(t.Context(), p.ID))
	require.Equal(t, 2, l.changes)
}
