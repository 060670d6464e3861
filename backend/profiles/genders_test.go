package profiles_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/profiles"
)

// TestGenders come from the list of models, whatever the profile or its name.
func TestGenders(t *testing.T) {
	l := newFixture(t)
	preset := func(engine, model, voice string) backend.Profile {
		return backend.Profile{
			Name: "Mary", VoiceType: backend.VoicePreset, PresetEngine: engine, ModelName: model, PresetVoiceID: voice, Gender: backend.Female,
		}
	}
	cases := []struct {
		name    string
		profile backend.Profile
		want    backend.Gender
	}{
		{"a voice of a model", preset("choir", "choir", "ann"), backend.Female},
		{"another of it", preset("choir", "choir", "bob"), backend.Male},
		{"with the key of its model", preset("choir", "choir", "choir#bob"), backend.Male},
		{"without a model", preset("choir", "", "bob"), backend.Male},
		{"another without a model", preset("choir", "", "ann"), backend.Female},
		{"neither", preset("choir", "choir", "cam"), ""},
		{"not known", preset("robotic", "one", "a"), ""},
		{"mostly one", preset("choir", "choir", "ann:0.4+bob:0.6"), backend.Male},
		{"half and half", preset("choir", "choir", "ann+bob"), ""},
		{"a wrong mixture", preset("choir", "choir", "ann:2+bob"), ""},
		{"a voice that is gone", preset("choir", "choir", "zoe"), ""},
		{"a model that is gone", preset("choir", "gone", "ann"), ""},
		{"no preset", backend.Profile{Name: "Mary", VoiceType: backend.VoiceDefault, Gender: backend.Female}, ""},
	}
	var all []backend.Profile
	for _, c := range cases {
		all = append(all, c.profile)
	}
	l.service.Describe(all)
	for i, c := range cases {
		require.Equal(t, c.want, all[i].Gender, c.name)
	}
}

// TestMixtures are checked when a profile is created.
func TestMixtures(t *testing.T) {
	l := newFixture(t)
	type patch = backend.ProfilePatch
	for _, given := range []patch{{ModelName: new("choir")}, {PresetEngine: new("choir")}} {
		for id, says := range map[string]string{
			"ann:2+bob": "some of its voices have a part and some have none. Write a mixture as",
			"ann+":      "one of its voices has no name. Write a mixture as",
		} {
			given.PresetVoiceID = &id
			_, err := l.service.Create(t.Context(), profiles.Draft{Name: "Duo", ProfilePatch: given})
			requireInvalid(t, "enum", "preset_voice_id", err)
			require.ErrorContains(t, err, says)
		}
	}
	_, err := l.service.Create(t.Context(), profiles.Draft{Name: "Duo", ProfilePatch: patch{ModelName: new("choir"), PresetVoiceID: new("ann+zoe")}})
	requireInvalid(t, "enum", "preset_voice_id", err)
	require.ErrorContains(t, err, `has no voice "zoe". Choose one of its voices: ann, bob, cam.`)
	p := l.create(t, profiles.Draft{Name: "Duo", ProfilePatch: patch{ModelName: new("choir"), PresetVoiceID: new("ann:3+bob:2")}})
	require.Equal(t, "ann:3+bob:2", p.PresetVoiceID)
	_, err = l.service.Update(t.Context(), p.ID, patch{PresetVoiceID: new("ann:x+bob:2")})
	requireInvalid(t, "enum", "preset_voice_id", err)
}
