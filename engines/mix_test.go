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
	for id, want := range map[string][]engines.Share{
		"af_heart":                      {{Voice: "af_heart", Part: 1}},
		"af_heart:0.3":                  {{Voice: "af_heart", Part: 1}},
		"af_heart:0.6+af_bella:0.4":     {{Voice: "af_heart", Part: 0.6}, {Voice: "af_bella", Part: 0.4}},
		" af_heart : 3 + af_bella : 2 ": {{Voice: "af_heart", Part: 0.6}, {Voice: "af_bella", Part: 0.4}},
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
		for i, p := range parts {
			words[i] = "v" + strings.Repeat("i", i) + ":" + rapid.SampledFrom([]string{"", "0", " "}).Draw(rt, "lead") + strconv.Itoa(p)
		}
		shares, err := engines.ParseMix(strings.Join(words, "+"))
		require.NoError(rt, err)
		sum := 0.0
		for i, s := range shares {
			sum += s.Part
			require.InDelta(rt, float64(parts[i])/float64(parts[0]), s.Part/shares[0].Part, 1e-9)
		}
		require.InDelta(rt, 1, sum, 1e-12)
	})
}
