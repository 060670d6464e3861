package moss

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestSuite(t *testing.T) {
	d := NewDriver(library(t))
	files := enginetest.Find(t, d, kit(t, repos))
	enginetest.Run(t, func(t *testing.T) engines.Speaker {
		t.Helper()
		return enginetest.OpenFiles(t, d, files, engines.Options{Threads: 1})
	}, enginetest.Suite{
		Text: "Hello world.", LongText: strings.Repeat("This is one of several sentences, and it is not short. ", 12), Opens: 3,
	})
}

// reference returns a reference to a recording, and the number of times that it was asked for.
func reference(in audio.Buffer, key, cache string) (*engines.Reference, *int) {
	asked := 0
	return &engines.Reference{Key: key, Cache: cache, Audio: func(context.Context) (audio.Buffer, error) {
		asked++
		return in, nil
	}}, &asked
}

func TestSpeakWithTheVoiceOfASample(t *testing.T) {
	e := openKit(t)
	in := recording(t, "reference_48k_mono.wav")
	dir := t.TempDir()
	ref, asked := reference(in, "aa", dir)
	u := engines.Utterance{Text: "Hello world.", Seed: 3, Reference: ref}
	first := enginetest.Say(t, e, u)
	require.Equal(t, first, enginetest.Say(t, e, u))
	require.Equal(t, 1, *asked)

	other, _ := reference(audio.Buffer{Samples: in.Samples[:len(in.Samples)/2], Rate: in.Rate, Channels: 1}, "bb", dir)
	require.NotEqual(t, first, enginetest.Say(t, e, engines.Utterance{Text: u.Text, Seed: 3, Reference: other}))
	require.NotEqual(t, first, enginetest.Say(t, e, engines.Utterance{Text: u.Text, Seed: 3}))

	e.Forget("aa")
	require.Equal(t, first, enginetest.Say(t, e, u))
	require.Equal(t, 1, *asked, "the file beside the sample holds its codes")
}

func TestVoicesOfTheManifest(t *testing.T) {
	info := openKit(t).Info()
	require.Equal(t, []engines.Voice{
		{ID: "Junhao", Name: "Junhao", Language: "zh"}, {ID: "Ava", Name: "Ava", Language: "en"}, {ID: "Adam", Name: "Adam", Language: "en"},
	}, info.Voices)
	for group, want := range map[string][2]string{
		"Chinese Male": {"zh", "male"}, "English Female": {"en", "female"}, "ja": {"ja", ""}, "": {"en", ""}, "Klingon": {"en", ""},
	} {
		language, gender := builtin{Group: group}.kind()
		require.Equal(t, want, [2]string{language, gender}, group)
	}
}

func TestSpeakRefuses(t *testing.T) {
	e := openKit(t)
	for name, tt := range map[string]struct {
		u    engines.Utterance
		code backend.Code
		says string
	}{
		"unknown voice":    {engines.Utterance{Text: "Hello", Voice: "Eve"}, backend.CodeNotFound, "Junhao, Ava, Adam."},
		"unknown language": {engines.Utterance{Text: "Hei", Language: "fi"}, backend.CodeLanguageNotSupported, "does not speak fi."},
		"another speed":    {engines.Utterance{Text: "Hello", Speed: 1.5}, backend.CodeEngineMismatch, "from 1 to 1"},
		"emoji only":       {engines.Utterance{Text: "😀 ❤️"}, backend.CodeNothingToSpeak, "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			err := e.Speak(t.Context(), tt.u, func(audio.Buffer) error { return nil })
			require.Equal(t, tt.code, backend.CodeOf(err))
			require.Contains(t, backend.AsError(err).Detail+" "+backend.AsError(err).Remedy, tt.says)
		})
	}
	for _, language := range slices.Concat(e.Info().Languages, []string{"", "zh-TW", "pt-BR", "en-GB"}) {
		require.NoError(t, e.checkLanguage(language))
	}
}
