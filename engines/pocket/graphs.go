package pocket

import (
	"context"
	"errors"
	"fmt"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The work of each graph, as errors call it.
const (
	stageVoice  = "learning the voice"
	stageText   = "reading the text"
	stageSpeech = "shaping the speech"
	stageFlow   = "refining the speech"
	stageSound  = "making the sound"
)

// graphs are the five networks of a model.
type graphs struct {
	bundle  *bundle
	bos     []float32 // embedding before the voice, nil for none
	encoder *onnx.Session
	text    *onnx.Session
	main    *onnx.Session
	flow    *onnx.Session
	decoder *onnx.Session
}

// openGraphs loads the five graphs. Errors: those of onnx.Runtime.Open, which name the file.
func openGraphs(ctx context.Context, r *onnx.Runtime, files engines.Files, b *bundle, o onnx.SessionOptions) (*graphs, error) {
	g := &graphs{bundle: b}
	for _, one := range []struct {
		role string
		to   **onnx.Session
		want onnx.Signature
	}{
		{RoleEncoder, &g.encoder, onnx.Signature{Inputs: []onnx.Value{float("audio", 3)}}},
		{RoleText, &g.text, onnx.Signature{Inputs: []onnx.Value{{Name: "token_ids", Type: onnx.Int64, Rank: 2}}}},
		{RoleMain, &g.main, stateful(b.Flow,
			[]onnx.Value{float("sequence", 3), float("text_embeddings", 3)}, []onnx.Value{float("conditioning", 2), float("eos_logit", 2)})},
		{RoleFlow, &g.flow, onnx.Signature{
			Inputs: []onnx.Value{float("c", 2), float("s", 2), float("t", 2), float("x", 2)}, Outputs: []onnx.Value{float("flow_dir", 2)},
		}},
		{RoleDecoder, &g.decoder, stateful(b.Mimi, []onnx.Value{float("latent", 3)}, []onnx.Value{float("audio_frame", 3)})},
	} {
		session, err := open(ctx, r, files[one.role], one.want, o)
		if err != nil {
			return nil, errors.Join(err, g.sessions().Close())
		}
		*one.to = session
	}
	return g, nil
}

func float(name string, rank int) onnx.Value {
	return onnx.Value{Name: name, Type: onnx.Float32, Rank: rank}
}

// stateful returns the signature of a graph with states, which follow its other inputs and outputs.
func stateful(states []state, inputs, outputs []onnx.Value) onnx.Signature {
	for _, s := range states {
		inputs, outputs = append(inputs, s.value(s.Input)), append(outputs, s.value(s.Output))
	}
	return onnx.Signature{Inputs: inputs, Outputs: outputs}
}

// open loads a graph; without wanted outputs it is the first one, whatever its name.
func open(ctx context.Context, r *onnx.Runtime, path string, want onnx.Signature, o onnx.SessionOptions) (*onnx.Session, error) {
	if want.Outputs == nil {
		m, err := onnx.Inspect(path)
		if err != nil {
			return nil, err
		}
		if len(m.Outputs) == 0 {
			return nil, onnx.Corrupt(path, "has no outputs")
		}
		want.Outputs = []onnx.Value{float(m.Outputs[0].Name, onnx.AnyRank)}
	}
	return r.Open(ctx, path, want, o)
}

func (g *graphs) sessions() onnx.Sessions {
	return onnx.Sessions{g.encoder, g.text, g.main, g.flow, g.decoder}
}

// encode returns the embeddings of a recording at the model's rate, one for each frame.
func (g *graphs) encode(ctx context.Context, samples []float32) ([]float32, error) {
	return g.embeddings(ctx, g.encoder, stageVoice, onnx.NewTensor(samples, 1, 1, int64(len(samples))))
}

// read returns the embeddings of a text, one for each token.
func (g *graphs) read(ctx context.Context, ids []int64) ([]float32, error) {
	values, err := g.embeddings(ctx, g.text, stageText, onnx.NewTensor(ids, 1, int64(len(ids))))
	if err == nil && len(values) != len(ids)*g.bundle.Dim {
		return nil, engines.Failed(stageText, fmt.Errorf("%d tokens have %d numbers", len(ids), len(values)))
	}
	return values, err
}

// embeddings returns the one output of a graph, rows of bundle.Dim finite numbers.
func (g *graphs) embeddings(ctx context.Context, s *onnx.Session, stage string, input onnx.Tensor) ([]float32, error) {
	out, err := s.Run(ctx, stage, input)
	if err != nil {
		return nil, fmt.Errorf("run model: %w", err)
	}
	values, err := out[0].Floats()
	if err != nil {
		return nil, engines.Failed(stage, err)
	}
	if len(values) == 0 || len(values)%g.bundle.Dim != 0 {
		return nil, engines.Failed(stage, fmt.Errorf("the output has the shape %v, not rows of %d", out[0].Shape(), g.bundle.Dim))
	}
	return values, onnx.CheckFinite(stage, values)
}

// condition runs the main graph over embeddings, without making a frame, from one memory into another one.
func (g *graphs) condition(ctx context.Context, stage string, embeddings []float32, from, to memory) error {
	rows := len(embeddings) / g.bundle.Dim
	inputs := append([]onnx.Tensor{
		onnx.NewTensor([]float32{}, 1, 0, int64(g.bundle.Latent)), onnx.NewTensor(embeddings, 1, int64(rows), int64(g.bundle.Dim)),
	}, from.tensors...)
	outputs := append([]onnx.Tensor{ // which are to be ignored
		onnx.NewTensor(make([]float32, g.bundle.Dim), 1, int64(g.bundle.Dim)), onnx.NewTensor(make([]float32, 1), 1, 1),
	}, to.tensors...)
	if err := g.main.RunInto(ctx, stage, inputs, outputs); err != nil {
		return fmt.Errorf("run model: %w", err)
	}
	return nil
}
