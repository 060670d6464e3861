package models_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// kokoro adds the registry's entry with its 54 voices, for the fake engine.
func (l *fixture) kokoro() {
	all, err := registry.Load()
	require.NoError(l.t, err)
	for _, name := range []string{"kokoro", "kokoro-q8"} {
		e := l.known(name, "af_heart")
		for _, real := range all {
			if real.Name == name {
				e.DisplayName, e.Key, e.Engine, e.Voices, e.Languages = real.DisplayName, real.Key, real.Engine, real.Voices, real.Languages
			}
		}
	}
}

func TestKokorosProfiles(t *testing.T) {
	t.Parallel()
	var took time.Duration
	l := newFixture(t, func(l *fixture) {
		l.kokoro()
		l.options.Presets = timed{l.options.Presets, &took}
	})
	l.download("kokoro")
	t.Logf("54 profiles in one step: %.1f ms", float64(took.Microseconds())/1000)
	require.Len(t, l.profiles(), 54)
	p, err := l.db.ProfileByPreset(t.Context(), "kokoro", "af_heart")
	require.NoError(t, err)
	require.Equal(t, "kokoro", p.ModelName)
	require.True(t, p.Usable)
	p, err = l.db.ProfileByPreset(t.Context(), "kokoro", "jf_alpha")
	require.NoError(t, err)
	require.False(t, p.Usable)
	require.NotEmpty(t, p.Reason)
	list, err := l.db.Profiles(t.Context(), backend.ProfileFilter{Page: backend.Page{Limit: 500}})
	require.NoError(t, err)
	require.Less(t, list.Total, 54, "Japanese and Chinese ones stay out of the list")
	for _, p := range list.Items {
		require.True(t, p.Usable)
	}

	require.NoError(t, l.db.DeleteProfile(t.Context(), list.Items[0].ID))
	l.download("kokoro-q8")
	require.Len(t, l.profiles(), 53, "the same voices in another variant; deleted profiles stay deleted")
	_, err = l.manager.Delete(t.Context(), "kokoro", false)
	require.NoError(t, err)
	require.Len(t, l.profiles(), 53, "deleting the model keeps the profiles")
	l.download("kokoro")
	require.Len(t, l.profiles(), 53)
	made, err := l.manager.RestorePresets(t.Context())
	require.NoError(t, err)
	require.Len(t, made, 1)
	m, err := l.manager.ModelOf("kokoro", "af_heart")
	require.NoError(t, err)
	require.Equal(t, "kokoro", m.Name)
}

func TestModelOfPrefersWhatIsHere(t *testing.T) {
	t.Parallel()
	l := newFixture(t, (*fixture).kokoro)
	m, err := l.manager.ModelOf("kokoro", "af_heart")
	require.NoError(t, err)
	require.Equal(t, "kokoro", m.Name)
	l.download("kokoro-q8")
	m, err = l.manager.ModelOf("kokoro", "af_heart")
	require.NoError(t, err)
	require.Equal(t, "kokoro-q8", m.Name)
}

func TestProfilesThatAreNotRestored(t *testing.T) {
	t.Parallel()
	l := newFixture(t, (*fixture).kokoro)
	made, err := l.manager.RestorePresets(t.Context())
	require.NoError(t, err)
	require.Empty(t, made, "none for models that are not downloaded")
}

// timed measures how long the store takes.
type timed struct {
	models.Presets
	took *time.Duration
}

func (p timed) AddPresets(ctx context.Context, presets []backend.Preset) ([]backend.Profile, error) {
	start := time.Now()
	defer func() { *p.took = max(*p.took, time.Since(start)) }()
	return p.Presets.AddPresets(ctx, presets)
}

// TestTakenNamesOfPresets has voices whose names are taken by a profile of the user and one of another model.
func TestTakenNamesOfPresets(t *testing.T) {
	l := newFixture(t, withPiper(t), piperAtHub(t), func(l *fixture) {
		last := len(l.options.Known) - 1
		e := l.options.Known[last]
		e.Name, e.Key, e.DisplayName = "piper-other", "en_US-lessac-high", "Lessac (high)"
		l.options.Known = append(l.options.Known, e)
		kitten := l.known("kitten-mini", "bella")
		kitten.DisplayName, kitten.Voices[0].Name = "KittenTTS mini", "Bella"
	})
	_, err := l.db.Create(t.Context(), backend.Profile{Name: "Bella", Language: "en", VoiceType: backend.VoiceDefault})
	require.NoError(t, err)
	l.download("piper-lessac")
	l.download("kitten-mini")
	require.ElementsMatch(t, []string{
		"Bella", "Bella (KittenTTS mini)", "Lessac", "Lessac (Piper en_US-lessac-high)",
	}, l.profiles())
}
