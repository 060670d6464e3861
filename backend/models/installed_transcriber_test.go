package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
)

// hearing adds transcription models of these sizes in MB: their memory, and the bytes of their files. Nothing is downloaded yet.
func hearing(languages map[string][]string, memory map[string]int) func(*fixture) {
	return func(l *fixture) {
		l.options.Drivers = append(l.options.Drivers, &ears{})
		for _, name := range []string{"usual", "small", "medium", "large", "small.en", "large.en", "turbo", "voice"} {
			id, content := "acme/"+name, string(make([]byte, 10+memory[name]))
			l.repos = append(l.repos, repo(id, map[string]string{name + ".ear": content}))
			e := registry.Entry{
				Name: name, DisplayName: "Ears " + name, Engine: "ears", Family: registry.Transcription, Languages: languages[name],
				SampleRate: engines.TranscriberRate,
				Variants: []registry.Variant{{
					Name: "full", MemoryMB: memory[name], Files: []registry.File{file(id, name+".ear", content, "model")},
				}},
			}
			switch name {
			case "turbo":
				e.Translator = "large"
			case "voice":
				e.Family = registry.Speech
			}
			l.options.Known = append(l.options.Known, e)
		}
	}
}

func TestInstalledTranscriberReplacesTheUsualOne(t *testing.T) {
	t.Parallel()
	many := []string{"de", "en", "fr"}
	l := newFixture(t, hearing(map[string][]string{
		"usual": many, "small": many, "medium": many, "large": many, "turbo": many, "voice": many,
		"small.en": {"en"}, "large.en": {"en"},
	}, map[string]int{
		"usual": 380, "small": 790, "medium": 2000, "large": 4000, "turbo": 2500, "small.en": 791, "large.en": 4001, "voice": 9000,
	}))
	l.memory = func() (int64, int64, bool) { return 16e9, 12e9, true }
	chosen := func(work models.Listening) string { return l.manager.InstalledTranscriber("usual", work) }
	require.Empty(t, chosen(models.Listening{}), "none is installed")

	install := func(names ...string) {
		for _, name := range names {
			_, err := l.manager.Download(t.Context(), name, true)
			require.NoError(t, err)
			require.Eventually(t, func() bool { return l.get(name).Downloaded }, waitLimit, time.Millisecond)
		}
	}
	install("large.en", "voice")
	require.Empty(t, chosen(models.Listening{}), "a model of one language cannot detect one")
	require.Empty(t, chosen(models.Listening{Language: "de"}))
	require.Equal(t, "large.en", chosen(models.Listening{Language: "en-GB"}))
	require.Empty(t, chosen(models.Listening{Language: "en", Translate: true}))

	install("turbo")
	require.Equal(t, "turbo", chosen(models.Listening{}))
	require.Empty(t, chosen(models.Listening{Translate: true}), "it was not trained to translate")

	install("small", "medium", "large", "small.en")
	require.Equal(t, "large", chosen(models.Listening{}), "the largest")
	require.Equal(t, "large", chosen(models.Listening{Language: "fr", Translate: true}))
	require.Equal(t, "large.en", chosen(models.Listening{Language: "en"}))
	require.Empty(t, chosen(models.Listening{Language: "ja"}))

	for _, c := range []struct {
		total, free int64
		want        string
	}{
		{16e9, 4e9, "turbo"},    // large would leave too little
		{16e9, 1200e6, "small"}, // medium needs more than is free
		{3e9, 700e6, "small"},   // all are tight, large can never fit
		{16e9, 3500e6, "medium"},
		{500e6, 400e6, ""},
	} {
		l.memory = func() (int64, int64, bool) { return c.total, c.free, true }
		require.Equal(t, c.want, chosen(models.Listening{}), "%d MB of %d MB are free", c.free/1e6, c.total/1e6)
	}
	l.memory = func() (int64, int64, bool) { return 0, 0, false }
	require.Equal(t, "large", chosen(models.Listening{}), "the memory is unknown")

	install("usual")
	require.Equal(t, "usual", chosen(models.Listening{}), "nothing has to be replaced")
	_, err := l.manager.Delete(t.Context(), "usual", false)
	require.NoError(t, err)
	require.Equal(t, "large", chosen(models.Listening{}))
}
