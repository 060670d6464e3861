package piper

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSuite(t *testing.T) {
	english := enginetest.Suite{Text: "Hello.", LongText: strings.Repeat("One, two, three and four. ", 12)}
	few := english
	few.Opens = 10
	for name, tt := range map[string]struct {
		path  string
		suite enginetest.Suite
	}{
		"one speaker":   {voiceDir(t, "en_US-lessac-medium"), english},
		"four speakers": {voiceDir(t, "en_GB-vctk-medium"), few},
		"real network":  {trueVoice(t, 0.667), few},
		"text voice": {voiceDir(t, "uk_UA-lada-x_low"), enginetest.Suite{
			Text: "Привіт, світе!", LongText: strings.Repeat("Як справи сьогодні? ", 20), Opens: 10, OneBuffer: true,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.RunModel(t, NewDriver(library(t), letters{}), tt.path, tt.suite)
		})
	}
}

// trueVoice makes a voice folder of the small export of the real network, with the config of another voice.
func trueVoice(t *testing.T, noise float64) string {
	t.Helper()
	dir := t.TempDir()
	copyFile(t, kit(t, "vits", "vits-small.onnx"), filepath.Join(dir, "en_US-small-medium.onnx"))
	raw, err := os.ReadFile(filepath.Join(voiceDir(t, "en_US-lessac-medium"), "en_US-lessac-medium.onnx.json"))
	require.NoError(t, err)
	text := string(raw)
	if noise == 0 {
		text = strings.Replace(text, `"noise_scale": 0.667`, `"noise_scale": 0`, 1)
		text = strings.Replace(text, `"noise_w": 0.8`, `"noise_w": 0`, 1)
		require.Equal(t, 2, strings.Count(text, "\": 0,")+strings.Count(text, "\": 0\n"))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "en_US-small-medium.onnx.json"), []byte(text), 0o600))
	return dir
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	raw, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, raw, 0o600))
}

// TestSeeds: a voice whose graph draws noise returns the same samples for the same seed, in any sentence and in
// parallel with others.
func TestSeeds(t *testing.T) {
	e := openAt(t, trueVoice(t, 0.667), letters{}, 0)
	require.True(t, e.Info().Reproducible)
	u := engines.Utterance{Text: "Hello there. And there.", Speed: 1, Seed: 5}
	first := enginetest.Say(t, e, u)
	require.Equal(t, first, enginetest.Say(t, e, u))
	require.Equal(t, first, enginetest.Say(t, openAt(t, trueVoice(t, 0.667), letters{}, 2), u), "another session with more threads")
	u.Seed = 6
	require.NotEqual(t, first, enginetest.Say(t, e, u))

	var takes [][]float32
	u.Text = "No. No."
	require.NoError(t, e.Speak(t.Context(), u, func(b audio.Buffer) error {
		takes = append(takes, b.Samples)
		return nil
	}))
	require.Len(t, takes, 2)
	require.NotEqual(t, takes[0], takes[1], "equal sentences are said in the same way")

	quiet := openAt(t, trueVoice(t, 0), letters{}, 0)
	require.True(t, quiet.Info().Reproducible)
	require.Equal(t, enginetest.Say(t, quiet, u), enginetest.Say(t, quiet, u))
	require.True(t, openVoice(t, "en_US-lessac-medium", letters{}, 0).Info().Reproducible)
}

// TestVoiceWithOtherRandomNodesIsNotReproducible: a voice with another kind of random node is not said to be reproducible.
func TestVoiceWithOtherRandomNodesIsNotReproducible(t *testing.T) {
	nodes := [][]byte{
		onnxtest.Node("Cast", "f", []string{"input"}, onnxtest.Int("to", onnxtest.Float32)),
		onnxtest.Node("Sigmoid", "chance", []string{"f"}), onnxtest.Node("Bernoulli", "output", []string{"chance"}),
	}
	dir := folder(t, map[string]string{"a.onnx.json": "<config>", "a.onnx": string(model(nodes...))})
	e := openAt(t, dir, letters{}, 0)
	require.False(t, e.Info().Reproducible)
	require.NotEmpty(t, enginetest.Say(t, e, engines.Utterance{Text: "Hello there."}))
}

func TestOnlyVoicesOfEspeakReadPhonemes(t *testing.T) {
	require.True(t, openVoice(t, "en_US-lessac-medium", letters{}, 0).Info().Phonemes)
	require.False(t, openVoice(t, "uk_UA-lada-x_low", letters{}, 0).Info().Phonemes)
}

// TestTones decodes the input of the network from the sound.
func TestTones(t *testing.T) {
	const text = "Hello, tone world. A second one, and aa double."
	for _, key := range []string{"en_US-tone-medium", "en_GB-tones-medium"} {
		e := openVoice(t, key, letters{}, 0)
		want, err := e.frontend.sentences(t.Context(), text)
		require.NoError(t, err)
		require.Len(t, want, 2)
		for speaker, voice := range e.Info().Voices {
			for _, speed := range []float64{0.5, 1, 2} {
				samples := enginetest.Say(t, e, engines.Utterance{Text: text, Voice: voice.ID, Speed: speed})
				got, err := enginetest.DecodeTones(samples, 256)
				require.NoError(t, err)
				require.Len(t, got, len(want))
				for i, run := range got {
					require.InDeltaSlice(t, []float64{0.667 / 4, 1 / speed / 4, 0.8 / 4}, run.Header, 1e-4)
					require.Equal(t, speaker, run.Speaker)
					require.Equal(t, numbers(want[i].ids), run.IDs)
					for _, frames := range run.Frames {
						require.Equal(t, int(math.Ceil(2/speed)), frames)
					}
				}
			}
		}
	}
}

func numbers(ids []int64) []int {
	out := make([]int, len(ids))
	for i, id := range ids {
		out[i] = int(id)
	}
	return out
}

func TestConfigPaceAndSpeedWorkTogether(t *testing.T) {
	e := openVoice(t, "de_DE-thorsten-low", letters{}, 0) // its config says 1.1
	for speed, want := range map[float64]float64{0: 1.1, 1: 1.1, 2: 0.55, 0.25: 4.4, 4: 0.275} {
		got, err := e.scales(speed)
		require.NoError(t, err)
		require.InDelta(t, want, got.length, 1e-9)
	}
	for _, speed := range []float64{-1, 0.2, 4.1, math.NaN(), math.Inf(1)} {
		_, err := e.scales(speed)
		require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err))
		require.Equal(t, "Choose a speed from 0.25 to 4.", backend.AsError(err).Remedy)
	}
	short := 0.2
	e.frontend.config.Inference.LengthScale = &short
	got, err := e.scales(4)
	require.NoError(t, err)
	require.InDelta(t, minLength, got.length, 1e-9)
}

func TestSpeakRefuses(t *testing.T) {
	e := openVoice(t, "en_GB-vctk-medium", letters{}, 0)
	for name, tt := range map[string]struct {
		u    engines.Utterance
		code backend.Code
		says string
	}{
		"unknown voice":    {engines.Utterance{Text: "Hello", Voice: "p999"}, backend.CodeNotFound, "p239, p236, p264, p250"},
		"speaker's number": {engines.Utterance{Text: "Hello", Voice: "2"}, backend.CodeNotFound, `"2"`},
		"other language":   {engines.Utterance{Text: "Hallo", Language: "de"}, backend.CodeLanguageNotSupported, "speaks en-GB, not de"},
		"nothing known":    {engines.Utterance{Text: "東京"}, backend.CodeNothingToSpeak, "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			err := e.Speak(t.Context(), tt.u, func(audio.Buffer) error { return nil })
			require.Equal(t, tt.code, backend.CodeOf(err))
			require.Contains(t, backend.AsError(err).Detail+backend.AsError(err).Remedy, tt.says)
		})
	}
	for _, language := range []string{"", "en", "en-US", "EN-gb"} {
		require.NotEmpty(t, enginetest.Say(t, e, engines.Utterance{Text: "Hello", Language: language}))
	}
}

type broken struct{ err error }

func (b broken) Phonemize(context.Context, string, string) ([]engines.Sentence, error) {
	return nil, b.err
}

func TestPhonemizerErrors(t *testing.T) {
	missing := backend.E(backend.CodeRuntimeMissing, "espeak-ng was not found.", "Install espeak-ng.")
	e := openVoice(t, "en_US-lessac-medium", broken{missing}, 0)
	err := e.Speak(t.Context(), engines.Utterance{Text: "Hello"}, func(audio.Buffer) error { return nil })
	require.ErrorIs(t, err, missing)

	ctx, cancel := context.WithCancel(t.Context())
	e = openVoice(t, "en_US-lessac-medium", cancelling{cancel}, 0)
	err = e.Speak(ctx, engines.Utterance{Text: "Hello"}, func(audio.Buffer) error { return nil })
	require.ErrorIs(t, err, backend.ErrCancelled)
}

type cancelling struct{ cancel func() }

func (c cancelling) Phonemize(ctx context.Context, _, _ string) ([]engines.Sentence, error) {
	c.cancel()
	return nil, errors.New("the process was stopped")
}

func TestNormalise(t *testing.T) {
	samples := []float32{0.25, -0.5, 0}
	normalise(samples)
	require.Equal(t, []float32{0.5, -1, 0}, samples)
}

func TestThreads(t *testing.T) {
	require.Equal(t, 3, openVoice(t, "en_US-lessac-medium", letters{}, 3).Info().Threads)
	require.Equal(t, 1, openVoice(t, "en_US-lessac-medium", letters{}, 0).Info().Threads)
}
