package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/kitten"
	"github.com/voicewright/voicewright/engines/kokoro"
	"github.com/voicewright/voicewright/engines/piper"
	"github.com/voicewright/voicewright/engines/supertonic"
)

// ableDriver is a driver whose models can do more than speak.
type ableDriver struct{ *driver }

func (ableDriver) Abilities() engines.Abilities {
	return engines.Abilities{Mixes: true, Steps: true, Multilingual: true}
}

// TestAbilitiesOfAModel: they are known before the download.
func TestAbilitiesOfAModel(t *testing.T) {
	t.Parallel()
	for _, able := range []bool{false, true} {
		l := newFixture(t, func(l *fixture) {
			l.known("two", "a", "b")
			l.known("one", "a")
			l.known("other", "a", "b").Engine = "later"
			if able {
				l.options.Drivers = []engines.Driver{ableDriver{l.driver}}
			}
		})
		two, one, other := l.get("two"), l.get("one"), l.get("other")
		require.Equal(t, []bool{true, able, able, able}, []bool{two.Supported, two.Mixes, two.Steps, two.Multilingual})
		require.Equal(t, []bool{true, false, able, able}, []bool{one.Supported, one.Mixes, one.Steps, one.Multilingual}, "a model with one voice has no mixtures")
		require.Equal(t, []bool{false, false, false, false}, []bool{other.Supported, other.Mixes, other.Steps, other.Multilingual}, "a model without an engine has no abilities")
		m, err := l.manager.Model("two")
		require.NoError(t, err)
		require.Equal(t, able, m.Mixes)
	}
}

// phonemizedDriver is a driver that speaks all languages but one only with espeak-ng.
type phonemizedDriver struct{ *driver }

func (phonemizedDriver) NeedsEspeak(language string) bool { return language != "en" }

// TestEspeakLanguages: what a model speaks without espeak-ng is known before the download, so that a machine without it is offered
// a voice that speaks.
func TestEspeakLanguages(t *testing.T) {
	t.Parallel()
	for _, phonemized := range []bool{false, true} {
		l := newFixture(t, func(l *fixture) {
			l.known("two", "a").Languages = []string{"en", "de-DE", "fr"}
			l.known("other", "a").Engine = "later"
			if phonemized {
				l.options.Drivers = []engines.Driver{phonemizedDriver{l.driver}}
			}
		})
		want := []string{}
		if phonemized {
			want = []string{"de-DE", "fr"}
		}
		require.Equal(t, want, l.get("two").EspeakLanguages)
		require.Equal(t, []string{}, l.get("other").EspeakLanguages)
	}
	for _, language := range []string{"en", "en-US", "en-GB", "de", "fr-FR", "zh"} {
		require.True(t, piper.NewDriver(nil, nil).NeedsEspeak(language))
		require.True(t, kitten.NewDriver(nil, nil).NeedsEspeak(language))
		require.Equal(t, language[:2] != "en", kokoro.NewDriver(nil, nil, nil).NeedsEspeak(language), language)
	}
	var free any = supertonic.NewDriver(nil)
	require.NotImplements(t, (*engines.Phonemized)(nil), free)
}

// TestVoicesOfAModel lists Kokoro's 54 voices, of which this build can speak with 41.
func TestVoicesOfAModel(t *testing.T) {
	t.Parallel()
	l := newFixture(t, (*fixture).kokoro)
	d, err := l.manager.Detail(t.Context(), "KOKORO")
	require.NoError(t, err)
	require.Equal(t, l.get("kokoro"), d.ModelStatus)
	require.Len(t, d.VoicesList, 54)
	require.Equal(t, 41, d.Voices)
	usable := 0
	byID := map[string]backend.ModelVoice{}
	for _, v := range d.VoicesList {
		byID[v.ID] = v
		require.Contains(t, []backend.Gender{backend.Female, backend.Male}, v.Gender, v.ID)
		require.Equal(t, v.Usable, v.Reason == "", v.ID)
		if v.Usable {
			usable++
		}
	}
	require.Equal(t, d.Voices, usable)
	require.Equal(t, backend.ModelVoice{ID: "af_heart", Name: "Heart", Language: "en-US", Gender: backend.Female, Usable: true}, d.VoicesList[0])
	require.Equal(t, backend.Male, byID["am_adam"].Gender)
	require.False(t, byID["jf_alpha"].Usable)
	_, err = l.manager.Detail(t.Context(), "nobody")
	requireCode(t, backend.CodeModelUnknown, err)
}

// TestUnknownGenders: a gender is not guessed from a name.
func TestUnknownGenders(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		e := l.known("names", "a", "b")
		e.Voices[0].Name, e.Voices[1].Gender = "Amy", "neutral"
	})
	d, err := l.manager.Detail(t.Context(), "names")
	require.NoError(t, err)
	require.Len(t, d.VoicesList, 2)
	for _, v := range d.VoicesList {
		require.Empty(t, v.Gender, v.Name)
	}
}

// TestInvalidMixture: the error is not that of a model that may be installed later.
func TestInvalidMixture(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.known("two", "a", "b")
		l.options.Drivers = []engines.Driver{ableDriver{l.driver}}
	})
	m, err := l.manager.ModelOf("fake", "a:3+b:2")
	require.NoError(t, err)
	require.Equal(t, "two", m.Name)
	_, err = l.manager.ModelOf("fake", "a:2+b")
	require.ErrorContains(t, err, "some have none")
	requireCode(t, backend.CodeNotFound, err)
	for _, id := range []string{"a+c", "c"} {
		_, err = l.manager.ModelOf("fake", id)
		requireCode(t, backend.CodeModelUnknown, err)
	}
}

// TestAbilities checks the abilities of all drivers.
func TestAbilities(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		driver engines.Driver
		want   engines.Abilities
	}{
		"kokoro":     {kokoro.NewDriver(nil, nil, nil), engines.Abilities{Mixes: true}},
		"kitten":     {kitten.NewDriver(nil, nil), engines.Abilities{}},
		"piper":      {piper.NewDriver(nil, nil), engines.Abilities{}},
		"supertonic": {supertonic.NewDriver(nil), engines.Abilities{Steps: true, Multilingual: true}},
	} {
		var got engines.Abilities
		if able, ok := c.driver.(engines.Able); ok {
			got = able.Abilities()
		}
		require.Equal(t, c.want, got, name)
	}
}
