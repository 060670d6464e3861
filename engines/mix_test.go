package engines_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

func TestParseMix(t *testing.T) {
	for id, want := range map[string]engines.Mix{
		"af_heart":                      {{Voice: "af_heart", Part: 1}},
		"af_heart:0.3":                  {{Voice: "af_heart", Part: 1}},
		"af_heart:0.6+af_bella:0.4":     {{Voice: "af_heart", Part: 0.6}, {Voice: "af_bella", Part: 0.4}},
		" af_heart : 3 + af_bella : 2 ": {{Voice: "af_heart", Part: 0.6}, {Voice: "af_bella", Part: 0.4}},
		"af_bella(2)+af_sky(1)":         {{Voice: "af_bella", Part: 0.666667}, {Voice: "af_sky", Part: 0.333333}},
		" af_bella (0.5) + af_sky ":     {{Voice: "af_bella", Part: 0.333333}, {Voice: "af_sky", Part: 0.666667}},
		"af_bella(1)":                   {{Voice: "af_bella", Part: 1}},
		"a+b+c+d": {
			{Voice: "a", Part: 0.25}, {Voice: "b", Part: 0.25}, {Voice: "c", Part: 0.25}, {Voice: "d", Part: 0.25},
		},
	} {
		got, err := engines.ParseMix(id)
		require.NoError(t, err, id)
		require.Len(t, got, len(want), id)
		for i, w := range want {
			require.Equal(t, w.Voice, got[i].Voice)
			require.InDelta(t, w.Part, got[i].Part, 1e-12)
		}
	}
}

func TestParseMixSaysWhatIsWrong(t *testing.T) {
	for id, says := range map[string]string{
		"":                    "no name",
		"+":                   "no name",
		"af_heart+":           "no name",
		":0.5":                "no name",
		"a:0.5+a:0.5":         "names a twice",
		"a:0+b:1":             `part of a is "0"`,
		"a:-1+b:2":            `part of a is "-1"`,
		"a:much+b:1":          `part of a is "much"`,
		"a:+b:1":              `part of a is ""`,
		"a:NaN":               `part of a is "NaN"`,
		"a:Inf":               `part of a is "Inf"`,
		"a:1e308+b:1e308":     "too large",
		"a:0.6+b":             "some have none",
		"a:0.5:0.5+b:0.5":     `part of a is "0.5:0.5"`,
		"af_heart:0.6+:0.4":   "no name",
		"af_heart:1+af_sky:x": `part of af_sky is "x"`,
		"a(0)+b(1)":           `part of a is "0"`,
		"a()+b(1)":            `part of a is ""`,
		"(1)+b":               "no name",
	} {
		_, err := engines.ParseMix(id)
		require.Equal(t, backend.CodeNotFound, backend.CodeOf(err), id)
		require.Contains(t, backend.AsError(err).Detail, says)
		require.Contains(t, backend.AsError(err).Remedy, "af_heart:0.6+af_bella:0.4")
		require.Equal(t, id, backend.AsError(err).Params["voice"])
	}
}

func TestPartsAddUpToOne(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		parts := rapid.SliceOfN(rapid.IntRange(1, 1000), 1, 20).Draw(rt, "parts")
		words := make([]string, len(parts))
		total := 0
		for i, p := range parts {
			total += p
			words[i] = "v" + strings.Repeat("i", i) + ":" + rapid.SampledFrom([]string{"", "0", " "}).Draw(rt, "lead") + strconv.Itoa(p)
		}
		shares, err := engines.ParseMix(strings.Join(words, "+"))
		require.NoError(rt, err)
		sum := 0.0
		for i, s := range shares {
			sum += s.Part
			require.InDelta(rt, float64(parts[i])/float64(total), s.Part, 2e-5)
		}
		require.InDelta(rt, 1, sum, 1e-12)
		again, err := engines.ParseMix(shares.String())
		require.NoError(rt, err)
		require.Equal(rt, shares, again, "the canonical form is another mixture")
		require.Equal(rt, shares.String(), again.String())
	})
}

func TestCanonical(t *testing.T) {
	for id, want := range map[string]string{
		"af_heart":                     "af_heart",
		" af_heart : 1 ":               "af_heart",
		"af_heart:3+af_bella:2":        "af_heart:0.6+af_bella:0.4",
		"af_heart:0.6 + af_bella:0.40": "af_heart:0.6+af_bella:0.4",
		"af_bella:2+af_heart:3":        "af_bella:0.4+af_heart:0.6",
		"af_heart+af_bella":            "af_heart:0.5+af_bella:0.5",
		"a+b+c":                        "a:0.333334+b:0.333333+c:0.333333",
		"a:0.1+b:0.2":                  "a:0.333333+b:0.666667",
		"a:1+b:1e-30":                  "a:0.999999+b:0.000001",
		"a:1+b:2000000000000000000000000000000000": "a:0.000001+b:0.999999",
		"a:0+b:1": "a:0+b:1",
		"":        "",
	} {
		require.Equal(t, want, engines.Canonical(id), id)
		require.Equal(t, want, engines.Canonical(want), "the canonical form of %s has another one", id)
	}
}

// TestFind: a model finds the mixtures that its engine speaks, each by its canonical id.
func TestFind(t *testing.T) {
	heart := engines.Voice{ID: "af_heart", Name: "Heart", Language: "en-US", Gender: "female"}
	emma := engines.Voice{ID: "bf_emma", Name: "Emma", Language: "en-GB", Gender: "female"}
	alpha := engines.Voice{ID: "jf_alpha", Name: "Alpha", Language: "ja", Reason: "No Japanese."}
	m := engines.Model{Name: "kokoro", DisplayName: "Kokoro", Voices: []engines.Voice{heart, emma, alpha}, Abilities: engines.Abilities{Mixes: true}}
	for id, want := range map[string]engines.Voice{
		"":                     heart,
		"bf_emma":              emma,
		" bf_emma:0.7 ":        emma,
		"bf_emma:3+af_heart:2": {ID: "bf_emma:0.6+af_heart:0.4", Name: "Emma + Heart", Language: "en-GB", Gender: "female"},
		"af_heart+jf_alpha":    {ID: "af_heart:0.5+jf_alpha:0.5", Name: "Heart + Alpha", Language: "en-US", Reason: "No Japanese."},
	} {
		v, err := m.Find(id)
		require.NoError(t, err, id)
		require.Equal(t, want, v)
	}
	for id, says := range map[string]string{
		"af_sky":            `Kokoro has no voice "af_sky"`,
		"af_heart+af_sky":   `Kokoro has no voice "af_sky"`,
		"af_heart:0":        "not a number above 0",
		"af_heart+af_heart": "names af_heart twice",
	} {
		_, err := m.Find(id)
		require.Equal(t, backend.CodeNotFound, backend.CodeOf(err), id)
		require.Contains(t, backend.AsError(err).Detail, says)
		_, ok := m.Voice(id)
		require.False(t, ok)
	}
	m.Mixes = false
	_, err := m.Find("af_heart:1")
	require.ErrorContains(t, err, `has no voice "af_heart:1"`)
	require.Equal(t, "Choose one of its voices: af_heart, bf_emma, jf_alpha.", backend.AsError(err).Remedy)
	_, err = engines.Model{Name: "none", Abilities: engines.Abilities{Mixes: true}}.Find("")
	require.ErrorContains(t, err, "none has no voice")
}

// TestGenderOfAMixture: the gender is that of more than half of a mixture, else unknown.
func TestGenderOfAMixture(t *testing.T) {
	m := engines.Model{Name: "kokoro", Abilities: engines.Abilities{Mixes: true}, Voices: []engines.Voice{
		{ID: "heart", Gender: "female"}, {ID: "bella", Gender: "female"}, {ID: "adam", Gender: "male"}, {ID: "nobody"},
	}}
	for id, want := range map[string]string{
		"heart+bella":              "female",
		"heart:0.6+adam:0.4":       "female",
		"heart:0.4+adam:0.6":       "male",
		"heart+adam":               "",
		"heart:3+adam:4+bella:3":   "female",
		"heart+nobody":             "",
		"heart:0.4+nobody:0.6":     "",
		"heart:1+adam:1+nobody:1":  "",
		"heart:0.6+nobody:0.4":     "female",
		"adam:0.500001+heart:0.49": "male",
	} {
		v, err := m.Find(id)
		require.NoError(t, err, id)
		require.Equal(t, want, v.Gender, id)
	}
}
