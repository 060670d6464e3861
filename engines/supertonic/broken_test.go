package supertonic

import (
	"context"
	"fmt"
	"math"
	"path"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// with returns the kit's model with one graph replaced.
func with(t testing.TB, role string, nodes []byte) string {
	t.Helper()
	return folder(t, map[string][]byte{path.Join("onnx", role+".onnx"): builds(t, role).model(nodes)})
}

// repeated makes wav_tts of 22 copies of all numbers of the latent, which is a little more than a latent frame's samples.
func repeated(from string) []byte {
	inputs := make([]string, 22)
	for i := range inputs {
		inputs[i] = from
	}
	return onnxtest.Node("Concat", "wav_tts", inputs, onnxtest.Int("axis", 1))
}

func TestGraphsThatFail(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	seconds := func(v float32) []byte {
		return onnxtest.Join(float("v", v), shape("one", 1), onnxtest.Node("Reshape", "duration", []string{"v", "one"}))
	}
	flat := onnxtest.Join(shape("row", 1, -1), onnxtest.Node("Reshape", "flat", []string{"latent", "row"}))
	for name, tt := range map[string]struct {
		role, stage, says string
		nodes             []byte
	}{
		"no number of seconds":       {RoleDuration, stageDuration, "NaN", seconds(nan)},
		"endless seconds":            {RoleDuration, stageDuration, "Inf", seconds(inf)},
		"seconds below zero":         {RoleDuration, stageDuration, "-1 seconds", seconds(-1)},
		"zero seconds":               {RoleDuration, stageDuration, "0 seconds", seconds(0)},
		"less than a sample":         {RoleDuration, stageDuration, "1e-06 seconds", seconds(1e-6)},
		"a day":                      {RoleDuration, stageDuration, "86400 seconds", seconds(86400)},
		"two lengths":                {RoleDuration, stageDuration, "[2], not [1]", onnxtest.Join(shape("n", 1, 2), onnxtest.Node("Cast", "duration", []string{"n"}, onnxtest.Int("to", 1)))},
		"text without numbers":       {RoleEncoder, stageEncode, "NaN", onnxtest.Join(float("v", nan), shape("rows", 1, 256, 1), onnxtest.Node("Expand", "all", []string{"v", "rows"}), onnxtest.Node("Mul", "text_emb", []string{"all", "text_mask"}))},
		"text of another shape":      {RoleEncoder, stageEncode, "[1 50 256], not [1 256 15]", onnxtest.Node("Identity", "text_emb", []string{"style_ttl"})},
		"latent without numbers":     {RoleEstimator, stageDenoise, "NaN", onnxtest.Join(float("v", nan), onnxtest.Node("Mul", "denoised_latent", []string{"noisy_latent", "v"}))},
		"latent beyond all numbers":  {RoleEstimator, stageDenoise, "Inf", onnxtest.Join(float("v", inf), onnxtest.Node("Add", "denoised_latent", []string{"noisy_latent", "v"}))},
		"latent of another shape":    {RoleEstimator, stageDenoise, "[1 256 15], not [1 144 ", onnxtest.Node("Identity", "denoised_latent", []string{"text_emb"})},
		"sound without numbers":      {RoleVocoder, stageVocode, "NaN", onnxtest.Join(flat, float("v", nan), onnxtest.Node("Mul", "w", []string{"flat", "v"}), repeated("w"))},
		"sound beyond all numbers":   {RoleVocoder, stageVocode, "Inf", onnxtest.Join(flat, float("v", inf), onnxtest.Node("Add", "w", []string{"flat", "v"}), repeated("w"))},
		"silence":                    {RoleVocoder, stageVocode, "only silence", onnxtest.Join(flat, float("v", 0), onnxtest.Node("Mul", "w", []string{"flat", "v"}), repeated("w"))},
		"sound shorter than its say": {RoleVocoder, stageVocode, "samples, not", onnxtest.Join(flat, onnxtest.Node("Identity", "wav_tts", []string{"flat"}))},
	} {
		t.Run(name, func(t *testing.T) {
			e := openAt(t, with(t, tt.role, tt.nodes), 1)
			err := e.Speak(t.Context(), engines.Utterance{Text: "Hello.", Language: "en"}, func(audio.Buffer) error {
				t.Error("a broken sound is emitted")
				return nil
			})
			require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
			require.ErrorContains(t, err, tt.says)
			require.Contains(t, backend.AsError(err).Detail, tt.stage)
			require.Equal(t, tt.stage, backend.AsError(err).Params["stage"])
		})
	}
}

// TestConfigOfAnotherModel: the runtime reports graphs that do not fit the config.
func TestConfigOfAnotherModel(t *testing.T) {
	dir := folder(t, map[string][]byte{
		"onnx/tts.json": edited(t, "onnx/tts.json", `"latent_dim": 24`, `"latent_dim": 12`),
	})
	err := openAt(t, dir, 1).Speak(t.Context(), engines.Utterance{Text: "Hello."}, func(audio.Buffer) error { return nil })
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
	require.Equal(t, stageDenoise, backend.AsError(err).Params["stage"])
}

// TestLoudSoundIsKeptInScale: what is beyond full scale is cut, as in a file.
func TestLoudSoundIsKeptInScale(t *testing.T) {
	loud := onnxtest.Join(
		shape("row", 1, -1), onnxtest.Node("Reshape", "flat", []string{"latent", "row"}), float("v", 1000),
		onnxtest.Node("Mul", "w", []string{"flat", "v"}), repeated("w"))
	samples := enginetest.Say(t, openAt(t, with(t, RoleVocoder, loud), 1), engines.Utterance{Text: "Hello."})
	require.Contains(t, samples, float32(1))
	require.Contains(t, samples, float32(-1))
	for _, v := range samples {
		require.LessOrEqual(t, math.Abs(float64(v)), 1.0)
	}
}

// TestGraphsOfOtherTypes: a graph with another signature is named with its tensor when the model is opened.
func TestGraphsOfOtherTypes(t *testing.T) {
	for name, tt := range map[string]struct {
		role string
		edit func(*built)
		says string
	}{
		"ids of another type":   {RoleEncoder, func(b *built) { b.inputs[0].elem = onnxtest.Int32 }, "expected text_ids int64 rank 2, found text_ids int32 rank 2"},
		"mask of another shape": {RoleDuration, func(b *built) { b.inputs[2].rank = 2 }, "expected text_mask float32 rank 3, found text_mask float32 rank 2"},
		"sound of other shape":  {RoleVocoder, func(b *built) { b.output.rank = 3 }, "expected wav_tts float32 rank 2, found wav_tts float32 rank 3"},
		"no steps":              {RoleEstimator, func(b *built) { b.inputs = b.inputs[:6] }, "has no input total_step"},
		"one more input":        {RoleEstimator, func(b *built) { b.inputs = append(b.inputs, tensor{"cfg", onnxtest.Float32, 1}) }, "requires the input cfg"},
		"another output":        {RoleVocoder, func(b *built) { b.output.name = "audio" }, "has no output wav_tts"},
	} {
		t.Run(name, func(t *testing.T) {
			b := builds(t, tt.role)
			tt.edit(&b)
			raw := b.model(float("v", 1), onnxtest.Node("Identity", b.output.name, []string{"v"}))
			d := NewDriver(library(t))
			files := enginetest.Find(t, d, folder(t, map[string][]byte{path.Join("onnx", tt.role+".onnx"): raw}))
			_, err := d.Open(t.Context(), files, engines.Options{})
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			require.Equal(t, tt.role+".onnx", backend.AsError(err).Params["file"])
			require.Contains(t, backend.AsError(err).Detail, tt.says)
		})
	}
}

// slow takes minutes: matrices made of an input, multiplied one after another.
func slow(b built) []byte {
	nodes := onnxtest.Join(
		onnxtest.Node("Cast", "f", []string{b.inputs[0].name}, onnxtest.Int("to", 1)),
		onnxtest.Node("ReduceSum", "s", []string{"f"}, onnxtest.Int("keepdims", 0)),
		shape("square", 1024, 1024), onnxtest.Node("Expand", "m0", []string{"s", "square"}))
	const products = 2400
	for i := range products {
		nodes = append(nodes, onnxtest.Node("MatMul", fmt.Sprintf("m%d", i+1), []string{fmt.Sprintf("m%d", i), "m0"})...)
	}
	dims := []int64{1, 1, 1}[:b.output.rank]
	return onnxtest.Join(nodes,
		onnxtest.Node("ReduceSum", "last", []string{fmt.Sprintf("m%d", products)}, onnxtest.Int("keepdims", 0)),
		shape("out", dims...), onnxtest.Node("Expand", b.output.name, []string{"last", "out"}))
}

// TestCancelInsideEachGraph stops while one of the four graphs is at work, which would take longer than the test waits.
func TestCancelInsideEachGraph(t *testing.T) {
	for _, role := range []string{RoleDuration, RoleEncoder, RoleEstimator, RoleVocoder} {
		t.Run(role, func(t *testing.T) {
			e := openAt(t, with(t, role, slow(builds(t, role))), 1)
			const after = 150 * time.Millisecond // the other graphs take a few of them
			ctx, cancel := context.WithTimeout(t.Context(), after)
			defer cancel()
			err := e.Speak(ctx, engines.Utterance{Text: "Hello."}, func(audio.Buffer) error {
				t.Error("emit is called after the work was cancelled")
				return nil
			})
			deadline, _ := ctx.Deadline()
			late := time.Since(deadline)
			require.ErrorIs(t, err, backend.ErrCancelled)
			require.Less(t, late, 30*time.Second)
			t.Logf("late by %v", late)
		})
	}
}
