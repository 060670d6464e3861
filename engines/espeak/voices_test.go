package espeak_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/espeak"
)

func TestVoices(t *testing.T) {
	e := espeak.New()
	voices, err := e.Voices(t.Context())
	require.NoError(t, err)
	require.Greater(t, len(voices), 80)
	require.Equal(t, engines.Voice{ID: "en-us", Name: "English (America)", Language: "en-US", Gender: "male"}, voices[0])
	ids := map[string]bool{}
	for _, v := range voices {
		require.False(t, ids[v.ID], "%s is there twice", v.ID)
		ids[v.ID] = true
		require.NotContains(t, v.Name, "_")
		require.NotEmpty(t, v.Language)
	}
	for _, id := range []string{"de", "fr-fr", "en-gb-x-rp", "pt-br", "cmn"} {
		require.True(t, ids[id], id)
	}
	require.Equal(t, voices, e.Info().Voices)

	version, err := e.Version(t.Context())
	require.NoError(t, err)
	require.Regexp(t, `^\d+\.\d+`, version)
	require.Equal(t, version, e.Info().Runtimes["espeak-ng"])

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = espeak.New().Voices(ctx)
	require.ErrorIs(t, err, backend.ErrCancelled)
}

func TestParseVoices(t *testing.T) {
	const list = `Pty Language       Age/Gender VoiceName          File                 Other Languages
 5  af              --/M      Afrikaans          gmw/af               
 5  chr-US-Qaaa-x-west --/M      Cherokee_          iro/chr              
 5  cmn             --/F      Chinese_(Mandarin,_latin_as_English) sit/cmn              (zh-cmn 5)(zh 5)
 2  en-us           30/-      English_(America)  gmw/en-US            (en 3)
 5  cmn             --/M      Again              sit/x
something else
`
	var got []engines.Voice
	for _, v := range espeak.ParseVoices(list) {
		got = append(got, v.Voice)
	}
	require.Equal(t, []engines.Voice{
		{ID: "en-us", Name: "English (America)", Language: "en-US"},
		{ID: "af", Name: "Afrikaans", Language: "af", Gender: "male"},
		{ID: "chr-US-Qaaa-x-west", Name: "Cherokee", Language: "chr-US-Qaaa-x-west", Gender: "male"},
		{ID: "cmn", Name: "Chinese (Mandarin, latin as English)", Language: "cmn", Gender: "female"},
	}, got)
}

func TestVoiceFor(t *testing.T) {
	for tag, want := range map[string]string{
		"en": "en-us", "en-US": "en-us", "en_GB": "en-gb", "EN-AU": "en-gb", "en-CA": "en-us", "en-XX": "en-us",
		"de": "de", "de-AT": "de", "fr": "fr-fr", "fr-FR": "fr-fr", "fr-CA": "fr-fr", "fr-CH": "fr-ch", "fr-BE": "fr-be",
		"pt": "pt", "pt-BR": "pt-br", "pt-PT": "pt", "es": "es", "es-ES": "es", "es-MX": "es-419", "es-419": "es-419",
		"zh": "cmn", "zh-CN": "cmn", "zh-Hant-TW": "cmn", "zh-HK": "yue", "yue": "yue", "no": "nb", "nn-NO": "nb", "nb": "nb",
		"sr-Latn-RS": "sr", "he-IL": "he", "iw": "he", "chr": "chr-US-Qaaa-x-west", "vi-VN": "vi", "ja-JP": "ja", "uk": "uk",
	} {
		got, ok := espeak.VoiceFor(tag)
		require.True(t, ok, tag)
		require.Equal(t, want, got, tag)
	}
	for _, tag := range []string{"", "xx", "tlh", " ", "a b", "-", "en us"} {
		_, ok := espeak.VoiceFor(tag)
		require.False(t, ok, "%q", tag)
	}
}

func TestVoiceForNamesInstalledVoices(t *testing.T) {
	e := espeak.New()
	voices, err := e.Voices(t.Context())
	require.NoError(t, err)
	ids := map[string]bool{}
	for _, v := range voices {
		ids[v.ID] = true
	}
	for _, tag := range []string{"en", "de", "fr", "es", "es-MX", "pt", "pt-BR", "it", "nl", "pl", "ru", "zh", "zh-HK", "no", "he", "chr"} {
		id, ok := espeak.VoiceFor(tag)
		require.True(t, ok)
		require.True(t, ids[id], "%s: %s", tag, id)
	}
}

// TestVariants speaks with another speaker of a voice, and refuses variants that espeak-ng would silently leave out.
func TestVariants(t *testing.T) {
	e := espeak.New()
	voices, err := e.Voices(t.Context())
	require.NoError(t, err)
	all := e.Variants(voices[:1])
	require.Len(t, all, 13)
	require.Equal(t, engines.Voice{ID: "en-us+f3", Name: voices[0].Name + ", female 3", Language: "en-US", Gender: "female"}, all[2])
	speak := func(voice string) (samples []float32, err error) {
		err = e.Speak(t.Context(), engines.Utterance{Text: "Hello.", Voice: voice, Speed: 1}, func(b audio.Buffer) error {
			samples = append(samples, b.Samples...)
			return nil
		})
		return samples, err
	}
	plain, err := speak("en-us")
	require.NoError(t, err)
	for _, voice := range []string{"en-us+f3", "EN-US+F3", "en-us+m7"} {
		other, err := speak(voice)
		require.NoError(t, err)
		require.NotEqual(t, plain, other, voice)
	}
	for _, voice := range []string{"en-us+", "en-us+robot", "en-us+f3+m7", "none+f3"} {
		_, err := speak(voice)
		backendtest.RequireCode(t, backend.CodeNotFound, err)
	}
}
