package supertonic

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The work of each graph, as errors call it.
const (
	stageDuration = "finding the length of the speech"
	stageEncode   = "reading the text"
	stageDenoise  = "shaping the speech"
	stageVocode   = "making the sound"
)

// embedding is the number of rows of the text encoder's output.
const embedding = 256

// graphs are the four networks of a model.
type graphs struct {
	config    config
	duration  *onnx.Session
	encoder   *onnx.Session
	estimator *onnx.Session
	vocoder   *onnx.Session
}

// openGraphs loads the four graphs. Errors: those of onnx.Runtime.Open, which name the file.
func openGraphs(ctx context.Context, r *onnx.Runtime, files engines.Files, c config, o onnx.SessionOptions) (*graphs, error) {
	g := &graphs{config: c}
	float := func(name string, rank int) onnx.Value { return onnx.Value{Name: name, Type: onnx.Float32, Rank: rank} }
	ids, mask, latent := onnx.Value{Name: "text_ids", Type: onnx.Int64, Rank: 2}, float("text_mask", 3), float("style_ttl", 3)
	for _, one := range []struct {
		role    string
		to      **onnx.Session
		inputs  []onnx.Value
		outputs []onnx.Value
	}{
		{RoleDuration, &g.duration, []onnx.Value{ids, float("style_dp", 3), mask}, []onnx.Value{float("duration", 1)}},
		{RoleEncoder, &g.encoder, []onnx.Value{ids, latent, mask}, []onnx.Value{float("text_emb", 3)}},
		{RoleEstimator, &g.estimator, []onnx.Value{
			float("noisy_latent", 3), float("text_emb", 3), latent, mask, float("latent_mask", 3),
			float("current_step", 1), float("total_step", 1),
		}, []onnx.Value{float("denoised_latent", 3)}},
		{RoleVocoder, &g.vocoder, []onnx.Value{float("latent", 3)}, []onnx.Value{float("wav_tts", 2)}},
	} {
		want := onnx.Signature{Inputs: one.inputs, Outputs: one.outputs}
		session, err := r.Open(ctx, files[one.role], want, o)
		if err != nil {
			return nil, errors.Join(err, g.sessions().Close())
		}
		*one.to = session
	}
	return g, nil
}

func (g *graphs) sessions() onnx.Sessions {
	return onnx.Sessions{g.duration, g.encoder, g.estimator, g.vocoder}
}

// text is one piece of text as input of the graphs.
type text struct {
	ids  onnx.Tensor // [1, L]
	mask onnx.Tensor // [1, 1, L], all ones
}

func newText(ids []int64) text {
	n := len(ids)
	return text{ids: onnx.NewTensor(ids, 1, int64(n)), mask: mask(n, n)}
}

// mask returns a tensor of [1, 1, n] numbers, the first of which are 1 and the others 0.
func mask(first, n int) onnx.Tensor {
	data := make([]float32, n)
	for i := range first {
		data[i] = 1
	}
	return onnx.NewTensor(data, 1, 1, int64(n))
}

// seconds returns the length of a text at normal speed, from the duration predictor.
func (g *graphs) seconds(ctx context.Context, t text, s style) (float32, error) {
	_, out, err := run(ctx, g.duration, stageDuration, []int64{1}, t.ids, s.duration, t.mask)
	if err != nil {
		return 0, err
	}
	return out[0], nil
}

// encode returns the embedding of the text: [1, 256, L].
func (g *graphs) encode(ctx context.Context, t text, s style) (onnx.Tensor, error) {
	shape := []int64{1, embedding, t.ids.Shape()[1]}
	emb, _, err := run(ctx, g.encoder, stageEncode, shape, t.ids, s.latent, t.mask)
	return emb, err
}

// state is the input of the estimator besides the latent, the same in all steps.
type state struct {
	text
	style
	emb    onnx.Tensor
	frames onnx.Tensor // [1, 1, T], 1 where there is sound
	steps  int
}

// denoise returns the latent after one step, counted from 0: x and the result are [1, channels, T].
func (g *graphs) denoise(ctx context.Context, x onnx.Tensor, s state, step int) (onnx.Tensor, error) {
	x, _, err := run(ctx, g.estimator, stageDenoise, x.Shape(),
		x, s.emb, s.latent, s.mask, s.frames,
		onnx.NewTensor([]float32{float32(step)}, 1), onnx.NewTensor([]float32{float32(s.steps)}, 1))
	return x, err
}

// vocode returns the sound of a latent.
func (g *graphs) vocode(ctx context.Context, x onnx.Tensor) ([]float32, error) {
	_, out, err := run(ctx, g.vocoder, stageVocode, []int64{1, anyLength}, x)
	return out, err
}

// anyLength means any number in a shape.
const anyLength = -1

// run returns the one output of a graph, which has the wanted shape and is finite.
func run(
	ctx context.Context, session *onnx.Session, stage string, shape []int64, inputs ...onnx.Tensor,
) (onnx.Tensor, []float32, error) {
	out, err := session.Run(ctx, stage, inputs...)
	if err != nil {
		return onnx.Tensor{}, nil, fmt.Errorf("run model: %w", err)
	}
	values, err := out[0].Floats()
	if err != nil {
		return onnx.Tensor{}, nil, fmt.Errorf("read %s: %w", stage, err)
	}
	same := func(have, want int64) bool { return have == want || want == anyLength }
	if !slices.EqualFunc(out[0].Shape(), shape, same) {
		return onnx.Tensor{}, nil, engines.Failed(stage, fmt.Errorf("the output has the shape %v, not %v", out[0].Shape(), shape))
	}
	return out[0], values, onnx.CheckFinite(stage, values)
}
