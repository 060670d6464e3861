package vad_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/vad"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kit is what silero-vad's Python package returned for clips and formulas.
type kit struct {
	Sets  map[string]parameterSet `json:"parameter_sets"`
	Cases []kitCase
}

type parameterSet struct {
	Threshold       *float64
	NegThreshold    float64  `json:"neg_threshold"`
	MinSpeech       *float64 `json:"min_speech_duration_ms"`
	MinSilence      *float64 `json:"min_silence_duration_ms"`
	Pad             *float64 `json:"speech_pad_ms"`
	MaxSpeech       *float64 `json:"max_speech_duration_s"`
	MinSilenceAtMax *float64 `json:"min_silence_at_max_speech"`
	CutAtLongest    *bool    `json:"use_max_poss_sil_at_max_speech"`
}

func (s parameterSet) parameters() vad.Parameters {
	p := vad.Defaults()
	p.NegThreshold = s.NegThreshold
	for to, from := range map[*float64]*float64{
		&p.Threshold: s.Threshold, &p.MinSpeech: s.MinSpeech, &p.MinSilence: s.MinSilence, &p.Pad: s.Pad,
		&p.MaxSpeech: s.MaxSpeech, &p.MinSilenceAtMax: s.MinSilenceAtMax,
	} {
		if from != nil {
			*to = *from
		}
	}
	p.CutAtLast = s.CutAtLongest != nil && !*s.CutAtLongest
	return p
}

type kitCase struct {
	Name, Source string
	Rate         int `json:"sample_rate"`
	Samples      int
	Windows      int
	Probs        string
	Timestamps   map[string][][2]int
	Seconds      [][2]float64 `json:"timestamps_seconds_default"`
	Iterator     []struct {
		Start, End *int
		Window     int
	}
}

func loadKit(t testing.TB) (k kit) {
	t.Helper()
	raw, err := os.ReadFile(enginetest.KitFile(t, "vad", "cases.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &k))
	require.NotEmpty(t, k.Cases)
	require.NotEmpty(t, k.Sets)
	return k
}

// samples returns the audio of a case, from its description.
func (c kitCase) samples(t testing.TB) []float32 {
	t.Helper()
	var all []float32
	number := func(pattern string) (n []int) {
		for _, part := range regexp.MustCompile(pattern).FindStringSubmatch(c.Source)[1:] {
			v, err := strconv.Atoi(part)
			require.NoError(t, err)
			n = append(n, v)
		}
		return n
	}
	clip := regexp.MustCompile(`^(?:data/speech/\S*?)?([\w-]+)(?:\.wav)?(?:\[\d+:\d+\].*)?$`)
	switch {
	case c.Source == "no samples":
	case strings.HasPrefix(c.Source, "x = "):
		all = noise(uint32(number(`^x = (\d+);`)[0]), number(`(\d+) samples`)[0])
	case strings.HasSuffix(c.Source, " zeros"):
		all = make([]float32, number(`^(\d+) zeros`)[0])
	case strings.HasPrefix(c.Source, "the 5 librivox files"):
		files, err := filepath.Glob("testdata/librivox/*.wav")
		require.NoError(t, err)
		require.Len(t, files, 5)
		for _, name := range files {
			all = append(all, enginetest.Clip(t, filepath.Base(name)).Samples...)
			all = append(all, make([]float32, number(`(\d+) zeros after each`)[0])...)
		}
	default:
		name := clip.FindStringSubmatch(c.Source)
		require.NotNil(t, name, c.Source)
		all = enginetest.Clip(t, name[1]+".wav").Samples
		if strings.Contains(c.Source, "[") {
			cut := number(`\[(\d+):(\d+)\]`)
			all = all[cut[0]:cut[1]]
		}
	}
	if c.Rate == vad.LowRate { // every second sample
		half := make([]float32, 0, len(all)/2+1)
		for i := 0; i < len(all); i += 2 {
			half = append(half, all[i])
		}
		all = half
	}
	require.Len(t, all, c.Samples, c.Source)
	return all
}

// noise returns white noise from a linear congruential generator.
func noise(seed uint32, n int) []float32 {
	out := make([]float32, n)
	x := seed
	for i := range out {
		x = 1664525*x + 1013904223
		out[i] = float32((float64(x>>16) - 32768) / 32768 * 0.3)
	}
	return out
}

func newDetector(t testing.TB) *vad.Detector {
	t.Helper()
	d := vad.New(onnx.New(onnx.Options{Path: enginetest.Library(t)}))
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

func spans(pairs [][2]int) []engines.Span {
	var out []engines.Span
	for _, p := range pairs {
		out = append(out, engines.Span{Start: p[0], End: p[1]})
	}
	return out
}

func TestProbabilitiesAndTimestampsEqualTheReference(t *testing.T) {
	enginetest.Parity(t)
	k, d := loadKit(t), newDetector(t)
	worst := 0.0
	for _, c := range k.Cases {
		t.Run(c.Name, func(t *testing.T) {
			samples := c.samples(t)
			got, err := d.Probabilities(t.Context(), samples, c.Rate)
			require.NoError(t, err)
			want := enginetest.ReadNpy[float32](t, enginetest.KitFile(t, "vad", c.Probs))
			require.Len(t, got, c.Windows)
			require.Len(t, want, c.Windows)
			for i := range want {
				require.InDelta(t, want[i], got[i], 1e-4, "window %d", i)
				worst = max(worst, math.Abs(float64(want[i]-got[i])))
			}
			for name, set := range k.Sets {
				speech := vad.Timestamps(got, c.Rate, len(samples), set.parameters())
				require.Equal(t, spans(c.Timestamps[name]), speech, name)
			}
			if c.Rate == vad.Rate {
				speech, err := d.Speech(t.Context(), samples)
				require.NoError(t, err)
				require.Equal(t, spans(c.Timestamps["default"]), speech)
				require.Len(t, c.Seconds, len(speech))
			}
		})
	}
	t.Logf("largest difference of a probability: %.2g", worst)
}

// The iterator gets the audio in pieces of odd sizes.
func TestIteratorEqualsTheReference(t *testing.T) {
	enginetest.Parity(t)
	k, d := loadKit(t), newDetector(t)
	for _, c := range k.Cases {
		t.Run(c.Name, func(t *testing.T) {
			it, err := d.Iterator(t.Context(), c.Rate, vad.Defaults())
			require.NoError(t, err)
			defer it.Close()
			var want, got []vad.Event
			for _, e := range c.Iterator {
				if e.Start != nil {
					want = append(want, vad.Event{Start: true, At: *e.Start})
				} else {
					want = append(want, vad.Event{At: *e.End})
				}
			}
			for piece := range slices.Chunk(c.samples(t), 333) {
				events, err := it.Write(t.Context(), piece)
				require.NoError(t, err)
				got = append(got, events...)
			}
			require.Equal(t, want, got)
			require.Equal(t, len(want)%2 == 1, it.Speaking())
		})
	}
}
