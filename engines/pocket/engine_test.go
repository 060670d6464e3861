package pocket

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestSpeakWithAReference(t *testing.T) {
	e := openKit(t, "int8", 1)
	one, other := reference(recording(t, "inputs/ref_22050_mono.wav"), t.TempDir()), reference(recording(t, "inputs/ref_44100_stereo.wav"), "")
	u := engines.Utterance{Text: "Hello world.", Reference: one, Seed: 1}
	first := enginetest.Say(t, e, u)
	require.Equal(t, first, enginetest.Say(t, e, u), "equal utterances")
	u.Seed = 2
	require.NotEqual(t, first, enginetest.Say(t, e, u), "another seed")
	u.Seed, u.Reference = 1, other
	require.NotEqual(t, first, enginetest.Say(t, e, u), "another voice")
}

func TestSpeakRefuses(t *testing.T) {
	e := openKit(t, "int8", 1)
	ref := reference(recording(t, "inputs/ref_24000_mono.wav"), "")
	for name, tt := range map[string]struct {
		u    engines.Utterance
		code backend.Code
		says string
	}{
		"no sample":        {engines.Utterance{Text: "Hello"}, backend.CodeEngineMismatch, "speaks with the voice of a sample"},
		"unknown language": {engines.Utterance{Text: "Hallo", Language: "de", Reference: ref}, backend.CodeLanguageNotSupported, "does not speak de."},
		"emoji only":       {engines.Utterance{Text: "😀 ❤️ 👩‍👩‍👧", Reference: ref}, backend.CodeNothingToSpeak, "English"},
		"marks only":       {engines.Utterance{Text: "?! -- (…) §", Reference: ref}, backend.CodeNothingToSpeak, "nothing"},
		"speed":            {engines.Utterance{Text: "Hello", Speed: 1.5, Reference: ref}, backend.CodeEngineMismatch, "speed 1.5"},
		"steps":            {engines.Utterance{Text: "Hello", Steps: 101, Reference: ref}, backend.CodeEngineMismatch, "from 1 to 100"},
		"an empty sample":  {engines.Utterance{Text: "Hello", Reference: reference(audio.Buffer{Rate: 24000, Channels: 1}, "")}, backend.CodeSampleRejected, "no sound"},
	} {
		t.Run(name, func(t *testing.T) {
			err := e.Speak(t.Context(), tt.u, func(audio.Buffer) error { return nil })
			require.Equal(t, tt.code, backend.CodeOf(err), "%v", err)
			require.Contains(t, backend.AsError(err).Detail+" "+backend.AsError(err).Remedy, tt.says)
		})
	}
}
