package piper

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

// kit returns a file of the parity kit.
func kit(t testing.TB, parts ...string) string {
	t.Helper()
	return enginetest.KitFile(t, "piper", parts...)
}

// voiceDir is the folder of a voice in the kit's repository: en_US-lessac-medium is in en/en_US/lessac/medium.
func voiceDir(t testing.TB, key string) string {
	t.Helper()
	parts := strings.Split(key, "-")
	require.Len(t, parts, 3, key)
	family, _, _ := strings.Cut(parts[0], "_")
	return kit(t, "repo", family, parts[0], parts[1], parts[2])
}

func library(t testing.TB) *onnx.Runtime {
	t.Helper()
	return onnx.New(onnx.Options{Path: enginetest.Library(t)})
}

// openVoice opens a voice of the kit.
func openVoice(t testing.TB, key string, ph engines.Phonemizer, threads int) *Engine {
	t.Helper()
	return openAt(t, voiceDir(t, key), ph, threads)
}

func openAt(t testing.TB, path string, ph engines.Phonemizer, threads int) *Engine {
	t.Helper()
	d := NewDriver(library(t), ph)
	return enginetest.Open(t, d, path, threads).(*Engine)
}

// letters is a phonemizer whose phonemes are the lower-case letters themselves, sentence by sentence.
type letters struct{}

func (letters) Phonemize(_ context.Context, text, _ string) ([]engines.Sentence, error) {
	var out []engines.Sentence
	for _, s := range strings.SplitAfter(text, ".") {
		s = strings.TrimSpace(norm.NFD.String(strings.ToLower(s)))
		if strings.IndexFunc(s, unicode.IsLetter) >= 0 {
			out = append(out, points(s))
		}
	}
	return out, nil
}

// synthesis are the options of a case.
type synthesis struct {
	SpeakerID      *int64   `json:"speaker_id"`
	LengthScale    *float64 `json:"length_scale"`
	NoiseScale     *float64 `json:"noise_scale"`
	NoiseWScale    *float64 `json:"noise_w_scale"`
	Volume         *float64 `json:"volume"`
	NormalizeAudio *bool    `json:"normalize_audio"`
}

// sentence is one graph run of a case.
type sentence struct {
	Phonemes    string           `json:"phonemes"`
	PhonemeList []string         `json:"phoneme_list"`
	IDs         []int64          `json:"ids"`
	Raw         enginetest.Stats `json:"raw"`
	RawHead     []float32        `json:"raw_head"`
	RawTail     []float32        `json:"raw_tail"`
	Float       enginetest.Stats `json:"float"`
	Int16Head   []int16          `json:"int16_head"`
	Int16SumAbs float64          `json:"int16_sum_abs"`
	Arrays      []string         `json:"arrays"`
}

func (s sentence) phonemes() engines.Sentence {
	if s.PhonemeList != nil {
		return s.PhonemeList
	}
	return points(s.Phonemes)
}

type parityCase struct {
	ID         int             `json:"id"`
	Voice      string          `json:"voice"`
	Text       string          `json:"text"`
	Synthesis  synthesis       `json:"synthesis"`
	ScalesFed  []float32       `json:"scales_fed"`
	SidFed     *int64          `json:"sid_fed"`
	SampleRate int             `json:"sample_rate"`
	Sentences  []sentence      `json:"sentences"`
	Under151   json.RawMessage `json:"sentences_1_51"`
}

// with151 returns the sentences with the phonemes of espeak-ng 1.51.
func (c parityCase) with151(t *testing.T) []sentence {
	t.Helper()
	if string(c.Under151) == `"same"` {
		return c.Sentences
	}
	var out []sentence
	require.NoError(t, json.Unmarshal(c.Under151, &out))
	return out
}

// withStress returns the sentences with the phonemes of espeak-ng 1.51, and those of Piper where the two differ only by
// the main stress that the command adds to function words.
func (c parityCase) withStress(t *testing.T) []sentence {
	t.Helper()
	out := slices.Clone(c.with151(t))
	if len(out) != len(c.Sentences) {
		return out
	}
	for i, s := range c.Sentences {
		if unstressed.Replace(s.Phonemes) == unstressed.Replace(out[i].Phonemes) {
			out[i] = s
		}
	}
	return out
}

var unstressed = strings.NewReplacer("ˈ", "", "ˌ", "")

type parityKit struct {
	Cases []parityCase `json:"cases"`
	Extra struct {
		Alignment struct {
			Model            string   `json:"model"`
			IDs              []int64  `json:"ids"`
			PhonemeIDSamples []int    `json:"phoneme_id_samples"`
			Phonemes         [][3]any `json:"phoneme_alignments"`
		} `json:"alignment"`
		VowelClusters struct {
			Config   string             `json:"config"`
			Text     string             `json:"text"`
			Phonemes []engines.Sentence `json:"phonemes"`
			IDs      [][]int64          `json:"ids"`
		} `json:"vowel_clusters"`
		MissingPhonemes struct {
			Phonemes engines.Sentence `json:"phonemes"`
			IDs      []int64          `json:"ids"`
		} `json:"missing_phonemes"`
	} `json:"extra"`
}

func readKit(t *testing.T) parityKit {
	t.Helper()
	var k parityKit
	raw, err := os.ReadFile(kit(t, "cases.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &k))
	require.NotEmpty(t, k.Cases)
	return k
}
