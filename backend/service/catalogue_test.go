package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func TestVoicesAndFilters(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	voices, err := k.Voices(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []service.Voice{alan, anna, bella, carla}, voices)
	filters, err := k.Filters(t.Context())
	require.NoError(t, err)
	assert.Equal(t, service.Filters{
		Providers: []string{"ProviderA", "ProviderB", "ProviderC"}, Genders: []string{"female", "male"},
		Languages: []string{"de", "en", "it"}, Accents: []string{"Italy", "United Kingdom", "United States"},
		Categories: []string{"conversational", "narrator"},
	}, filters)
}

func TestNoVoices(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(c *service.Config) { c.Providers = nil })
	voices, err := k.Voices(t.Context())
	require.NoError(t, err)
	assert.Empty(t, voices)
	filters, err := k.Filters(t.Context())
	require.NoError(t, err)
	empty := []string{}
	assert.Equal(t, service.Filters{empty, empty, empty, empty, empty}, filters, "empty lists, not null")
}

// A voice that appears or goes is noticed within a second, also when the clock went back.
func TestVoicesComeAndGo(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	names := func() (names []string) {
		voices, err := k.Voices(t.Context())
		require.NoError(t, err)
		for _, v := range voices {
			names = append(names, v.Name)
		}
		return names
	}
	assert.Equal(t, []string{"alan", "anna", "bella", "carla"}, names())
	k.b.setVoices(nil)
	k.clock.Pass(time.Second)
	assert.Equal(t, []string{"alan", "anna", "carla"}, names())
	_, err := k.Synthesize(t.Context(), caller, request(bella, "Hi."))
	fails(t, err, 400, "")
	k.b.setVoices(nil, bella)
	k.clock.Pass(-time.Hour)
	assert.Equal(t, []string{"alan", "anna", "bella", "carla"}, names())
}

// A provider that cannot list its voices is left out. Its voices are not called unknown: the client is asked to try again.
func TestBrokenProvider(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	_, err := k.ToggleFavourite(t.Context(), caller, bella.ID)
	require.NoError(t, err)
	k.b.setVoices(errBoom, bella)
	k.clock.Pass(time.Second)
	voices, err := k.Voices(t.Context())
	require.NoError(t, err)
	assert.Len(t, voices, 3)
	assert.Contains(t, k.log.String(), "boom")
	_, err = k.Synthesize(t.Context(), caller, request(bella, "Hi."))
	fails(t, err, 503, service.CodeProviderBusy)
	_, err = k.Synthesize(t.Context(), caller, service.SynthesizeRequest{Text: "Hi.", Voice: "no id", TTSModel: service.ModelV3})
	fails(t, err, 400, "")
	_, err = k.Synthesize(t.Context(), caller, request(anna, "Hi."))
	require.NoError(t, err)
}

// A caller that leaves while the voices are listed does not spoil the list for the others.
func TestVoicesOfACallerThatLeft(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	ctx, leave := context.WithCancel(t.Context())
	k.b.listing = leave
	_, err := k.Voices(ctx)
	require.NoError(t, err)
	voices, err := k.Voices(t.Context())
	require.NoError(t, err)
	assert.Len(t, voices, 4)
}

func TestModels(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	pro := service.Pro
	type row struct {
		id, category string
		provider     service.ProviderID
		plan         *service.Plan
	}
	var rows []row
	for _, m := range k.Models() {
		rows = append(rows, row{m.ID, m.Category, m.Provider, m.PlanRequired})
		assert.NotEmpty(t, m.Name)
		assert.Regexp(t, `^[A-Z].*\.$`, m.Description)
	}
	assert.Equal(t, []row{
		{"providerA-v3", "Expressive", service.ProviderA, &pro},
		{"providerA-multilingual-v2", "Expressive", service.ProviderA, &pro},
		{"providerA-flash-v2-5", "Expressive", service.ProviderA, &pro},
		{"providerB-2-5-flash", "Fast", service.ProviderB, &pro},
		{"providerB-2-5-pro", "Fast", service.ProviderB, &pro},
		{"providerC-neural2", "Standard", service.ProviderC, nil},
		{"providerC-wavenet", "Standard", service.ProviderC, nil},
	}, rows)
	assert.Equal(t, []string{"providerC-neural2", "providerC-wavenet"}, k.SupportedModels(carla))
}

func TestFavourites(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller, other := k.free("one"), k.free("two")
	toggle := func(v service.Voice, want bool) {
		t.Helper()
		favorited, err := k.ToggleFavourite(t.Context(), caller, v.ID)
		require.NoError(t, err)
		assert.Equal(t, want, favorited)
	}
	list := func(want ...service.Voice) {
		t.Helper()
		voices, err := k.Favourites(t.Context(), caller)
		require.NoError(t, err)
		assert.Equal(t, append([]service.Voice{}, want...), voices)
	}
	list()
	toggle(carla, true)
	toggle(anna, true)
	list(carla, anna)
	toggle(carla, false)
	list(anna)
	toggle(bella, true)
	k.a.setVoices(nil)
	k.clock.Pass(time.Second)
	list(bella)
	k.a.setVoices(nil, anna)
	k.clock.Pass(time.Second)
	list(anna, bella) // kept meanwhile
	k.a.setVoices(nil)
	k.clock.Pass(time.Second)
	toggle(anna, false) // one that is not active can be removed
	_, err := k.ToggleFavourite(t.Context(), caller, anna.ID)
	fails(t, err, 404, "")
	for _, id := range []string{"", "x", uuid.NewString()} {
		_, err := k.ToggleFavourite(t.Context(), caller, id)
		fails(t, err, 404, "")
	}
	voices, err := k.Favourites(t.Context(), other)
	require.NoError(t, err)
	assert.Empty(t, voices)
}
