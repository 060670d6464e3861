package hosted_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/hosted"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

const voicesPath = "/api/v1/tts/voices"

func voiceFilter() hosted.VoiceFilter { return hosted.VoiceFilter{} }

// names returns the names of voices.
func names(l hosted.VoiceList) []string {
	var all []string
	for _, v := range l.Items {
		all = append(all, v.Name)
	}
	return all
}

// answerVoices makes the service answer the next list with voices.
func (k *kit) answerVoices(voices string) {
	k.server.Fault(voicesPath, hostedtest.Fault{Body: `{"voices":[` + voices + `]}`})
}

func TestVoicesFilters(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.saved = []backend.Profile{{ID: "p1", HostedVoiceID: "v2"}, {ID: "p2", HostedVoiceID: "v2"}}
	k.answerVoices(`
		{"id":"v1","name":"Zoë","gender":"female","provider":"ProviderA","accent":"United Kingdom","language":"en_gb","category":"news","metadata":{"supported_models":["providerA-multilingual-v2"],"engine":"espeak-ng"}},
		{"id":"v2","name":"José","gender":"robot","provider":"ProviderC","accent":"","language":"pt-br","category":"narrator","metadata":{"supported_models":["providerC-neural2"],"engine":{"name":"x"}}},
		{"id":"v3","name":"Ann","provider":"ProviderA","language":"en"},
		{"id":"v4","name":"Bea","gender":"female","provider":"ProviderZ","language":"tlh-x-?","unknown":[1]}`)
	get := func(f hosted.VoiceFilter) hosted.VoiceList {
		t.Helper()
		l, err := k.Voices(t.Context(), f)
		require.NoError(t, err)
		return l
	}
	l := get(voiceFilter())
	require.Equal(t, []string{"Zoë", "José", "Ann", "Bea"}, names(l))
	assert.Equal(t, []string{"en-GB", "pt-BR", "en"}, []string{l.Items[0].Language, l.Items[1].Language, l.Items[2].Language})
	assert.Equal(t, []backend.Gender{"female", "", "", "female"}, []backend.Gender{
		l.Items[0].Gender, l.Items[1].Gender, l.Items[2].Gender, l.Items[3].Gender,
	}, "never guessed")
	assert.Equal(t, []string{backend.HostedV3, "providerC-neural2", backend.HostedV3, ""}, []string{
		l.Items[0].Model, l.Items[1].Model, l.Items[2].Model, l.Items[3].Model,
	})
	assert.Equal(t, []bool{true, false, false}, []bool{l.Items[0].V3Hint, l.Items[1].V3Hint, l.Items[2].V3Hint})
	assert.Equal(t, []bool{true, false, true}, []bool{l.Items[0].Paid, l.Items[1].Paid, l.Items[2].Paid})
	assert.Equal(t, int64(1890), *l.Items[0].Per1000)
	assert.Nil(t, l.Items[1].Per1000)
	assert.Equal(t, "p1", *l.Items[1].ProfileID)
	assert.Nil(t, l.Items[0].ProfileID)
	assert.NotNil(t, l.Items[2].Models)
	assert.Equal(t, []string{"espeak-ng", "", ""}, []string{l.Items[0].Engine, l.Items[1].Engine, l.Items[2].Engine})

	for _, c := range []struct {
		filter hosted.VoiceFilter
		want   []string
	}{
		{hosted.VoiceFilter{Search: "jose"}, []string{"José"}},
		{hosted.VoiceFilter{Search: "ZOE kingdom"}, []string{"Zoë"}},
		{hosted.VoiceFilter{Search: "zoe narrator"}, nil},
		{hosted.VoiceFilter{Language: "en"}, []string{"Zoë", "Ann"}},
		{hosted.VoiceFilter{Language: "en-gb"}, []string{"Zoë"}},
		{hosted.VoiceFilter{Gender: "female"}, []string{"Zoë", "Bea"}},
		{hosted.VoiceFilter{Provider: "providera"}, []string{"Zoë", "Ann"}},
		{hosted.VoiceFilter{Category: "news"}, []string{"Zoë"}},
		{hosted.VoiceFilter{Accent: "united kingdom"}, []string{"Zoë"}},
		{hosted.VoiceFilter{Favorite: new(true)}, nil},
		{hosted.VoiceFilter{Favorite: new(false), Page: backend.Page{Limit: 1}}, []string{"Zoë"}},
	} {
		assert.Equal(t, c.want, names(get(c.filter)), "%+v", c.filter)
	}
	page := get(hosted.VoiceFilter{Page: backend.Page{Limit: 3}})
	require.NotNil(t, page.NextCursor)
	require.Equal(t, []string{"Bea"}, names(get(hosted.VoiceFilter{Page: backend.Page{Limit: 3, Cursor: *page.NextCursor}})))
	_, err := k.Voices(t.Context(), hosted.VoiceFilter{Page: backend.Page{Cursor: "x"}})
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Len(t, k.server.Requests(voicesPath), 1, "one list served all")
}

// TestVoicesAreKept shows the last list at once, also after a restart, and reads an old one again.
func TestVoicesAreKept(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	l, err := k.Voices(t.Context(), voiceFilter())
	require.NoError(t, err)
	require.False(t, l.Stale)
	require.Equal(t, 9, l.Total)
	events := k.events()

	k.change(func(s *settings) { s.offline = true })
	k.open(t)
	l, err = k.Voices(t.Context(), hosted.VoiceFilter{Refresh: true})
	require.NoError(t, err)
	require.True(t, l.Stale)
	require.Equal(t, 9, l.Total)

	k.change(func(s *settings) { s.offline = false })
	k.pass(11 * time.Minute)
	answered := make(chan struct{})
	k.server.Fault(voicesPath, hostedtest.Fault{Before: func() { <-answered }})
	l, err = k.Voices(t.Context(), voiceFilter())
	require.NoError(t, err)
	require.True(t, l.Stale, "shown while the new one is on its way")
	close(answered)
	require.Eventually(t, func() bool { return k.events() > events }, time.Minute, time.Millisecond)
	l, err = k.Voices(t.Context(), voiceFilter())
	require.NoError(t, err)
	require.False(t, l.Stale)

	for _, f := range []hostedtest.Fault{{Status: 500}, {Cut: hostedtest.CutBefore}, hostedtest.HTML(200)} {
		k.server.Fault(voicesPath, f, f, f)
		l, err = k.Voices(t.Context(), hosted.VoiceFilter{Refresh: true})
		require.NoError(t, err)
		require.True(t, l.Stale)
	}
}

// TestVoicesOfARevokedKey are an error, because the list of favourites is the account's.
func TestVoicesOfARevokedKey(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	_, err := k.Voices(t.Context(), voiceFilter())
	require.NoError(t, err)
	k.server.RevokeKeys()
	_, err = k.Voices(t.Context(), hosted.VoiceFilter{Refresh: true})
	backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
}

// TestVoicesOfAnotherService are not shown.
func TestVoicesOfAnotherService(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	_, err := k.Voices(t.Context(), voiceFilter())
	require.NoError(t, err)
	k.change(func(s *settings) { s.base = "https://elsewhere.example" })
	_, err = k.Voices(t.Context(), voiceFilter())
	backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
	_, err = k.credentials.SetKey(t.Context(), "svc_sk_otherotherother")
	require.NoError(t, err)
	k.change(func(s *settings) { s.offline = true })
	_, err = k.Voices(t.Context(), voiceFilter())
	backendtest.RequireCode(t, backend.CodeOffline, err)
}

// TestADamagedListIsReadAgain from the service.
func TestADamagedListIsReadAgain(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	require.NoError(t, os.MkdirAll(filepath.Join(k.dir, "hosted"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(k.dir, "hosted", "voices.json"), []byte(`{"voices":[`), 0o600))
	var wait sync.WaitGroup
	for range 5 {
		wait.Go(func() {
			l, err := k.Voices(t.Context(), voiceFilter())
			assert.NoError(t, err)
			assert.Equal(t, 9, l.Total)
		})
	}
	wait.Wait()
	require.Len(t, k.server.Requests(voicesPath), 1, "callers of the same time share a request")
}

func TestFavorite(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	id := hostedtest.VoiceID(4)
	for _, favorite := range []bool{true, true, false} {
		v, err := k.SetFavorite(t.Context(), id, favorite)
		require.NoError(t, err)
		require.Equal(t, favorite, v.Favorite)
		l, err := k.Voices(t.Context(), hosted.VoiceFilter{Favorite: new(true)})
		require.NoError(t, err)
		require.Equal(t, favorite, len(l.Items) == 1)
	}
	require.Len(t, k.server.Requests("/api/v1/tts/favorites/toggle"), 2, "a favourite is not toggled off by setting it again")
	k.server.Fault("/api/v1/tts/favorites/toggle", hostedtest.Fault{Before: func() { // by another program, after our list
		_, err := k.client.ToggleFavorite(t.Context(), id)
		assert.NoError(t, err)
	}})
	_, err := k.SetFavorite(t.Context(), id, true)
	require.NoError(t, err)
	l, err := k.client.Favorites(t.Context())
	require.NoError(t, err)
	require.Len(t, l, 1)
	_, err = k.SetFavorite(t.Context(), "nobody", true)
	backendtest.RequireCode(t, backend.CodeHostedVoiceNotFound, err)
}

// TestPreviewIsKept downloads a preview once and without a credential.
func TestPreviewIsKept(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	id := hostedtest.VoiceID(0)
	p, err := k.Preview(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, "audio/mpeg", p.Type)
	k.open(t)
	path, err := k.PreviewFile(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, p.Path, path)
	sent := k.server.Requests("/previews/")
	require.Len(t, sent, 1)
	require.Empty(t, sent[0].Header.Get("Authorization"))

	k.server.Fault("/previews/", hostedtest.HTML(200))
	_, err = k.Preview(t.Context(), hostedtest.VoiceID(1))
	backendtest.RequireCode(t, backend.CodeHostedBadAnswer, err)
	entries, err := os.ReadDir(filepath.Dir(p.Path))
	require.NoError(t, err)
	require.Len(t, entries, 1, "what is no audio is not kept")
	_, err = k.Preview(t.Context(), "nobody")
	backendtest.RequireCode(t, backend.CodeHostedVoiceNotFound, err)
	k.answerVoices(`{"id":"v1","name":"Mute","provider":"ProviderA","language":"en"}`)
	_, err = k.Voices(t.Context(), hosted.VoiceFilter{Refresh: true})
	require.NoError(t, err)
	_, err = k.Preview(t.Context(), "v1")
	backendtest.RequireCode(t, backend.CodeNotFound, err)
}

func TestOldPreviewsAreRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i, name := range []string{"oldest", "old", "new"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("x", 100)), 0o600))
		used := time.Unix(int64(1000+i), 0)
		require.NoError(t, os.Chtimes(path, used, used))
	}
	require.NoError(t, hosted.RemoveOldest(dir, 200, filepath.Join(dir, "oldest")))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Equal(t, "new", entries[0].Name())
	require.Equal(t, "oldest", entries[1].Name(), "the one that is being used stays")
	require.Len(t, entries, 2)
}

// BenchmarkVoices decodes, keeps, filters and lists 1,000 voices.
func BenchmarkVoices(b *testing.B) {
	k := newKit(b)
	k.server = hostedtest.Start(b, hostedtest.Options{Voices: 1000})
	k.config.base = k.server.URL
	_, err := k.credentials.SetKey(b.Context(), hostedtest.Key)
	require.NoError(b, err)
	b.Run("fetched", func(b *testing.B) {
		for b.Loop() {
			l, err := k.Voices(b.Context(), hosted.VoiceFilter{Refresh: true, Page: backend.Page{Limit: 500}})
			require.NoError(b, err)
			require.Equal(b, 1000, l.Total)
		}
	})
	b.Run("searched", func(b *testing.B) {
		for b.Loop() {
			l, err := k.Voices(b.Context(), hosted.VoiceFilter{Search: "voice 77 united", Page: backend.Page{Limit: 500}})
			require.NoError(b, err)
			require.NotEmpty(b, l.Items)
		}
	})
}

// TestVoiceIDsInAnyCase: ids of voices are UUIDs, whose letters may be of any case; what is sent and answered has the service's.
func TestVoiceIDsInAnyCase(t *testing.T) {
	t.Parallel()
	k := newBareKit(t)
	k.server = hostedtest.Start(t, hostedtest.Options{Voices: 12})
	k.config.base = k.server.URL
	_, err := k.credentials.SetKey(t.Context(), hostedtest.Key)
	require.NoError(t, err)
	id := hostedtest.VoiceID(10) // ends with an a
	capitals := strings.ToUpper(id)
	require.NotEqual(t, id, capitals)
	v, _, err := k.Voice(t.Context(), capitals, "")
	require.NoError(t, err)
	require.Equal(t, id, v.ID)
	_, err = k.Enhance(t.Context(), hosted.EnhanceTurn{Text: "Hi.", Voice: "hosted:" + capitals})
	require.NoError(t, err)
	require.Contains(t, k.server.Requests("/api/v1/tts/enhance")[0].Body, id)
	starred, err := k.SetFavorite(t.Context(), capitals, !v.Favorite)
	require.NoError(t, err)
	require.Equal(t, id, starred.ID)
	v, _, err = k.Voice(t.Context(), id, "")
	require.NoError(t, err)
	require.Equal(t, starred.Favorite, v.Favorite)
	for _, other := range []string{"{" + id + "}", "urn:uuid:" + id, strings.ReplaceAll(id, "-", "")} {
		_, _, err := k.Voice(t.Context(), other, "")
		backendtest.RequireCode(t, backend.CodeHostedVoiceNotFound, err)
	}
}

// TestTheProviderFollowsTheVoice: a model of another provider is the default one of the voice's, as the service has it; one that
// nobody offers is an error.
func TestTheProviderFollowsTheVoice(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, c := range []struct {
		voice        int
		named, model string
	}{
		{0, "", "providerA-v3"},
		{0, "providerB-2-5-pro", "providerA-v3"},
		{0, "providerC-wavenet", "providerA-v3"},
		{0, "providerA-flash-v2-5", "providerA-flash-v2-5"},
		{1, "providerA-v3", "providerB-2-5-flash"},
		{2, "providerA-v3", "providerC-neural2"},
	} {
		v, m, err := k.Voice(t.Context(), hostedtest.VoiceID(c.voice), c.named)
		require.NoError(t, err)
		require.Equal(t, c.model, m.ID)
		require.Equal(t, v.Provider, m.Provider)
	}
	_, _, err := k.Voice(t.Context(), hostedtest.VoiceID(0), "providerA-v9")
	backendtest.RequireCode(t, backend.CodeModelUnknown, err)
}

// TestProfileVoice: a profile has a model that the service lists, in a new list at least. Without a list nothing is checked.
func TestProfileVoice(t *testing.T) {
	t.Parallel()
	k := newBareKit(t)
	voice, model, err := k.ProfileVoice(t.Context(), "v", "m")
	require.NoError(t, err)
	require.Equal(t, []string{"v", "m"}, []string{voice, model}, "signed out")
	_, err = k.credentials.SetKey(t.Context(), hostedtest.Key)
	require.NoError(t, err)
	id := hostedtest.VoiceID(0)
	for named, want := range map[string]string{
		"": "", "providerA-v3": "providerA-v3", "providerA-flash-v2-5": "providerA-flash-v2-5", "providerC-wavenet": "providerA-v3",
	} {
		voice, model, err := k.ProfileVoice(t.Context(), id, named)
		require.NoError(t, err)
		require.Equal(t, []string{id, want}, []string{voice, model}, named)
	}
	asked := len(k.server.Requests("/api/v1/tts/models"))
	_, _, err = k.ProfileVoice(t.Context(), id, "providerA-v9")
	e := backendtest.Failure(t, backend.CodeHostedModelUnknown, err)
	require.NotEmpty(t, e.Remedy)
	require.Equal(t, "providerA-v9", e.Params["model"])
	require.Len(t, k.server.Requests("/api/v1/tts/models"), asked+1, "it could have been new")
	_, model, err = k.ProfileVoice(t.Context(), "unknown voice", "providerC-wavenet")
	require.NoError(t, err)
	require.Equal(t, "providerC-wavenet", model)

	k.config.offline = true
	_, model, err = k.ProfileVoice(t.Context(), id, "providerA-v9")
	require.NoError(t, err, "the kept list may be old")
	require.Equal(t, "providerA-v9", model)
}
