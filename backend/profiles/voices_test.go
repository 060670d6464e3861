package profiles_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/profiles"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// tones returns a WAV file with stretches of the recording of the toy voices, in seconds.
func tones(t *testing.T, spans ...[2]float64) profiles.NewSample {
	t.Helper()
	var sound []float32
	for _, s := range spans {
		sound = append(sound, diarizetest.Tones(t, s[0], s[1])...)
	}
	path := filepath.Join(t.TempDir(), "tones.wav")
	pcm := audio.PCM16(audio.WAVHeader(engines.TranscriberRate, 1, uint32(2*len(sound))), sound)
	require.NoError(t, os.WriteFile(path, pcm, 0o600))
	return profiles.NewSample{Source: profiles.Source{Path: path, Name: "tones.wav"}, Consent: backend.ConsentOwnVoice}
}

func codes(s backend.Sample) (out []backend.SampleIssue) {
	for _, w := range s.Warnings {
		if w.Code == backend.SampleTwoSpeakers || w.Code == backend.SampleOtherPerson {
			out = append(out, w.Code)
		}
	}
	return out
}

func TestTwoPeopleAreHeardByTheirVoices(t *testing.T) {
	l := newFixture(t)
	model := diarizetest.New(t)
	o := l.options()
	o.Diarizers = model
	l.service = profiles.New(o)
	for name, c := range map[string]struct {
		n    profiles.NewSample
		want int
	}{
		"one":              {tones(t, [2]float64{0.5, 4}), 1},
		"one, longer":      {tones(t, [2]float64{0.5, 4}, [2]float64{11, 13}, [2]float64{20.3, 22.5}, [2]float64{0.5, 4}), 1},
		"two":              {tones(t, [2]float64{0.5, 7}), 2},
		"two, longer":      {tones(t, [2]float64{0.5, 7}, [2]float64{11, 16.5}, [2]float64{0.5, 7}), 2},
		"a word of others": {tones(t, [2]float64{0.5, 4}, [2]float64{11, 13}, [2]float64{4.5, 5}), 1},
	} {
		checked, err := l.service.Check(t.Context(), c.n)
		require.NoError(t, err, name)
		require.Equal(t, c.want, checked.Speakers, name)
		require.Equal(t, c.want == 2, slices.Contains(codes(checked.Sample), backend.SampleTwoSpeakers), name)
	}
	checked, err := l.service.Check(t.Context(), tones(t, [2]float64{0.5, 7}))
	require.NoError(t, err)
	i := slices.IndexFunc(checked.Warnings, func(w backend.SampleWarning) bool { return w.Code == backend.SampleTwoSpeakers })
	require.InDelta(t, 3.5, checked.Warnings[i].Params["seconds"], 0.5)
	require.Less(t, checked.Warnings[i].Params["cosine"], 0.3)
	require.Contains(t, checked.Warnings[i].Detail, "one for 3.")
}

func TestASampleOfAnotherPerson(t *testing.T) {
	l := newFixture(t)
	model := diarizetest.New(t)
	o := l.options()
	o.Diarizers = model
	l.service = profiles.New(o)
	p := l.cloned(t, backend.ProfilePatch{})
	add := func(spans ...[2]float64) backend.Sample {
		s, err := l.service.AddSample(t.Context(), p.ID, tones(t, spans...))
		require.NoError(t, err)
		return s
	}
	require.Empty(t, codes(add([2]float64{0.5, 4})), "the first one is nobody else")
	require.Empty(t, codes(add([2]float64{0.5, 3.6})))
	require.Equal(t, []backend.SampleIssue{backend.SampleOtherPerson}, codes(add([2]float64{34, 38})))
	model.Missing = true
	require.Empty(t, codes(add([2]float64{17, 20.2})), "without the model nobody hears it")
}
