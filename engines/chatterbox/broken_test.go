package chatterbox

import (
	"context"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

const (
	languageFile = "onnx/language_model_q4.onnx"
	decoderFile  = "onnx/conditional_decoder_q4.onnx"
)

// with returns the kit's Turbo with one graph replaced.
func with(t testing.TB, file string, graph []byte) string {
	t.Helper()
	return folder(t, turboRepo, map[string][]byte{file: graph})
}

func TestGraphsThatFail(t *testing.T) {
	nan := float32(math.NaN())
	times := func(v float32) []byte {
		return onnxtest.Join(scalar("v", v), onnxtest.Node("Mul", "waveform", []string{"x", "v"}))
	}
	encoder := func(tokens []byte) []byte {
		zeros := func(name string, dims ...int64) []byte {
			return onnxtest.Join(list(name+"_shape", dims...), onnxtest.Node("Expand", name, []string{"zero", name + "_shape"}))
		}
		return onnxtest.Model(17, sized("audio_values", -1, -1), scalar("zero", 0),
			onnxtest.Value(onnxtest.Output, "audio_features", onnxtest.Float32, 3), onnxtest.Value(onnxtest.Output, "audio_tokens", onnxtest.Int64, 2),
			onnxtest.Value(onnxtest.Output, "speaker_embeddings", onnxtest.Float32, 2), onnxtest.Value(onnxtest.Output, "speaker_features", onnxtest.Float32, 3),
			zeros("audio_features", 1, 3, 8), zeros("speaker_embeddings", 1, 100), zeros("speaker_features", 1, 5, 80), tokens)
	}
	for name, tt := range map[string]struct {
		file, stage, says string
		graph             []byte
	}{
		"scores without numbers":  {languageFile, stageSpeech, "NaN", languageModel(even(nan, 6563))},
		"endless scores":          {languageFile, stageSpeech, "Inf", languageModel(even(float32(math.Inf(1)), 6563))},
		"scores of few tokens":    {languageFile, stageSpeech, "[1 ", languageModel(even(0, 6562))},
		"sound without numbers":   {decoderFile, stageSound, "NaN", decoder(times(nan))},
		"silence":                 {decoderFile, stageSound, "only silence", decoder(times(0))},
		"two sounds":              {decoderFile, stageSound, "[2 ", decoder(list("two", 2, -1), onnxtest.Node("Reshape", "waveform", []string{"x", "two"}))},
		"voice of another length": {"onnx/speech_encoder_q4.onnx", stageVoice, "[1 100]", encoder(list2("audio_tokens"))},
		"text of another width": {"onnx/embed_tokens_q4.onnx", stageText, ", not [1 ", onnxtest.Model(17,
			onnxtest.Value(onnxtest.Input, "input_ids", onnxtest.Int64, 2), onnxtest.Value(onnxtest.Output, "inputs_embeds", onnxtest.Float32, 3),
			onnxtest.Node("Cast", "f", []string{"input_ids"}, onnxtest.Int("to", onnxtest.Float32)), list("last", -1),
			onnxtest.Node("Unsqueeze", "inputs_embeds", []string{"f", "last"}))},
	} {
		t.Run(name, func(t *testing.T) {
			err := refused(t, openAt(t, with(t, tt.file, tt.graph), 1), engines.Utterance{Text: "Hello there.", Reference: sample(t)})
			require.Equal(t, backend.CodeEngineFailed, err.Code)
			require.ErrorContains(t, err, tt.says)
			require.Equal(t, tt.stage, err.Params["stage"])
			require.False(t, engines.IsRunaway(err))
		})
	}
}

// list2 makes one row of whole numbers.
func list2(output string) []byte {
	return onnxtest.Join(list("numbers", 1, 2, 3), list("rows", 1, -1), onnxtest.Node("Reshape", output, []string{"numbers", "rows"}))
}

// TestTextWithoutEnd: a model that does not find the end of a text stops at the limit of that text.
func TestTextWithoutEnd(t *testing.T) {
	e := openAt(t, with(t, languageFile, languageModel(even(0, 6563))), 1) // each token is as likely as the end
	u := engines.Utterance{Text: "Hello there.", Reference: sample(t)}
	err := refused(t, e, u)
	require.True(t, engines.IsRunaway(err), "%v", err)
	require.Equal(t, "The speech model did not find the end of a sentence.", err.Detail)
	for ids, want := range map[int]int{0: 100, 10: 250, 1_000_000: 1000} {
		require.Equal(t, want, e.frontend.limit(ids))
	}
}

// TestCancelledInTheLoop: the steps of a long text end soon after the context does.
func TestCancelledInTheLoop(t *testing.T) {
	e := openAt(t, with(t, languageFile, languageModel(even(0, 6563))), 1)
	v := mustPrepare(t, e)
	for _, after := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		r := e.request([]int64{39, 288, 50256, 50256}, v, engines.NewNoise(1, 0).Uniform)
		r.limit = 50_000
		_, err := e.graphs.speak(ctx, newMemory(e.graphs.sizes, 1, 400), r, 0)
		cancel()
		require.Error(t, err)
		if backend.CodeOf(err) != backend.CodeEngineFailed { // the memory was full before
			require.ErrorIs(t, err, backend.ErrCancelled)
		}
	}
}

// TestNoiseOfTheDecoder: noise that the decoder draws comes from the seed, so that equal utterances stay equal.
func TestNoiseOfTheDecoder(t *testing.T) {
	e := openAt(t, with(t, decoderFile, decoder(
		scalar("tenth", 0.1), onnxtest.Node("RandomNormalLike", "noise", []string{"x"}),
		onnxtest.Node("Mul", "waveform", []string{"noise", "tenth"}))), 1)
	require.True(t, e.Info().Reproducible)
	u := engines.Utterance{Text: "Hello there.", Reference: sample(t), Seed: 5}
	first := enginetest.Say(t, e, u)
	require.Equal(t, first, enginetest.Say(t, e, u))
	u.Seed = 6
	require.NotEqual(t, first[:960], enginetest.Say(t, e, u)[:960])
}

// TestLoudSoundIsKeptInScale: what is beyond full scale is cut, as in a file.
func TestLoudSoundIsKeptInScale(t *testing.T) {
	e := openAt(t, with(t, decoderFile, decoder(scalar("half", 3000.5), onnxtest.Node("Sub", "waveform", []string{"x", "half"}))), 1)
	samples := enginetest.Say(t, e, engines.Utterance{Text: "Hello there.", Reference: sample(t)})
	for _, v := range samples {
		require.InDelta(t, 1, math.Abs(float64(v)), 0)
	}
}

// TestGraphsOfOtherTypes: a graph with another signature is named with its tensor when the model is opened.
func TestGraphsOfOtherTypes(t *testing.T) {
	d := NewDriver(library(t))
	files := enginetest.Find(t, d, with(t, decoderFile, onnxtest.Model(17, sized("speech_tokens", -1, -1),
		onnxtest.Value(onnxtest.Output, "waveform", onnxtest.Float32, 2), scalar("waveform", 1))))
	_, err := d.Open(t.Context(), files, engines.Options{})
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
	require.Equal(t, filepath.Base(decoderFile), backend.AsError(err).Params["file"])
	require.Contains(t, backend.AsError(err).Detail, "expected speech_tokens int64 rank 2, found speech_tokens float32 rank 2")
}

// TestOutputsOfOtherNames: outputs are taken in their order where a graph has other names for them.
func TestOutputsOfOtherNames(t *testing.T) {
	graph := onnxtest.Model(17, onnxtest.Value(onnxtest.Input, "speech_tokens", onnxtest.Int64, 2), sized("speaker_embeddings", -1, 192),
		sized("speaker_features", -1, -1, 80), onnxtest.Value(onnxtest.Output, "wav", onnxtest.Float32, 2),
		onnxtest.Node("Cast", "wav", []string{"speech_tokens"}, onnxtest.Int("to", onnxtest.Float32)))
	e := openAt(t, with(t, decoderFile, graph), 1)
	require.NotEmpty(t, enginetest.Say(t, e, engines.Utterance{Text: "Hello there.", Reference: sample(t)}))
}
