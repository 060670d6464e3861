package pocket

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

func TestGraphsThatFail(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	dim := int64(openKit(t, "int8").graphs.bundle.Dim)
	for name, tt := range map[string]struct {
		role, stage, says string
		nodes             []byte
	}{
		"voice without numbers":        {RoleEncoder, stageVoice, "NaN", filled("latents", nan, 1, 4, dim)},
		"voice of another shape":       {RoleEncoder, stageVoice, "not rows of", filled("latents", 1, 1, 4, dim+1)},
		"text without numbers":         {RoleText, stageText, "NaN", filled("embeddings", nan, 1, 2, dim)},
		"text of another length":       {RoleText, stageText, "tokens have", filled("embeddings", 1, 1, 1, dim)},
		"conditioning without numbers": {RoleMain, stageSpeech, "NaN", onnxtest.Join(filled("conditioning", nan, 1, dim), filled("eos_logit", 0, 1, 1))},
		"no end, no number":            {RoleMain, stageSpeech, "NaN", mainEnding(t, nan)},
		"conditioning of other shape":  {RoleMain, stageVoice, "invalid dimensions", onnxtest.Join(filled("conditioning", 1, 1, 3), filled("eos_logit", 0, 1, 1))},
		"direction beyond all numbers": {RoleFlow, stageFlow, "Inf", filled("flow_dir", inf, 1, 32)},
		"direction of another shape":   {RoleFlow, stageFlow, "invalid dimensions", filled("flow_dir", 1, 1, 31)},
		"sound without numbers":        {RoleDecoder, stageSound, "NaN", decoderOf(t, nan)},
		"sound beyond all numbers":     {RoleDecoder, stageSound, "Inf", decoderOf(t, inf)},
		"sound of another length":      {RoleDecoder, stageSound, "have 7 samples", filled("audio_frame", 1, 1, 1, 7)},
		"silence":                      {RoleDecoder, stageSound, "only silence", decoderOf(t, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := with(t, tt.role, tt.nodes)
			u := engines.Utterance{Text: "Hello.", Reference: reference(recording(t, "inputs/ref_24000_mono.wav"), "")}
			err := e.Speak(t.Context(), u, func(audio.Buffer) error {
				t.Error("a broken sound is emitted")
				return nil
			})
			require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.says)
			require.Equal(t, tt.stage, backend.AsError(err).Params["stage"])
			require.False(t, engines.IsRunaway(err))
		})
	}
}

// TestRunaway: speech that does not end is emitted to the limit, and then reported.
func TestRunaway(t *testing.T) {
	e := with(t, RoleMain, mainEnding(t, endLogit))
	var samples int
	u := engines.Utterance{Text: "Hello.", Reference: reference(recording(t, "inputs/ref_24000_mono.wav"), "")}
	err := e.Speak(t.Context(), u, func(b audio.Buffer) error {
		samples += b.Frames()
		return nil
	})
	require.True(t, engines.IsRunaway(err), "%v", err)
	b := e.graphs.bundle
	limit := b.limit(len(e.frontend.pieces("Hello.")[0].ids))
	require.ErrorContains(t, err, "limit of ")
	require.Equal(t, limit*b.Frame, samples)
}

// TestSpeechThatEndsAtOnce: the first step may be the last one.
func TestSpeechThatEndsAtOnce(t *testing.T) {
	e := with(t, RoleMain, mainEnding(t, endLogit+0.01))
	ref := reference(recording(t, "inputs/ref_24000_mono.wav"), "")
	frame := e.graphs.bundle.Frame
	require.Len(t, enginetest.Say(t, e, engines.Utterance{Text: "Hello.", Reference: ref}), 5*frame)
	require.Len(t, enginetest.Say(t, e, engines.Utterance{Text: "One, two, three, four, five.", Reference: ref}), 3*frame)
}

// TestLoudSoundIsKeptInScale: what is beyond full scale is cut, as in a file.
func TestLoudSoundIsKeptInScale(t *testing.T) {
	e := with(t, RoleDecoder, decoderOf(t, 1000))
	samples := enginetest.Say(t, e, engines.Utterance{Text: "Hello.", Reference: reference(recording(t, "inputs/ref_24000_mono.wav"), "")})
	require.Contains(t, samples, float32(1))
	require.Contains(t, samples, float32(-1))
	require.LessOrEqual(t, onnx.Peak(samples), float32(1))
}

// TestGraphsOfOtherTypes: a graph with another signature is named with its tensor when the model is opened.
func TestGraphsOfOtherTypes(t *testing.T) {
	for name, tt := range map[string]struct {
		role string
		edit func(*built)
		says string
	}{
		"ids of another type":     {RoleText, func(b *built) { b.inputs[0].Type = onnx.Int32 }, "expected token_ids int64 rank 2, found token_ids int32 rank 2"},
		"state of another type":   {RoleMain, func(b *built) { b.inputs[2].Type = onnx.Float16 }, "expected state_0 float32 rank 5, found state_0 float16 rank 5"},
		"no such state":           {RoleMain, func(b *built) { b.inputs = b.inputs[:len(b.inputs)-1] }, "has no input state_17"},
		"one more state":          {RoleDecoder, func(b *built) { b.inputs = append(b.inputs, float("state_56", 1)) }, "requires the input state_56"},
		"state that is not given": {RoleDecoder, func(b *built) { b.outputs = b.outputs[:len(b.outputs)-1] }, "has no output out_state_55"},
		"one more input":          {RoleFlow, func(b *built) { b.inputs = append(b.inputs, float("cfg", 1)) }, "requires the input cfg"},
		"no direction":            {RoleFlow, func(b *built) { b.outputs[0].Name = "v" }, "has no output flow_dir"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := builds(t, tt.role)
			tt.edit(&b)
			raw := b.model(scalar("v", 1))
			d := NewDriver(library(t))
			files := enginetest.Find(t, d, folder(t, map[string][]byte{tt.role + small + onnx.GraphExt: nil, tt.role + onnx.GraphExt: raw}))
			_, err := d.Open(t.Context(), files, engines.Options{})
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			require.Equal(t, tt.role+onnx.GraphExt, backend.AsError(err).Params["file"])
			require.Contains(t, backend.AsError(err).Detail, tt.says)
		})
	}
}

// TestCancelInsideEachGraph stops while one of the five graphs is at work, which would take longer than the test waits.
func TestCancelInsideEachGraph(t *testing.T) {
	dim := int64(openKit(t, "int8").graphs.bundle.Dim)
	spread := func(output string, dims ...int64) []byte {
		return onnxtest.Join(shape(output+"_d", dims...), onnxtest.Node("Expand", output, []string{"m", output + "_d"}))
	}
	for role, nodes := range map[string][]byte{
		RoleEncoder: onnxtest.Join(slow("audio", false), spread("latents", 1, 1, dim)),
		RoleText:    onnxtest.Join(slow("token_ids", true), spread("embeddings", 1, 1, dim)),
		RoleMain:    onnxtest.Join(slow("text_embeddings", false), spread("conditioning", 1, dim), spread("eos_logit", 1, 1)),
		RoleFlow:    onnxtest.Join(slow("x", false), spread("flow_dir", 1, 32)),
		RoleDecoder: onnxtest.Join(slow("latent", false), spread("audio_frame", 1, 1, 1)),
	} {
		t.Run(role, func(t *testing.T) {
			e := with(t, role, nodes)
			const after = 100 * time.Millisecond // the other graphs take a few of them
			ctx, cancel := context.WithTimeout(t.Context(), after)
			defer cancel()
			u := engines.Utterance{Text: "Hello.", Reference: reference(recording(t, "inputs/ref_24000_mono.wav"), "")}
			err := e.Speak(ctx, u, func(audio.Buffer) error {
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
