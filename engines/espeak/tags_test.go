package espeak_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/espeak"
)

// TestLanguagesAreTags requires of each voice a language that a profile can have: a tag of BCP 47, from which the same voice is found
// again. Not all names of espeak-ng are tags, such as en-us-nyc.
func TestLanguagesAreTags(t *testing.T) {
	e := espeak.New()
	voices, err := e.Voices(t.Context())
	require.NoError(t, err)
	for _, v := range append(voices, e.Variants(voices)...) {
		tag, ok := backend.CanonicalLanguage(v.Language)
		require.True(t, ok, "%s: %s", v.ID, v.Language)
		require.Equal(t, tag, v.Language, v.ID)
		found, ok := espeak.VoiceFor(v.Language)
		require.True(t, ok, "%s: %s", v.ID, v.Language)
		name, _, _ := strings.Cut(v.ID, "+")
		require.Equal(t, name, found, v.Language)
	}
}

func TestCanonical(t *testing.T) {
	for id, want := range map[string]string{
		"de": "de", "en-us": "en-US", "pt-br": "pt-BR", "es-419": "es-419", "en-029": "en-029", "fa-latn": "fa-Latn",
		"cmn-latn-pinyin": "cmn-Latn-pinyin", "en-gb-scotland": "en-GB-scotland", "en-gb-x-gbclan": "en-GB-x-gbclan",
		"en-gb-x-rp": "en-GB-x-rp", "vi-vn-x-central": "vi-VN-x-central", "chr-US-Qaaa-x-west": "chr-US-Qaaa-x-west",
		"en-us-nyc": "en-US-x-nyc", "en-us-nyc-south": "en-US-x-nyc-south", "yue-latn-jyutping": "yue-Latn-jyutping", "piqd": "tlh-Piqd",
		"sl-1994": "sl-1994", "de-at-ooe": "de-AT-x-ooe", "de-1a": "de-x-1a",
	} {
		got := espeak.Canonical(id)
		require.Equal(t, want, got, id)
		_, ok := backend.CanonicalLanguage(got)
		require.True(t, ok, got)
	}
}

// TestKnownLanguagesAreTags is for machines whose espeak-ng lists fewer voices.
func TestKnownLanguagesAreTags(t *testing.T) {
	for _, id := range strings.Fields(espeak.Known) {
		tag, ok := backend.CanonicalLanguage(espeak.Canonical(id))
		require.True(t, ok, id)
		found, ok := espeak.VoiceFor(tag)
		require.True(t, ok, tag)
		require.Equal(t, id, found, tag)
	}
}
